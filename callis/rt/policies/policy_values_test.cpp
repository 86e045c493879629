// SPDX-License-Identifier: Apache-2.0
// Real-time policies in TAG_POLICIES, byte by byte, and what a peer may have made of them.
#include <callis/ior/iiop_profile.h>
#include <callis/ior/policy_values.h>
#include <callis/rt/policies/policy_values.h>
#include <gtest/gtest.h>

namespace callis::rt {
namespace {

using Octets = std::vector<Byte>;

// SERVER_DECLARED 0x1234; TCP with a buffer of 0x10203, no_delay; bands 0 to 9 and 10 to 0x7fff.
Octets big_endian() {
  return {0, 0, 0, 0, 0, 0, 0, 3,                                       // byte order, count
          0, 0, 0, 40, 0, 0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 1, 0x12, 0x34, // model, priority
          0, 0,                                                         // aligned to 4
          0, 0, 0, 43, 0, 0, 0, 23, 0, 0, 0, 0, 0, 0, 0, 1,             // one protocol
          0, 0, 0, 0, 0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 1, 0,               // IIOP, sizes, flags
          0, 0, 0, 45, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 2,             // two bands
          0, 0, 0, 9, 0, 10, 0x7f, 0xff};
}
Octets little_endian() {
  return {1, 0, 0, 0, 3, 0, 0, 0,
          40, 0, 0, 0, 10, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0x34, 0x12, 0, 0,
          43, 0, 0, 0, 23, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0,
          0, 0, 0, 0, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0,
          45, 0, 0, 0, 16, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0,
          0, 0, 9, 0, 10, 0, 0xff, 0x7f};
}

RtPolicies all_exposed() {
  RtPolicies p;
  p.model = RTCORBA::SERVER_DECLARED;
  p.server_priority = 0x1234;
  p.client_protocols = {{ior::kInternetProfile, true, 0x10203, 0, false, false, true}};
  p.bands = {{0, 9}, {10, 0x7fff}};
  return p;
}

TEST(RtPolicyValues, are_written_in_both_orders) {
  EXPECT_EQ(with_policy_values({}, all_exposed(), {}, ByteOrder::Big), big_endian());
  EXPECT_EQ(with_policy_values({}, all_exposed(), {}, ByteOrder::Little), little_endian());
}

TEST(RtPolicyValues, are_read_in_both_orders) {
  EXPECT_EQ(read_policy_values(big_endian()), all_exposed());
  EXPECT_EQ(read_policy_values(little_endian()), all_exposed());
}

TEST(RtPolicyValues, of_all_protocols_are_read_as_they_were_written) {
  RtPolicies p;
  p.model = RTCORBA::CLIENT_PROPAGATED;
  p.client_protocols = {{ior::kUiopProfile, true, 1, 2, false, false, true},
                        {ior::kMemoryProfile, true, 0, 3, false, false, true},
                        {ior::kInternetProfile, true, 4, 5, true, true, false}};
  for (const ByteOrder order : {ByteOrder::Big, ByteOrder::Little})
    EXPECT_EQ(read_policy_values(with_policy_values({}, p, {}, order)), p);
}

TEST(RtPolicyValues, an_object_has_its_own_priority) {
  const RtPolicies read = read_policy_values(with_policy_values({}, all_exposed(), RTCORBA::Priority(7)));
  EXPECT_EQ(read.model, RTCORBA::SERVER_DECLARED);
  EXPECT_EQ(read.server_priority, 7);
}

TEST(RtPolicyValues, what_clients_need_not_know_is_not_told) {
  RtPolicies p;
  p.threadpool = 3;
  p.private_connection = true;
  p.server_protocols = {{ior::kInternetProfile, false, 0, 0, false, false, true}};
  EXPECT_TRUE(with_policy_values({}, p).empty());
}

TEST(RtPolicyValues, stand_beside_those_of_others_and_instead_of_those_before) {
  for (const ByteOrder order : {ByteOrder::Big, ByteOrder::Little}) {
    ior::PolicyValues others(order);
    others.add(25, ior::ShortRange{1, 2});
    const ior::Bytes once = with_policy_values(others.bytes(), all_exposed(), {}, ByteOrder::Big);
    const ior::Bytes twice = with_policy_values(once, all_exposed(), RTCORBA::Priority(5), ByteOrder::Little);
    const auto range = ior::find_policy_value(twice, 25);
    ASSERT_TRUE(range);
    EXPECT_EQ(ior::read_short_range(range.value()), (ior::ShortRange{1, 2}));
    EXPECT_EQ(read_policy_values(twice).server_priority, 5);
    EXPECT_EQ(twice.size(), once.size());
  }
}

TEST(RtPolicyValues, cut_anywhere_say_nothing) {
  for (const Octets& all : {big_endian(), little_endian()})
    for (std::size_t n = 0; n < all.size(); ++n)
      EXPECT_TRUE(read_policy_values(ByteView(all).first(n)).empty()) << n;
}

TEST(RtPolicyValues, of_one_value_that_is_cut_the_others_count) {
  const ior::Bytes whole = with_policy_values({}, all_exposed(), {}, ByteOrder::Big);
  Octets spoiled = whole;
  spoiled[16] = 9;  // the model's byte order
  const RtPolicies read = read_policy_values(spoiled);
  EXPECT_FALSE(read.model);
  EXPECT_EQ(read.bands, all_exposed().bands);
}

TEST(RtPolicyValues, values_outside_their_types_do_not_count) {
  Octets model = big_endian(), priority = big_endian(), band = big_endian(), size = big_endian();
  model[23] = 2;
  priority[24] = 0x80;
  band[61 + 8] = 0;  // bands that overlap
  size[48] = 0x80;
  EXPECT_FALSE(read_policy_values(model).model);
  EXPECT_FALSE(read_policy_values(priority).model);
  band = big_endian();
  band[band.size() - 3] = 9;
  EXPECT_TRUE(read_policy_values(band).bands.empty());
  EXPECT_FALSE(read_policy_values(size).client_protocols);
}

TEST(RtPolicyValues, counts_that_the_bytes_cannot_hold_do_not_count) {
  Octets bands = big_endian(), values = big_endian(), protocols = big_endian();
  bands[bands.size() - 12] = 0x7f;
  values[4] = 0x7f;
  protocols[40] = 0x7f;
  EXPECT_TRUE(read_policy_values(bands).bands.empty());
  EXPECT_TRUE(read_policy_values(values).empty());
  EXPECT_FALSE(read_policy_values(protocols).client_protocols);
}

TEST(RtPolicyValues, more_bands_than_the_limit_do_not_count) {
  RtPolicies p;
  for (CORBA::Short i = 0; i < 256; ++i) p.bands.push_back({i, i});
  EXPECT_EQ(read_policy_values(with_policy_values({}, p)).bands.size(), 256u);
  p.bands.push_back({256, 256});
  EXPECT_TRUE(read_policy_values(with_policy_values({}, p)).bands.empty());
}

TEST(RtPolicyValues, behind_an_unknown_protocol_none_is_read) {
  RtPolicies p;
  p.client_protocols = {{ior::kUiopProfile, true, 1, 2, false, false, true}, {99, true, 0, 7, false, false, true}};
  EXPECT_EQ(read_policy_values(with_policy_values({}, p)).client_protocols->size(), 1u);
}

TEST(RtPolicyValues, of_a_reference_are_those_of_the_first_profile_that_has_some) {
  ior::Ior ior;
  const std::vector<ior::TaggedComponent> with{{ior::kPolicies, with_policy_values({}, all_exposed())}};
  ior.profiles.push_back({ior::kInternetProfile, {1, 2, 3}});
  ior.profiles.push_back(ior::to_profile({1, 2}, {"host", 1}, Octets{1}, {}));
  ior.profiles.push_back(ior::uiop_profile({1, 2}, "/path", Octets{1}, with));
  EXPECT_EQ(read_policy_values(ior), all_exposed());
  ior.profiles.pop_back();
  EXPECT_TRUE(read_policy_values(ior).empty());
}

}  // namespace
}  // namespace callis::rt
