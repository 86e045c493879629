// SPDX-License-Identifier: Apache-2.0
// Requests made at run time (CORBA 3.3 part 1, 11), against servants with skeletons: over TCP in each version of
// GIOP, and within an ORB.
#include <callis/dynamic/call.h>
#include <callis/dynamic/testing/work.h>
#include <malloc.h>
#include <set>
#include <thread>

namespace callis::dynamic::testing {
namespace {

class RequestTest : public ::testing::TestWithParam<Way>, protected TwoOrbs {
 protected:
  PortableServer::Servant_var<Work> servant{new Work};
  CORBA::Object_var object;

  RequestTest() : TwoOrbs(GetParam()) {
    const CORBA::Object_var own = activate(servant.in());
    object = seen(own.in());
  }
  CORBA::Request_var add(CORBA::Long a, CORBA::Long b) {
    CORBA::Request_var r = object->_request("add");
    r->add_in_arg("a") <<= a;
    r->add_in_arg() <<= b;
    r->set_return_type(CORBA::_tc_long);
    return r;
  }
  CORBA::Request_var run(const char* extra) {
    CORBA::Request_var r = object->_request("run");
    Dyn::Points points(2);
    points.length(2);
    points[0u] = {1, CORBA::string_dup("one")};
    points[1u] = {2, CORBA::string_dup("two")};
    r->add_in_arg() <<= Dyn::blue;
    r->add_inout_arg("all") <<= points;
    r->add_out_arg() <<= CORBA::Long(0);
    r->add_in_arg() <<= *std::make_unique<CORBA::Any>();
    *r->arguments()->item(3)->value() <<= anything(extra);
    r->set_return_type(Dyn::_tc_Points);
    return r;
  }
  static CORBA::Any anything(const char* text) {
    CORBA::Any a;
    a <<= text;
    return a;
  }
  static std::string outcome(CORBA::Request& r) {
    const CORBA::Exception* const e = r.env()->exception();
    return e ? e->_rep_id() : "results";
  }
  template <class T>
  static T value(const CORBA::Any& any) {
    T v{};
    EXPECT_TRUE(any >>= v);
    return v;
  }
  // The user exception of that type, as a stub would throw it.
  template <class E>
  static const E& raised(CORBA::Request& r) {
    auto* const unknown = CORBA::UnknownUserException::_downcast(r.env()->exception());
    const E* e = nullptr;
    if (!unknown || !(unknown->exception() >>= e)) throw std::runtime_error(outcome(r));
    return *e;
  }
};

TEST_P(RequestTest, brings_back_the_result) {
  const CORBA::Request_var r = add(40, 2);
  r->invoke();
  EXPECT_EQ(outcome(*r.in()), "results");
  EXPECT_EQ(value<CORBA::Long>(r->return_value()), 42);
  EXPECT_STREQ(r->operation(), "add");
  EXPECT_TRUE(r->target()->_is_equivalent(object.in()));
  EXPECT_STREQ(r->arguments()->item(0)->name(), "a");
  for (int i = 0; i < 3; ++i) {  // headers that are used again
    const CORBA::Request_var again = add(i, i);
    again->invoke();
    EXPECT_EQ(value<CORBA::Long>(again->return_value()), 2 * i);
  }
}

TEST_P(RequestTest, brings_back_inout_and_out_arguments) {
  const CORBA::Request_var r = run("");
  r->invoke();
  ASSERT_EQ(outcome(*r.in()), "results");
  const Dyn::Points* points = nullptr;
  ASSERT_TRUE(r->return_value() >>= points);
  ASSERT_EQ(points->length(), 2u);
  EXPECT_STREQ((*points)[1u].label, "two");
  ASSERT_TRUE(*r->arguments()->item(1)->value() >>= points);
  ASSERT_EQ(points->length(), 1u);
  EXPECT_STREQ((*points)[0u].label, "changed");
  EXPECT_EQ(value<CORBA::Long>(*r->arguments()->item(2)->value()), 2);
}

TEST_P(RequestTest, writes_where_the_callers_list_and_result_are) {
  CORBA::NVList_var list;
  client->create_list(2, list.out());
  CORBA::Any a;
  a <<= CORBA::Long(5);
  list->add_value("a", a, CORBA::ARG_IN);
  list->add_value("b", a, CORBA::ARG_IN);
  CORBA::NamedValue_var result;
  client->create_named_value(result.out());
  result->value()->replace(CORBA::_tc_long, nullptr);
  CORBA::Request_var r;
  object->_create_request(nullptr, "add", list.in(), result.in(), r.out(), 0);
  r->invoke();
  EXPECT_EQ(value<CORBA::Long>(*result->value()), 10);
}

TEST_P(RequestTest, user_exceptions_of_the_list_are_UnknownUserException) {
  CORBA::Request_var r = run("break");
  r->exceptions()->add(Dyn::_tc_Broken);
  r->exceptions()->add(Dyn::_tc_Late);
  r->invoke();
  EXPECT_EQ(outcome(*r.in()), "IDL:omg.org/CORBA/UnknownUserException:1.0");
  EXPECT_STREQ(raised<Dyn::Broken>(*r.in()).why, "so");
  EXPECT_STREQ(raised<Dyn::Broken>(*r.in()).where.label, "there");
  r = run("late");
  r->exceptions()->add(Dyn::_tc_Late);
  r->invoke();
  (void)raised<Dyn::Late>(*r.in());
}

TEST_P(RequestTest, user_exceptions_that_are_not_in_the_list_are_UNKNOWN) {
  const CORBA::Request_var r = run("break");
  r->invoke();
  EXPECT_EQ(outcome(*r.in()), "IDL:omg.org/CORBA/UNKNOWN:1.0");
}

TEST_P(RequestTest, system_exceptions_are_in_the_environment) {
  const CORBA::Request_var r = object->_request("nothing");
  r->invoke();
  const auto* const e = CORBA::BAD_OPERATION::_downcast(r->env()->exception());
  ASSERT_NE(e, nullptr);
  EXPECT_EQ(e->minor(), 77u);
  EXPECT_EQ(e->completed(), CORBA::COMPLETED_YES);
}

TEST_P(RequestTest, sends_the_context_that_the_patterns_name) {
  CORBA::Context_var defaults, context;
  client->get_default_context(defaults.out());
  defaults->create_child("test", context.out());
  CORBA::Any a;
  a <<= "me";
  context->set_one_value("user", a);
  context->set_one_value("env.home", a);
  context->set_one_value("other", a);
  CORBA::ContextList_var patterns;
  client->create_context_list(patterns.out());
  patterns->add("env.*");
  patterns->add("user");
  CORBA::NVList_var list;
  client->create_list(1, list.out());
  a <<= "name";
  list->add_value("name", a, CORBA::ARG_IN);
  CORBA::Request_var r;
  object->_create_request(context.in(), "find", list.in(), nullptr, nullptr, patterns.in(), r.out(), 0);
  r->set_return_type(CORBA::_tc_string);
  r->invoke();
  ASSERT_EQ(outcome(*r.in()), "results");
  const char* text = "";
  EXPECT_TRUE(r->return_value() >>= text);
  EXPECT_STREQ(text, "name,env.home=me,user=me");
}

TEST_P(RequestTest, attributes_are_operations) {
  CORBA::Request_var r = object->_request("_set_level");
  r->add_in_arg() <<= CORBA::Double(0.5);
  r->invoke();
  EXPECT_EQ(outcome(*r.in()), "results");
  r = object->_request("_get_level");
  r->set_return_type(CORBA::_tc_double);
  r->invoke();
  EXPECT_EQ(value<CORBA::Double>(r->return_value()), 0.5);
}

TEST_P(RequestTest, oneways_are_sent) {
  const CORBA::Request_var r = object->_request("tell");
  r->add_in_arg() <<= CORBA::Short(7);
  auto told = servant->told.get_future();
  r->send_oneway();
  EXPECT_EQ(outcome(*r.in()), "results");
  EXPECT_EQ(told.get(), 7);
}

TEST_P(RequestTest, is_made_once) {
  const CORBA::Request_var r = add(1, 1);
  r->invoke();
  const auto minor = [](auto act) -> CORBA::ULong {
    try {
      act();
    } catch (const CORBA::BAD_INV_ORDER& e) {
      return e.minor() & 0xfff;
    }
    return 0;
  };
  EXPECT_EQ(minor([&] { r->invoke(); }), 5u);
  EXPECT_EQ(minor([&] { r->send_deferred(); }), 10u);
  EXPECT_EQ(minor([&] { r->get_response(); }), 13u);
  EXPECT_EQ(minor([&] { (void)add(1, 1)->poll_response(); }), 11u);
}

TEST_P(RequestTest, what_has_no_type_is_refused) {
  const CORBA::Request_var r = object->_request("add");
  r->add_in_arg();
  EXPECT_THROW(r->invoke(), CORBA::BAD_TYPECODE);
  EXPECT_THROW((void)object->_request(""), CORBA::BAD_PARAM);
  EXPECT_THROW(r->exceptions()->add(CORBA::_tc_long), CORBA::BAD_TYPECODE);
  EXPECT_THROW(r->exceptions()->add(nullptr), CORBA::BAD_PARAM);
}

TEST_P(RequestTest, results_of_other_types_than_were_sent_are_MARSHAL) {
  const CORBA::Request_var r = add(1, 2);
  r->set_return_type(CORBA::_tc_string);
  r->invoke();
  EXPECT_EQ(outcome(*r.in()), "IDL:omg.org/CORBA/MARSHAL:1.0");
}

TEST_P(RequestTest, numbers_that_the_reply_does_not_have_are_MARSHAL) {
  const CORBA::Request_var r = add(1, 2);
  r->set_return_type(CORBA::_tc_longlong);
  r->invoke();
  EXPECT_EQ(outcome(*r.in()), "IDL:omg.org/CORBA/MARSHAL:1.0");
  EXPECT_EQ(CORBA::TypeCode_var(r->return_value().type())->kind(), CORBA::tk_null);
}

// They lie in the memory of the request.
TEST_P(RequestTest, parts_of_a_request_that_is_gone_can_be_used) {
  CORBA::Request_var r = object->_request("add");
  for (int i = 0; i < 6; ++i) r->add_in_arg("number") <<= CORBA::Long(i);
  r->set_return_type(CORBA::_tc_string);
  r->invoke();
  ASSERT_NE(r->env()->exception(), nullptr);
  const CORBA::Environment_var environment = CORBA::Environment::_duplicate(r->env());
  const CORBA::NamedValue_var result = CORBA::NamedValue::_duplicate(r->result());
  CORBA::NVList_var list = CORBA::NVList::_duplicate(r->arguments());
  r = CORBA::Request::_nil();
  EXPECT_STREQ(environment->exception()->_rep_id(), "IDL:omg.org/CORBA/MARSHAL:1.0");
  *result->value() <<= CORBA::Long(7);
  EXPECT_EQ(value<CORBA::Long>(*result->value()), 7);
  const CORBA::NamedValue_var near = CORBA::NamedValue::_duplicate(list->item(2)),
                              far = CORBA::NamedValue::_duplicate(list->item(5));
  list->remove(2);
  EXPECT_EQ(list->count(), 5u);
  EXPECT_EQ(value<CORBA::Long>(*list->item(2)->value()), 3);
  list = CORBA::NVList::_nil();
  EXPECT_EQ(value<CORBA::Long>(*near->value()), 2);
  EXPECT_EQ(value<CORBA::Long>(*far->value()), 5);
  EXPECT_STREQ(near->name(), "number");
}

// Nothing of a TypeCode is remembered but by the TypeCode itself: the next one may lie where that one lay.
TEST_P(RequestTest, types_may_be_made_for_a_call_and_be_gone_after_it) {
  for (int i = 0; i < 50; ++i) {
    const bool number = i % 2 == 0;
    const CORBA::TypeCode_var alias =
        client->create_alias_tc("IDL:Made:1.0", "Made", number ? CORBA::_tc_long : CORBA::_tc_string);
    CORBA::Request_var r = add(i, 1);
    if (number) r->arguments()->item(0)->value()->replace(alias.in(), nullptr);
    r->set_return_type(alias.in());
    r->invoke();
    const CORBA::TypeCode_var came = r->return_value().type();
    if (!number) {
      EXPECT_EQ(outcome(*r.in()), "IDL:omg.org/CORBA/MARSHAL:1.0");
      continue;
    }
    ASSERT_EQ(outcome(*r.in()), "results");
    EXPECT_TRUE(came->equal(alias.in()));
    EXPECT_EQ(value<CORBA::Long>(r->return_value()), 1);
  }
}

TEST_P(RequestTest, requests_may_share_a_list_whose_arguments_change) {
  CORBA::NVList_var list;
  client->create_list(2, list.out());
  for (int i = 0; i < 2; ++i) list->add(CORBA::ARG_IN);
  const auto made = [&](const char* operation, CORBA::TypeCode_ptr type) {
    CORBA::Request_var r;
    object->_create_request(nullptr, operation, list.in(), nullptr, r.out(), 0);
    r->set_return_type(type);
    r->invoke();
    EXPECT_EQ(outcome(*r.in()), "results");
    return CORBA::Any(r->return_value());
  };
  for (CORBA::Long i = 1; i <= 3; ++i) {
    for (CORBA::ULong k = 0; k < 2; ++k) *list->item(k)->value() <<= CORBA::Long(10 * i);
    EXPECT_EQ(value<CORBA::Long>(made("add", CORBA::_tc_long)), 20 * i);
  }
  list->remove(1);
  *list->item(0)->value() <<= CORBA::Double(1.5);
  (void)made("_set_level", CORBA::_tc_void);
  list->remove(0);
  EXPECT_EQ(value<CORBA::Double>(made("_get_level", CORBA::_tc_double)), 1.5);
}

// The test fills the process's table of names.
TEST(Requests, names_of_operations_are_kept_up_to_a_bound) {
  const auto name = [](int i) { return "an_operation_with_a_long_name_" + std::to_string(i) + "_in_the_middle"; };
  std::vector<std::set<const OperationName*>> found(4);
  std::vector<std::thread> threads;
  for (auto& of_thread : found)
    threads.emplace_back([&] {
      for (int i = 0; i < 3000; ++i) of_thread.insert(OperationName::find(name(i)));
    });
  for (auto& t : threads) t.join();
  for (const auto& of_thread : found) EXPECT_EQ(of_thread, found[0]);
  EXPECT_GT(found[0].size(), 900u);
  EXPECT_LE(found[0].size(), 1024u + 1);
  EXPECT_EQ(found[0].count(nullptr), 1u);
  for (const auto* const known : found[0]) EXPECT_TRUE(!known || OperationName::find(known->text) == known);
}

// A bridge has the names of operations from its peers.
TEST(Requests, long_names_of_operations_are_not_kept) {
  const CORBA::ORB_var orb = make_orb({});
  const CORBA::Object_var nowhere = orb->string_to_object("corbaloc::127.0.0.1:1/nowhere");
  const auto ask = [&](char c) {
    const CORBA::Request_var r = nowhere->_request(std::string(1u << 20, c).c_str());
    r->invoke();
    EXPECT_NE(r->env()->exception(), nullptr);
  };
  ask('a');
  const auto held = [] {
    const struct mallinfo2 all = ::mallinfo2();
    return all.uordblks + all.hblkhd;
  };
  const std::size_t before = held();
  for (char c = 'b'; c <= 'q'; ++c) ask(c);
  EXPECT_LT(held(), before + (4u << 20));
  orb->destroy();
}

TEST(Lists, take_and_give_back_their_items) {
  const CORBA::ORB_var orb = make_orb({});
  CORBA::ExceptionList_var exceptions;
  orb->create_exception_list(exceptions.out());
  exceptions->add(Dyn::_tc_Broken);
  exceptions->add_consume(CORBA::TypeCode::_duplicate(Dyn::_tc_Late));
  exceptions->remove(0);
  ASSERT_EQ(exceptions->count(), 1u);
  EXPECT_TRUE(exceptions->item(0)->equal(Dyn::_tc_Late));
  EXPECT_THROW(exceptions->remove(1), CORBA::Bounds);
  EXPECT_THROW((void)exceptions->item(1), CORBA::Bounds);
  CORBA::ContextList_var contexts;
  orb->create_context_list(contexts.out());
  contexts->add("a");
  contexts->add_consume(CORBA::string_dup("b"));
  contexts->remove(0);
  ASSERT_EQ(contexts->count(), 1u);
  EXPECT_STREQ(contexts->item(0), "b");
  EXPECT_THROW((void)contexts->item(1), CORBA::Bounds);
  CORBA::Environment_var environment;
  orb->create_environment(environment.out());
  EXPECT_EQ(environment->exception(), nullptr);
  environment->exception(new CORBA::TRANSIENT);
  EXPECT_NE(environment->exception(), nullptr);
  environment->clear();
  EXPECT_EQ(environment->exception(), nullptr);
  CORBA::NVList_var list;
  EXPECT_THROW(orb->create_operation_list(nullptr, list.out()), CORBA::NO_IMPLEMENT);
  orb->destroy();
}

INSTANTIATE_TEST_SUITE_P(
    Ways, RequestTest,
    ::testing::Values(Way{"giop_1_2", false, {"-ORBEndpoint", kTcp}, {}},
                      Way{"giop_1_1", false, {"-ORBEndpoint", kTcp, "-ORBGIOPVersion", "1.1"}, {}},
                      Way{"giop_1_0", false, {"-ORBEndpoint", kTcp, "-ORBGIOPVersion", "1.0"}, {}},
                      Way{"shared", false, {"-ORBEndpoint", kTcp}, {"-ORBClientConnections", "shared"}},
                      Way{"collocated", true, {"-ORBEndpoint", kTcp}, {}},
                      Way{"collocated_by_message", true, {"-ORBEndpoint", kTcp, "-ORBCollocation", "marshaled"}, {}}),
    [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace callis::dynamic::testing
