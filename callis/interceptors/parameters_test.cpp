// SPDX-License-Identifier: Apache-2.0
// arguments, exceptions, contexts, operation_context and result (CORBA 3.0.3, 21.3.12), on both sides of real calls.
#include <callis/interceptors/testing/recorder.h>
#include <callis/portable_server.h>
#include "compiled_skel.h"
#include "parameters_skel.h"

namespace callis::interceptors::testing {
namespace {

struct Servant final : POA_Told::Work {
  Told::Points* run(Told::Color, Told::Points& all, CORBA::Long_out count, Told::Work_ptr other, const CORBA::Any&,
                    const char* brief) override {
    if (std::string_view(brief) == "throw") throw Told::Broken("so", Told::Point{7, CORBA::string_dup("there")});
    count = static_cast<CORBA::Long>(all.length());
    EXPECT_FALSE(CORBA::is_nil(other));
    auto* const result = new Told::Points(all);
    all.length(1);
    all[0u].label = CORBA::string_dup("changed");
    return result;
  }
  Told::Row_slice* turn(const Told::Row by, Told::Row twice, Told::Shape& form, CORBA::String_out text, Told::Note*,
                        CORBA::WString_out wide) override {
    for (int i = 0; i < 3; ++i) twice[i] = static_cast<CORBA::Short>(2 * by[i]);
    form.text(CORBA::string_dup("round"));
    form._d(Told::blue);
    text = CORBA::string_dup("out");
    wide = CORBA::wstring_dup(L"w\u00fc");
    return Told::Row_dup(by);
  }
  char* find(const char* name, CORBA::Context_ptr) override { return null_ ? nullptr : CORBA::string_dup(name); }
  void tell(CORBA::Short, const char*) override {}
  CORBA::Double level() override { return 2.5; }
  void level(CORBA::Double) override {}
  void nothing() override {}
  bool null_ = false;
};
struct CompiledServant final : POA_Untold::Work {
  CORBA::Long twice(CORBA::Long n) override { return 2 * n; }
};

template <class T>
T from(const CORBA::Any& any) {
  T value{};
  EXPECT_TRUE(any >>= value);
  return value;
}
std::string text_in(const CORBA::Any& any) {
  const char* s = "";
  EXPECT_TRUE(any >>= s);
  return s ? s : "";
}

struct Parameters : ::testing::Test {
  Log log;
  PI::ClientRequestInterceptor_var counted_client = new ClientRecorder("C", log);
  PI::ServerRequestInterceptor_var counted_server = new ServerRecorder("S", log);
  ClientRecorder& c = dynamic_cast<ClientRecorder&>(*counted_client.in());
  ServerRecorder& s = dynamic_cast<ServerRecorder&>(*counted_server.in());
  orb::Counted<orb::Core> core = orb::Counted<orb::Core>::adopt(make_orb(
      {[this](PI::ORBInitInfo_ptr info) {
        info->add_server_request_interceptor(counted_server.in());
        info->allocate_slot_id();
      }, {}},
      {"-ORBEndpoint", "memory:interceptors_parameters" + std::to_string(++number)}));
  orb::Counted<orb::Core> client = orb::Counted<orb::Core>::adopt(make_orb(
      {[this](PI::ORBInitInfo_ptr info) {
        info->add_client_request_interceptor(counted_client.in());
        info->allocate_slot_id();
      }, {}}));
  PortableServer::Servant_var<Servant> servant{new Servant};
  PortableServer::Servant_var<CompiledServant> compiled_servant{new CompiledServant};
  PortableServer::POA_var root;
  Told::Work_var work;
  Untold::Work_var compiled;
  static inline int number = 0;

