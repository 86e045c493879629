// SPDX-License-Identifier: Apache-2.0
// Namespaces omniORB, omniPolicy and omniURI over callis.
#include <gtest/gtest.h>
#include <callis/base/log.h>

#include <clock.hh>
#include <omniORB4/CORBA.h>
#include <omniORB4/Naming.hh>
#include <string>
#include <vector>

namespace {

#ifndef HAVE_STD
#error "CORBA_sysdep.h defines it"
#endif

TEST(OmniOrb, trace_level_is_the_level_of_the_log) {
  const callis::LogLevel before = callis::log_level();
  omniORB::traceLevel = 0;
  EXPECT_EQ(callis::log_level(), callis::LogLevel::Error);
  EXPECT_FALSE(omniORB::traceInvocations);
  omniORB::traceInvocations = true;
  EXPECT_EQ(omniORB::traceLevel, 10u);
  EXPECT_TRUE(omniORB::trace(10) && !omniORB::trace(25));
  callis::set_log_level(before);
}

std::vector<std::string>& lines() {
  static std::vector<std::string> all;
  return all;
}
void keep(const char* line) { lines().push_back(line); }

TEST(OmniOrb, the_log_function_gets_whole_lines) {
  const callis::LogLevel before = callis::log_level();
  omniORB::setLogFunction(&keep);
  omniORB::traceLevel = 1;
  omniORB::logs(1, "first");
  omniORB::logf(1, "number %d", 2);
  omniORB::logf(25, "no such line");
  omniORB::setLogFunction(nullptr);
  callis::set_log_level(before);
  EXPECT_EQ(lines(), (std::vector<std::string>{"first\n", "number 2\n"}));
}

CORBA::ORB_var make_orb() {
  int argc = 1;
  char name[] = "test";
  char* argv[] = {name, nullptr};
  return CORBA::ORB_init(argc, argv);
}

TimeBase::TimeT roundtrip_of(CORBA::ORB_ptr orb) {
  const CORBA::Object_var o = orb->resolve_initial_references("ORBPolicyManager");
  const CORBA::PolicyManager_var manager = CORBA::PolicyManager::_narrow(o.in());
  CORBA::PolicyTypeSeq types(1);
  types.length(1);
  types[0] = Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE;
  const CORBA::PolicyList_var set = manager->get_policy_overrides(types);
  if (set->length() == 0) return ~TimeBase::TimeT{0};
  return Messaging::RelativeRoundtripTimeoutPolicy_var(
             Messaging::RelativeRoundtripTimeoutPolicy::_narrow(set[0]))->relative_expiry();
}

TEST(OmniOrb, a_call_timeout_is_for_the_orb_there_is_and_for_later_ones) {
  const CORBA::ORB_var first = make_orb();
  omniORB::setClientCallTimeout(250);
  EXPECT_EQ(roundtrip_of(first.in()), 2'500'000u);
  first->destroy();
  const CORBA::ORB_var second = make_orb();
  EXPECT_EQ(roundtrip_of(second.in()), 2'500'000u);
  omniORB::setClientCallTimeout(0);
  EXPECT_EQ(roundtrip_of(second.in()), 0u);
  omniORB::setClientConnectTimeout(100);
  second->destroy();
}

TEST(OmniOrb, a_reference_and_a_thread_have_timeouts) {
  const CORBA::ORB_var orb = make_orb();
  CORBA::Object_var object = orb->string_to_object("corbaloc::127.0.0.1:1/nothing");
  omniORB::setClientCallTimeout(object, 20);
  const CORBA::Policy_var policy = object->_get_policy(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE);
  const Messaging::RelativeRoundtripTimeoutPolicy_var limit =
      Messaging::RelativeRoundtripTimeoutPolicy::_narrow(policy.in());
  EXPECT_EQ(limit->relative_expiry(), 200'000u);
  CORBA::Object_var nil;
  omniORB::setClientCallTimeout(nil, 20);
  EXPECT_TRUE(CORBA::is_nil(nil));
  omniORB::setClientThreadCallTimeout(30);
  omniORB::setClientThreadCallTimeout(0);
  orb->destroy();
}

TEST(OmniOrb, a_deadline_of_the_thread_is_a_moment_for_all_its_calls) {
  const CORBA::ORB_var orb = make_orb();
  const CORBA::Object_var object = orb->string_to_object("corbaloc::127.0.0.1:1/nothing");
  omniORB::setClientThreadCallDeadline(1, 0);  // in 1970
  for (int i = 0; i < 2; ++i) EXPECT_THROW(object->_non_existent(), CORBA::TIMEOUT);
  unsigned long s = 0, ns = 0;
  omni_thread::get_time(&s, &ns, 3'600);
  omniORB::setClientThreadCallDeadline(s, ns);
  EXPECT_THROW(object->_non_existent(), CORBA::TRANSIENT) << "nobody listens there";
  omniORB::setClientThreadCallDeadline(1, 0);
  omniORB::setClientThreadCallDeadline(0, 0);
  EXPECT_THROW(object->_non_existent(), CORBA::TRANSIENT);
  orb->destroy();
}

void drop(callis::LogLevel, std::string_view text, void* lines) {
  static_cast<std::vector<std::string>*>(lines)->emplace_back(text);
}

TEST(OmniOptions, each_is_taken_or_named_with_what_became_of_it) {
  std::vector<std::string> said;
  const callis::LogLevel before = callis::log_level();
  callis::set_log_level(callis::LogLevel::Warning);
  callis::set_log_sink(&drop, &said);
  std::string words[] = {"test", "-ORBoneCallPerConnection", "0", "-ORBserverTransportRule", "* tcp", "own"};
  char* argv[7] = {};
  for (int i = 0; i < 6; ++i) argv[i] = words[i].data();
  int argc = 6;
  const char* options[][2] = {{"maxServerThreadPoolSize", "20"}, {"inConScanPeriod", "60"}, {nullptr, nullptr}};
  const CORBA::ORB_var orb = CORBA::ORB_init(argc, argv, "", options);
  callis::set_log_sink(nullptr, nullptr);
  callis::set_log_level(before);
  orb->destroy();
  ASSERT_EQ(argc, 2);
  EXPECT_STREQ(argv[1], "own");
  EXPECT_EQ(argv[2], nullptr);
  EXPECT_EQ(said, (std::vector<std::string>{
                      "-ORBserverTransportRule * tcp is ignored: no peer is kept away by a rule here, which weakens "
                      "what the rule was for; use the firewall, and -ORBMaxConnectionsPerPeer"}));
}

TEST(OmniOptions, an_option_of_nobody_is_refused) {
  std::string words[] = {"test", "-ORBoneCallPerConnexion", "0"};
  char* argv[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  int argc = 3;
  EXPECT_THROW(CORBA::ORB_var(CORBA::ORB_init(argc, argv)), CORBA::BAD_PARAM);
}

TEST(OmniPolicy, the_local_shortcut_is_direct_collocation) {
  const CORBA::Policy_var policy = omniPolicy::create_local_shortcut_policy(omniPolicy::LOCAL_CALLS_SHORTCUT);
  EXPECT_EQ(policy->policy_type(), omniPolicy::LOCAL_SHORTCUT_POLICY_TYPE);
  EXPECT_EQ(dynamic_cast<callis::poa::CollocationPolicy&>(*policy).value(), callis::poa::Collocation::Direct);
}

class ClockServant : public POA_Clock {
 public:
  CORBA::Long now() override { return 7; }
  CosNaming::Name* place() override { return omniURI::stringToName("tower/clock"); }
};

std::string text_of(const PortableServer::ObjectId& id) {
  return {reinterpret_cast<const char*>(id.get_buffer()), id.length()};
}

TEST(OmniThis, is_the_object_of_the_only_adapter_with_the_servant) {
  const CORBA::ORB_var orb = make_orb();
  const CORBA::Object_var o = orb->resolve_initial_references("RootPOA");
  const PortableServer::POA_var root = PortableServer::POA::_narrow(o.in());
  const PortableServer::POA_var child = root->create_POA("child", nullptr, CORBA::PolicyList());
  PortableServer::Servant_var<ClockServant> servant = new ClockServant;
  const PortableServer::ObjectId_var id = child->activate_object(servant);
  std::vector<std::string> said;
  callis::set_log_sink(&drop, &said);
  const Clock_var clock = servant->_this();
  const Clock_var again = servant->_this();
  callis::set_log_sink(nullptr, nullptr);
  EXPECT_EQ(text_of(PortableServer::ObjectId_var(child->reference_to_id(clock.in())).in()), text_of(id.in()));
  ASSERT_EQ(said.size(), 1u) << "once";
  EXPECT_NE(said[0].find("\"child\""), std::string::npos) << said[0];

  PortableServer::Servant_var<ClockServant> fresh = new ClockServant;
  const Clock_var in_root = fresh->_this();
  EXPECT_NO_THROW(PortableServer::ObjectId_var(root->reference_to_id(in_root.in())));
  // In two adapters: what _default_POA() says.
  PortableServer::ObjectId_var(child->activate_object(fresh));
  const Clock_var of_two = fresh->_this();
  EXPECT_NO_THROW(PortableServer::ObjectId_var(root->reference_to_id(of_two.in())));
  orb->destroy();
}

TEST(OmniUri, names_as_text_and_back) {
  for (const char* const text : {"a", "a.k/b", ".k", ".", R"(a\/b\.c\\.k)", "a/./b"}) {
    const CosNaming::Name_var name = omniURI::stringToName(text);
    EXPECT_EQ(CORBA::String_var(omni::omniURI::nameToString(name.in())).in(), std::string(text));
  }
  for (const char* const text : {"", "/", "a/", "a.", "a.b.c", "a\\", "a\\b"})
    EXPECT_THROW(omniURI::stringToName(text), CosNaming::NamingContext::InvalidName) << text;
  EXPECT_THROW(omniURI::nameToString(CosNaming::Name()), CosNaming::NamingContext::InvalidName);
}

}  // namespace
