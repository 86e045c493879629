// SPDX-License-Identifier: Apache-2.0
// Policies of ZIOP: made, taken by adapters, and without effect; the log says so once.
#include <gtest/gtest.h>
#include <callis/base/log.h>

#include <clock.hh>
#include <omniORB4/omniZIOP.h>
#include <string>
#include <vector>

namespace {

void keep(callis::LogLevel, std::string_view text, void* lines) {
  static_cast<std::vector<std::string>*>(lines)->emplace_back(text);
}

class PlainClock : public POA_Clock {
 public:
  CORBA::Long now() override { return 7; }
  CosNaming::Name* place() override { return new CosNaming::Name; }
};

struct Ziop : ::testing::Test {
  Ziop() {
    int argc = 0;
    orb = CORBA::ORB_init(argc, nullptr, "ziop");
    const CORBA::Object_var o = orb->resolve_initial_references("RootPOA");
    root = PortableServer::POA::_narrow(o.in());
  }
  ~Ziop() override { orb->destroy(); }
  CORBA::Policy_var make(CORBA::PolicyType type, const CORBA::Any& value) { return orb->create_policy(type, value); }
  CORBA::PolicyErrorCode refused(CORBA::PolicyType type, const CORBA::Any& value) {
    try {
      make(type, value);
    } catch (const CORBA::PolicyError& e) {
      return e.reason;
    }
    return -1;
  }

  CORBA::ORB_var orb;
  PortableServer::POA_var root;
};

TEST_F(Ziop, policies_are_made_and_taken_by_adapters_and_the_log_says_it_once) {
  std::vector<std::string> said;
  const callis::LogLevel before = callis::log_level();
  callis::set_log_level(callis::LogLevel::Warning);
  callis::set_log_sink(&keep, &said);
  Compression::CompressorIdLevelList compressors;
  compressors.length(1);
  compressors[0].compressor_id = Compression::COMPRESSORID_ZLIB;
  compressors[0].compression_level = 6;
  CORBA::PolicyList policies;
  policies.length(4);
  policies[0] = omniZIOP::create_compression_enabling_policy(true);
  policies[1] = omniZIOP::create_compression_id_level_list_policy(compressors);
  policies[2] = omniZIOP::create_compression_low_value_policy(1'000);
  policies[3] = omniZIOP::create_compression_min_ratio_policy(0.5f);
  omniZIOP::setGlobalPolicies(policies);
  callis::set_log_sink(nullptr, nullptr);
  callis::set_log_level(before);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("uncompressed"), std::string::npos) << said[0];

  const ZIOP::CompressionIdLevelListPolicy_var list = ZIOP::CompressionIdLevelListPolicy::_narrow(policies[1]);
  ASSERT_FALSE(CORBA::is_nil(list.in()));
  EXPECT_EQ(list->policy_type(), 65u);
  EXPECT_EQ(list->compressor_ids()[0].compression_level, 6);
  EXPECT_TRUE(CORBA::is_nil(ZIOP::CompressionLowValuePolicy_var(
                                ZIOP::CompressionLowValuePolicy::_narrow(policies[1])).in()));

  const PortableServer::POA_var poa = root->create_POA("squeezed", nullptr, policies);
  PortableServer::POAManager_var(poa->the_POAManager())->activate();
  PortableServer::Servant_var<PlainClock> servant = new PlainClock;
  const PortableServer::ObjectId_var id = poa->activate_object(servant);
  const CORBA::Object_var object = poa->id_to_reference(id.in());
  const CORBA::Object_var same = omniZIOP::setServerPolicies(object.in(), policies);
  EXPECT_EQ(Clock_var(Clock::_narrow(same.in()))->now(), 7);
}

TEST_F(Ziop, the_orb_makes_policies_of_values) {
  CORBA::Any value;
  value <<= CORBA::Any::from_boolean(true);
  CORBA::Policy_var policy = make(ZIOP::COMPRESSION_ENABLING_POLICY_ID, value);
  EXPECT_TRUE(ZIOP::CompressionEnablingPolicy_var(ZIOP::CompressionEnablingPolicy::_narrow(policy.in()))
                  ->compression_enabled());
  EXPECT_EQ(refused(ZIOP::COMPRESSION_LOW_VALUE_POLICY_ID, value), CORBA::BAD_POLICY_TYPE);
  EXPECT_EQ(refused(ZIOP::COMPRESSION_MIN_RATIO_POLICY_ID, value), CORBA::BAD_POLICY_TYPE);
  EXPECT_EQ(refused(ZIOP::COMPRESSOR_ID_LEVEL_LIST_POLICY_ID, value), CORBA::UNSUPPORTED_POLICY_VALUE);
  value <<= CORBA::ULong{9};
  policy = make(ZIOP::COMPRESSION_LOW_VALUE_POLICY_ID, value);
  EXPECT_EQ(ZIOP::CompressionLowValuePolicy_var(ZIOP::CompressionLowValuePolicy::_narrow(policy.in()))->low_value(),
            9u);
  EXPECT_EQ(refused(ZIOP::COMPRESSION_ENABLING_POLICY_ID, value), CORBA::BAD_POLICY_TYPE);
  value <<= 0.25f;
  policy = make(ZIOP::COMPRESSION_MIN_RATIO_POLICY_ID, value);
  EXPECT_EQ(ZIOP::CompressionMinRatioPolicy_var(ZIOP::CompressionMinRatioPolicy::_narrow(policy.in()))->ratio(),
            0.25f);
}

}  // namespace