  Parameters() {
    const CORBA::Object_var o = core->resolve_initial_references("RootPOA");
    root = PortableServer::POA::_narrow(o.in());
    PortableServer::POAManager_var(root->the_POAManager())->activate();
    const CORBA::Object_var w = seen_by_client(servant.in()), u = seen_by_client(compiled_servant.in());
    work = Told::Work::_unchecked_narrow(w.in());
    compiled = Untold::Work::_unchecked_narrow(u.in());
  }
  ~Parameters() override { destroy(); }
  void destroy() {
    if (std::exchange(destroyed_, true)) return;
    core->destroy();
    client->destroy();
  }
  CORBA::Object_ptr seen_by_client(PortableServer::Servant of) {
    const PortableServer::ObjectId_var id = root->activate_object(of);
    const CORBA::Object_var own = root->id_to_reference(id.in());
    return client->string_to_object(CORBA::String_var(core->object_to_string(own.in())).in());
  }
  // Both sides make the same check, on the way there and on the way back.
  using Check = std::function<void(PI::RequestInfo_ptr)>;
  void on_request(const Check& check) {
    c.at["send_request"] = [this, check](PI::ClientRequestInfo_ptr ri) { checked_by(check, ri); };
    s.at["receive_request"] = [this, check](PI::ServerRequestInfo_ptr ri) { checked_by(check, ri); };
  }
  void on_reply(const Check& check) {
    c.at["receive_reply"] = [this, check](PI::ClientRequestInfo_ptr ri) { checked_by(check, ri); };
    s.at["send_reply"] = [this, check](PI::ServerRequestInfo_ptr ri) { checked_by(check, ri); };
  }
  void checked_by(const Check& check, PI::RequestInfo_ptr ri) {
    check(ri);
    ++checks;
  }
  int checks = 0;
  bool destroyed_ = false;

