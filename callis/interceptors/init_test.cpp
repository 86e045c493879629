// SPDX-License-Identifier: Apache-2.0
// ORBInitializer, ORBInitInfo and PortableInterceptor::Current (CORBA 3.0.3, 21.4 and 21.7).
#include <callis/interceptors/testing/recorder.h>
#include <thread>

namespace callis::interceptors::testing {
namespace {

using OrbPtr = orb::Counted<orb::Core>;
using Do = std::function<void(PI::ORBInitInfo_ptr)>;

// An ORB made with these; destroyed with it.
struct Made {
  OrbPtr core;
  explicit Made(Do pre_init, Do post_init = {}, std::vector<std::string> options = {})
      : core(OrbPtr::adopt(make_orb({std::move(pre_init), std::move(post_init)}, std::move(options)))) {}
  ~Made() { core->destroy(); }
  PI::Current_ptr current() const {
    const CORBA::Object_var o = core->resolve_initial_references("PICurrent");
    return PI::Current::_narrow(o.in());
  }
};

CORBA::ORB_ptr orb_with_id(const char* id) {
  char* argv[] = {nullptr};
  int argc = 0;
  return CORBA::ORB_init(argc, argv, id);
}

TEST(OrbInitializer, is_called_before_and_after_the_ORB_is_there) {
  Log log;
  const Made made([&](PI::ORBInitInfo_ptr) { log.push_back("pre_init"); },
                  [&](PI::ORBInitInfo_ptr) { log.push_back("post_init"); });
  EXPECT_EQ(log, (Log{"pre_init", "post_init"}));
  const CORBA::String_var id = made.core->id();
  const CORBA::ORB_var again = orb_with_id(id.in());
  EXPECT_EQ(again.in(), made.core.get());
  EXPECT_EQ(log.size(), 2u) << "once an ORB";
}

TEST(OrbInitializer, that_throws_ends_ORB_init) {
  for (const bool before : {true, false}) {
    const Do fail = [](PI::ORBInitInfo_ptr) { throw CORBA::NO_PERMISSION(9); };
    EXPECT_EQ(caught<CORBA::NO_PERMISSION>([&] { before ? Made(fail) : Made({}, fail); }).minor(), 9u);
  }
  const Made next({});
}

TEST(OrbInitializer, may_make_another_ORB) {
  std::unique_ptr<Made> inner;
  const Made outer([&](PI::ORBInitInfo_ptr) {
    if (!inner) inner = std::make_unique<Made>(Do{});
  });
  EXPECT_NE(inner->core.get(), outer.core.get());
}

TEST(OrbInitializer, holds_up_other_threads_that_ask_for_the_ORB) {
  std::thread other;
  std::atomic<bool> over{false}, asked{false};
  {
    const Made made({}, [&](PI::ORBInitInfo_ptr info) {
      other = std::thread([&, id = CORBA::String_var(info->orb_id())] {
        asked = true;
        const CORBA::ORB_var same = orb_with_id(id.in());
        EXPECT_TRUE(over.load());
      });
      while (!asked) std::this_thread::yield();
      over = true;
    });
    other.join();
  }
}

TEST(OrbInitInfo, tells_id_and_arguments) {
  const Made made([](PI::ORBInitInfo_ptr info) {
    const CORBA::String_var id = info->orb_id();
    EXPECT_EQ(std::string(id.in()).substr(0, 11), "intercepted");
    const CORBA::StringSeq_var arguments = info->arguments();
    ASSERT_EQ(arguments->length(), 2u);
    EXPECT_STREQ(arguments.in()[1], "--mine");
    const IOP::CodecFactory_var factory = info->codec_factory();
    const IOP::Codec_var codec = factory->create_codec({IOP::ENCODING_CDR_ENCAPS, 1, 2});
    EXPECT_FALSE(CORBA::is_nil(codec.in()));
  }, {}, {"--mine"});
}

TEST(OrbInitInfo, registers_and_resolves_initial_references) {
  const Made made(
      [](PI::ORBInitInfo_ptr info) {
        const CORBA::Object_var codecs = info->codec_factory();
        info->register_initial_reference("Mine", codecs.in());
        EXPECT_THROW(info->register_initial_reference("Mine", codecs.in()), PI::ORBInitInfo::InvalidName);
        EXPECT_THROW(info->register_initial_reference("", codecs.in()), PI::ORBInitInfo::InvalidName);
        EXPECT_EQ(caught<CORBA::BAD_PARAM>([&] { info->register_initial_reference("Nil", nullptr); }).minor(),
                  orb::omg(27));
        EXPECT_EQ(caught<CORBA::BAD_INV_ORDER>([&] { info->resolve_initial_references("Mine"); }).minor(),
                  orb::omg(14));
      },
      [](PI::ORBInitInfo_ptr info) {
        const CORBA::Object_var mine = info->resolve_initial_references("Mine");
        EXPECT_FALSE(CORBA::is_nil(mine.in()));
        EXPECT_THROW(info->resolve_initial_references("Yours"), PI::ORBInitInfo::InvalidName);
      });
  const CORBA::Object_var mine = made.core->resolve_initial_references("Mine");
}

TEST(OrbInitInfo, takes_a_name_once_but_interceptors_without_name_as_often_as_they_come) {
  Log log;
  const Made made([&](PI::ORBInitInfo_ptr info) {
    const PI::ClientRequestInterceptor_var a = new ClientRecorder("A", log), b = new ClientRecorder("A", log),
                                           none = new ClientRecorder("", log);
    info->add_client_request_interceptor(a.in());
    try {
      info->add_client_request_interceptor(b.in());
      ADD_FAILURE();
    } catch (const PI::ORBInitInfo::DuplicateName& e) {
      EXPECT_STREQ(e.name.in(), "A");
    }
    info->add_client_request_interceptor(none.in());
    info->add_client_request_interceptor(none.in());
    EXPECT_THROW(info->add_client_request_interceptor(nullptr), CORBA::BAD_PARAM);
  });
}

TEST(OrbInitInfo, does_not_exist_after_ORB_init) {
  PI::ORBInitInfo_var kept;
  const Made made([&](PI::ORBInitInfo_ptr info) { kept = PI::ORBInitInfo::_duplicate(info); });
  EXPECT_THROW(kept->orb_id(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(kept->allocate_slot_id(), CORBA::OBJECT_NOT_EXIST);
}

struct Number final : CORBA::Policy, CORBA::LocalObject {
  Number(CORBA::PolicyType t, CORBA::ULong v) : type(t), value(v) {}
  CORBA::PolicyType policy_type() override { return type; }
  CORBA::Policy_ptr copy() override { return new Number(type, value); }
  void destroy() override {}
  const CORBA::PolicyType type;
  const CORBA::ULong value;
};
struct NumberFactory final : PI::PolicyFactory {
  CORBA::Policy_ptr create_policy(CORBA::PolicyType type, const CORBA::Any& value) override {
    CORBA::ULong v = 0;
    if (!(value >>= v)) throw CORBA::PolicyError(CORBA::BAD_POLICY_TYPE);
    return new Number(type, v);
  }
};

TEST(OrbInitInfo, lets_create_policy_know_factories) {
  const Made made([](PI::ORBInitInfo_ptr info) {
    const PI::PolicyFactory_var factory = new NumberFactory;
    info->register_policy_factory(4711, factory.in());
    EXPECT_EQ(caught<CORBA::BAD_INV_ORDER>([&] { info->register_policy_factory(4711, factory.in()); }).minor(),
              orb::omg(16));
  });
  const Made without({});
  const CORBA::Policy_var policy = made.core->create_policy(4711, any_of(5));
  EXPECT_EQ(dynamic_cast<Number&>(*policy.in()).value, 5u);
  EXPECT_THROW(made.core->create_policy(4711, CORBA::Any()), CORBA::PolicyError);
  EXPECT_THROW(made.core->create_policy(4712, any_of(5)), CORBA::PolicyError);
  EXPECT_THROW(without.core->create_policy(4711, any_of(5)), CORBA::PolicyError) << "of one ORB";
}

TEST(OrbInitInfo, leaves_calls_as_usual_where_no_interceptor_is_registered) {
  Log log;
  const Made none([](PI::ORBInitInfo_ptr info) { info->allocate_slot_id(); });
  EXPECT_TRUE(none.core->calls_are_plain());
  const Made one([&](PI::ORBInitInfo_ptr info) {
    const PI::ClientRequestInterceptor_var a = new ClientRecorder("A", log);
    info->add_client_request_interceptor(a.in());
  });
  EXPECT_FALSE(one.core->calls_are_plain());
}

// --- slots ---

// An ORB with two slots and an interceptor.
struct PICurrentTest : ::testing::Test {
  Log log;
  PI::ClientRequestInterceptor_var counted = new ClientRecorder("A", log);
  ClientRecorder& a = dynamic_cast<ClientRecorder&>(*counted.in());
  std::vector<PI::SlotId> ids;
  Made made{[this](PI::ORBInitInfo_ptr info) {
    info->add_client_request_interceptor(counted.in());
    ids = {info->allocate_slot_id(), info->allocate_slot_id()};
  }};
  PI::Current_var current = made.current();
  Script script = [](Turn& t) { return t.echo(); };
  ScriptedPeer peer{"interceptors_current", [this](Turn& t) { return script(t); }};
  CORBA::Object_var object = peer.object(*made.core);
};

TEST_F(PICurrentTest, has_the_slots_that_were_allocated) {
  EXPECT_NE(ids[0], ids[1]);
  const CORBA::Any_var empty = current->get_slot(ids[0]);
  EXPECT_EQ(CORBA::TypeCode_var(empty->type())->kind(), CORBA::tk_null);
  current->set_slot(ids[0], any_of(1));
  current->set_slot(ids[1], any_of(2));
  EXPECT_EQ(number(current->get_slot(ids[0])), 1u);
  EXPECT_EQ(number(current->get_slot(ids[1])), 2u);
  EXPECT_THROW(current->get_slot(2), PI::InvalidSlot);
  EXPECT_THROW(current->set_slot(2, any_of(1)), PI::InvalidSlot);
}

TEST_F(PICurrentTest, has_slots_of_each_thread_and_each_ORB) {
  const Made other([](PI::ORBInitInfo_ptr info) { info->allocate_slot_id(); });
  current->set_slot(ids[0], any_of(1));
  const PI::Current_var of_other = other.current();
  EXPECT_EQ(number(of_other->get_slot(0)), 0u);
  of_other->set_slot(0, any_of(3));
  EXPECT_EQ(number(current->get_slot(ids[0])), 1u);
  std::thread([&] { EXPECT_EQ(number(current->get_slot(ids[0])), 0u); }).join();
}

TEST_F(PICurrentTest, of_an_ORB_without_slots_has_none) {
  const Made none({});
  const PI::Current_var nothing = none.current();
  EXPECT_THROW(nothing->get_slot(0), PI::InvalidSlot);
  EXPECT_THROW(nothing->set_slot(0, any_of(1)), PI::InvalidSlot);
}

TEST_F(PICurrentTest, cannot_be_used_by_initializers) {
  const Made early({}, [](PI::ORBInitInfo_ptr info) {
    const PI::SlotId id = info->allocate_slot_id();
    const CORBA::Object_var o = info->resolve_initial_references("PICurrent");
    const PI::Current_var c = PI::Current::_narrow(o.in());
    EXPECT_EQ(caught<CORBA::BAD_INV_ORDER>([&] { c->get_slot(id); }).minor(), orb::omg(14));
    EXPECT_EQ(caught<CORBA::BAD_INV_ORDER>([&] { c->set_slot(id, any_of(1)); }).minor(), orb::omg(14));
  });
}

TEST_F(PICurrentTest, has_no_more_than_so_many_slots) {
  const Made many([](PI::ORBInitInfo_ptr info) {
    for (std::uint32_t i = 0; i < SlotSpace::kMostSlots; ++i) info->allocate_slot_id();
    EXPECT_EQ(caught<CORBA::IMP_LIMIT>([&] { info->allocate_slot_id(); }).minor(), orb::kVmcid | 0xb0);
  });
}

TEST_F(PICurrentTest, is_copied_to_the_request_when_it_begins) {
  current->set_slot(ids[0], any_of(7));
  int points = 0;
  const ClientRecorder::Act look = [&](PI::ClientRequestInfo_ptr ri) {
    ++points;
    EXPECT_EQ(number(ri->get_slot(ids[0])), 7u);
    EXPECT_EQ(number(ri->get_slot(ids[1])), 0u);
    EXPECT_THROW(ri->get_slot(2), PI::InvalidSlot);
  };
  a.at = {{"send_request", look}, {"receive_reply", look}, {"receive_other", look}};
  script = [this](Turn& t) { return t.request == 1 ? t.forward(peer.ior()) : t.echo(); };
  echo(object.in(), 1);
  EXPECT_EQ(points, 4) << "also to the request that follows a forward";
}

TEST_F(PICurrentTest, of_interceptors_is_not_that_of_the_client) {
  current->set_slot(ids[0], any_of(7));
  a.at["send_request"] = [&](PI::ClientRequestInfo_ptr) {
    EXPECT_EQ(number(current->get_slot(ids[0])), 0u);
    current->set_slot(ids[0], any_of(8));
  };
  a.at["receive_reply"] = [&](PI::ClientRequestInfo_ptr ri) {
    EXPECT_EQ(number(current->get_slot(ids[0])), 8u) << "theirs, until the request is over";
    EXPECT_EQ(number(ri->get_slot(ids[0])), 7u);
  };
  echo(object.in(), 1);
  EXPECT_EQ(number(current->get_slot(ids[0])), 7u);
  EXPECT_EQ(log.back(), "A.receive_reply");
}

TEST_F(PICurrentTest, tells_interceptors_that_a_call_is_their_own) {
  a.at["send_request"] = [&](PI::ClientRequestInfo_ptr ri) {
    if (number(ri->get_slot(ids[1])) != 0) return;
    current->set_slot(ids[1], any_of(1));
    EXPECT_EQ(echo(object.in(), 5), 5u);
  };
  EXPECT_EQ(echo(object.in(), 6), 6u);
  EXPECT_EQ(peer.requests(), 2);
}

}  // namespace
}  // namespace callis::interceptors::testing