  Told::Points* run(const char* brief = "brief") {
    Told::Points_var all = new Told::Points;
    all->length(2);
    all[0].x = -5;
    all[0].label = CORBA::string_dup("first");
    all[1].label = CORBA::string_dup("second");
    CORBA::Any extra;
    extra <<= CORBA::ULong{77};
    CORBA::Long count = 0;
    const Told::Points_var result = work->run(Told::green, all.inout(), count, work.in(), extra, brief);
    EXPECT_EQ(count, 2);
    EXPECT_EQ(result->length(), 2u);
    EXPECT_STREQ(all[0].label.in(), "changed");
    return all._retn();
  }
};

void check_in_arguments(const Dynamic::ParameterList& list) {
  ASSERT_EQ(list.length(), 6u);
  const CORBA::ParameterMode modes[] = {CORBA::PARAM_IN, CORBA::PARAM_INOUT, CORBA::PARAM_OUT,
                                        CORBA::PARAM_IN, CORBA::PARAM_IN, CORBA::PARAM_IN};
  for (CORBA::ULong i = 0; i < 6; ++i) EXPECT_EQ(list[i].mode, modes[i]) << i;
  EXPECT_EQ(from<Told::Color>(list[0u].argument), Told::green);
  Told::Work_ptr other = nullptr;
  EXPECT_TRUE(list[3u].argument >>= other);
  EXPECT_FALSE(CORBA::is_nil(other));
  const CORBA::Any* extra = nullptr;
  EXPECT_TRUE(list[4u].argument >>= extra);
  EXPECT_EQ(from<CORBA::ULong>(*extra), 77u);
  const char* brief = nullptr;
  EXPECT_TRUE(list[5u].argument >>= CORBA::Any::to_string(brief, 5));
  EXPECT_STREQ(brief, "brief");
}

TEST_F(Parameters, of_requests_are_those_that_go_there) {
  on_request([](PI::RequestInfo_ptr ri) {
    const Dynamic::ParameterList_var list = ri->arguments();
    check_in_arguments(list.in());
    const Told::Points* all = nullptr;
    ASSERT_TRUE(list.in()[1].argument >>= all);
    ASSERT_EQ(all->length(), 2u);
    EXPECT_EQ((*all)[0u].x, -5);
    EXPECT_STREQ((*all)[1u].label.in(), "second");
    // Table 21-1, note 1: there is an entry for what only comes back, but no value.
    EXPECT_EQ(CORBA::TypeCode_var(list.in()[2].argument.type())->kind(), CORBA::tk_null);
  });
  delete run();
  EXPECT_EQ(checks, 2);
}

TEST_F(Parameters, of_replies_are_all_of_them_and_the_result) {
  on_reply([](PI::RequestInfo_ptr ri) {
    const Dynamic::ParameterList_var list = ri->arguments();
    check_in_arguments(list.in());
    const Told::Points* all = nullptr;
    ASSERT_TRUE(list.in()[1].argument >>= all);
    ASSERT_EQ(all->length(), 1u);
    EXPECT_STREQ((*all)[0u].label.in(), "changed");
    EXPECT_EQ(from<CORBA::Long>(list.in()[2].argument), 2);
    const CORBA::Any_var result = ri->result();
    ASSERT_TRUE(result.in() >>= all);
    ASSERT_EQ(all->length(), 2u);
    EXPECT_STREQ((*all)[0u].label.in(), "first");
  });
  delete run();
  EXPECT_EQ(checks, 2);
}

TEST_F(Parameters, may_be_arrays_unions_values_and_wide_strings) {
  on_reply([](PI::RequestInfo_ptr ri) {
    const Dynamic::ParameterList_var list = ri->arguments();
    ASSERT_EQ(list->length(), 6u);
    Told::Row_forany by, twice, result;
    ASSERT_TRUE(list.in()[0].argument >>= by);
    EXPECT_EQ(by[2], 3);
    ASSERT_TRUE(list.in()[1].argument >>= twice);
    EXPECT_EQ(twice[2], 6);
    const Told::Shape* form = nullptr;
    ASSERT_TRUE(list.in()[2].argument >>= form);
    EXPECT_EQ(form->_d(), Told::blue);
    EXPECT_STREQ(form->text(), "round");
    EXPECT_EQ(text_in(list.in()[3].argument), "out");
    Told::Note* remark = nullptr;
    ASSERT_TRUE(list.in()[4].argument >>= remark);
    EXPECT_STREQ(remark->_value(), "note");
    const CORBA::WChar* wide = nullptr;
    ASSERT_TRUE(list.in()[5].argument >>= wide);
    EXPECT_STREQ(wide, L"w\u00fc");
    const CORBA::Any_var any = ri->result();
    ASSERT_TRUE(any.in() >>= result);
    EXPECT_EQ(result[0], 1);
  });
  const Told::Row by = {1, 2, 3};
  Told::Row twice;
  Told::Shape form;
  form.side(4);
  const auto remark = Told::Note_var(new Told::Note("note"));
  CORBA::String_var text;
  CORBA::WString_var wide;
  const Told::Row_var result = work->turn(by, twice, form, text.out(), remark.in(), wide.out());
  EXPECT_EQ(checks, 2);
  EXPECT_EQ(twice[1], 4);
  EXPECT_STREQ(text.in(), "out");
  EXPECT_STREQ(form.text(), "round");
}

TEST_F(Parameters, of_attributes_are_values_and_results) {
  Log seen;
  on_reply([&](PI::RequestInfo_ptr ri) {
    const CORBA::String_var operation = ri->operation();
    const Dynamic::ParameterList_var list = ri->arguments();
    const CORBA::Any_var result = ri->result();
    const CORBA::TypeCode_var type = result->type();
    std::string line = operation.in() + (" " + std::to_string(list->length()));
    if (list->length() == 1) line += " " + std::to_string(from<CORBA::Double>(list.in()[0].argument));
    if (type->kind() != CORBA::tk_void) line += " = " + std::to_string(from<CORBA::Double>(result.in()));
    seen.push_back(line);
  });
  EXPECT_EQ(work->level(), 2.5);
  work->level(1.5);
  work->nothing();
  const Log expected = {"_get_level 0 = 2.500000", "_set_level 1 1.500000", "nothing 0"};
  ASSERT_EQ(seen.size(), 6u);
  for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], expected[i / 2]);
}

TEST_F(Parameters, of_oneways_are_there_when_the_servant_is_done) {
  const auto check = [](PI::RequestInfo_ptr ri) {
    const Dynamic::ParameterList_var list = ri->arguments();
    ASSERT_EQ(list->length(), 2u);
    EXPECT_EQ(from<CORBA::Short>(list.in()[0].argument), -3);
    EXPECT_EQ(text_in(list.in()[1].argument), "so");
  };
  on_request(check);
  s.at["send_reply"] = [&](PI::ServerRequestInfo_ptr ri) {
    checked_by(check, ri);
    EXPECT_EQ(CORBA::TypeCode_var(CORBA::Any_var(ri->result())->type())->kind(), CORBA::tk_void);
  };
  work->tell(-3, "so");
  EXPECT_EQ(checks, 3);
}

TEST_F(Parameters, can_be_asked_for_again_and_again_and_kept) {
  std::vector<Dynamic::ParameterList_var> kept;
  const auto ask = [&](PI::RequestInfo_ptr ri) {
    for (int i = 0; i < 200; ++i) {
      const Dynamic::ParameterList_var list = ri->arguments();
      if (i % 100 == 0) kept.push_back(list);
    }
  };
  on_request(ask);
  on_reply(ask);
  delete run();
  ASSERT_EQ(kept.size(), 8u);
  destroy();
  for (const auto& list : kept) check_in_arguments(list.in());
}

TEST_F(Parameters, of_raises_clauses_are_type_codes) {
  const auto check = [](PI::RequestInfo_ptr ri) {
    const Dynamic::ExceptionList_var list = ri->exceptions();
    ASSERT_EQ(list->length(), 2u);
    EXPECT_TRUE(list.in()[0]->equivalent(Told::_tc_Broken));
    EXPECT_STREQ(list.in()[0]->id(), "IDL:Told/Broken:1.0");
    EXPECT_STREQ(list.in()[0]->name(), "Broken");
    EXPECT_TRUE(list.in()[1]->equivalent(Told::_tc_Late));
  };
  on_request(check);
  c.at["receive_exception"] = [&](PI::ClientRequestInfo_ptr ri) { checked_by(check, ri); };
  s.at["send_exception"] = [&](PI::ServerRequestInfo_ptr ri) { checked_by(check, ri); };
  EXPECT_THROW(run("throw"), Told::Broken);
  EXPECT_EQ(checks, 4);
}

TEST_F(Parameters, of_context_clauses_are_patterns_and_what_is_sent) {
  const auto strings = [](const CORBA::StringSeq& list) {
    Log all;
    for (CORBA::ULong i = 0; i < list.length(); ++i) all.emplace_back(list[i]);
    return all;
  };
  const auto check = [&](PI::RequestInfo_ptr ri) {
    EXPECT_EQ(strings(Dynamic::ContextList_var(ri->contexts()).in()), (Log{"user", "env.*"}));
    EXPECT_EQ(strings(Dynamic::RequestContext_var(ri->operation_context()).in()),
              (Log{"env.home", "/h", "user", "me"}));
    const Dynamic::ParameterList_var list = ri->arguments();
    ASSERT_EQ(list->length(), 1u);
    EXPECT_EQ(text_in(list.in()[0].argument), "name");
  };
  on_request(check);
  on_reply(check);
  CORBA::Context_var context;
  client->get_default_context(context.out());
  const auto set = [&](const char* name, const char* value) {
    CORBA::Any any;
    any <<= value;
    context->set_one_value(name, any);
  };
  set("user", "me");
  set("env.home", "/h");
  set("other", "x");
  EXPECT_STREQ(CORBA::String_var(work->find("name", context.in())).in(), "name");
  EXPECT_EQ(checks, 4);
  c.at.clear();
  s.at.clear();
  on_request([](PI::RequestInfo_ptr ri) {
    EXPECT_EQ(Dynamic::ContextList_var(ri->contexts())->length(), 0u);
    EXPECT_EQ(Dynamic::RequestContext_var(ri->operation_context())->length(), 0u);
  });
  work->nothing();
  EXPECT_EQ(checks, 6);
}

TEST_F(Parameters, are_all_available_by_interpreted_stubs) {
  std::map<std::string, std::string> rows;
  const auto row_at = [&rows](const char* point) {
    return [&rows, point](PI::RequestInfo_ptr ri) { rows[point] = common_row(ri).substr(2, 5); };
  };
  for (const char* point : {"send_request", "receive_reply", "receive_exception"}) c.at[point] = row_at(point);
  for (const char* point : {"receive_request", "send_reply", "send_exception"}) s.at[point] = row_at(point);
  delete run();
  EXPECT_THROW(run("throw"), Told::Broken);
  EXPECT_EQ(rows["send_request"], "yyyyn");
  EXPECT_EQ(rows["receive_reply"], "yyyyy");
  EXPECT_EQ(rows["receive_exception"], "nyyyn");
  EXPECT_EQ(rows["receive_request"], "yyyyn");
  EXPECT_EQ(rows["send_reply"], "yyyyy");
  EXPECT_EQ(rows["send_exception"], "nyynn");
}

// NO_RESOURCES, OMG minor 1: such stubs and skeletons have no tables.
TEST_F(Parameters, are_not_available_by_compiled_stubs_nor_of_operations_of_every_object) {
  const auto row_is = [](std::string expected) {
    return [expected](PI::RequestInfo_ptr ri) { EXPECT_EQ(common_row(ri).substr(2, 5), expected); };
  };
  on_request(row_is("----n"));
  on_reply(row_is("-----"));
  EXPECT_EQ(compiled->twice(4), 8);
  EXPECT_FALSE(work->_non_existent());
  EXPECT_EQ(checks, 8);
}

TEST_F(Parameters, that_cannot_be_sent_fail_as_the_call_would) {
  c.at["send_request"] = [](PI::ClientRequestInfo_ptr ri) { delete ri->arguments(); };
  const CORBA::Any none;
  Told::Points all;
  CORBA::Long count = 0;
  const auto minor_of_null = orb::own(Fault::NullPointer);
  const auto e = caught<CORBA::BAD_PARAM>([&] { delete work->run(Told::red, all, count, work.in(), none, nullptr); });
  EXPECT_EQ(e.minor(), minor_of_null);
  EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
  c.at.clear();
  std::string outcome;
  s.at["send_reply"] = [&](PI::ServerRequestInfo_ptr ri) { outcome = outcome_of([&] { delete ri->result(); }); };
  servant->null_ = true;
  EXPECT_EQ(outcome_of([&] { work->find("name", nullptr); }),
            "BAD_PARAM " + std::to_string(minor_of_null & 0xfff) + " YES");
  EXPECT_EQ(outcome, "BAD_PARAM " + std::to_string(minor_of_null & 0xfff) + " YES");
}

// Reading by an interceptor is not charged to the message. If the interceptor's reading fails, the message is still
// read.
TEST_F(Parameters, that_cannot_be_read_end_the_request) {
  s.at["receive_request"] = [this](PI::ServerRequestInfo_ptr ri) {
    EXPECT_EQ(outcome_of([&] { delete ri->arguments(); }).substr(0, 7), "MARSHAL");
    ++checks;
  };
  struct Short final : orb::CallBody {
    void encode(cdr::Encoder& to) override { to.put_ulong(99); }
    void decode(cdr::Decoder&) override {}
    std::unique_ptr<CORBA::UserException> decode_exception(std::string_view, cdr::Decoder&) override {
      return nullptr;
    }
  } body;
  const auto e = caught<CORBA::MARSHAL>([&] { orb::call(*work->_callis_reference(), {"run"}, body); });
  EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
  EXPECT_EQ(checks, 1);
}

}  // namespace
}  // namespace callis::interceptors::testing
