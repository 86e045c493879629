// SPDX-License-Identifier: Apache-2.0
// Texts of references: what the micro profile reads is what callis/ior reads, and the minor codes are the same.
#include <callis/ior/text.h>
#include <callis/micro/testing/pair.h>
#include <callis/orb/base/minor_codes.h>

namespace callis::micro {
namespace {

// A short form for both readers' results.
std::string by_micro(const std::string& text) {
  try {
    std::string initial;
    const ior::Ior read = parse_text(text, {}, initial);
    return initial.empty() ? ior::to_text(read) : "initial " + initial;
  } catch (const CORBA::BAD_PARAM& e) {
    return "BAD_PARAM " + std::to_string(e.minor() & 0xfff);
  }
}
std::string by_ior(const std::string& text) {
  const ior::ParsedReference parsed = ior::parse_reference(text, {});
  if (auto* const wrong = std::get_if<ior::TextError>(&parsed))
    return "BAD_PARAM " + std::to_string(ior::bad_param_minor(wrong->problem));
  if (auto* const initial = std::get_if<ior::InitialReference>(&parsed)) return "initial " + initial->name;
  return ior::to_text(std::get<ior::Ior>(parsed));
}

TEST(MicroText, is_read_as_by_the_other_ORB) {
  const char* const texts[] = {
      "corbaloc::127.0.0.1:2809/Key", "corbaloc:iiop:127.0.0.1/Key", "CorbaLoc:IIOP:1.2@127.0.0.1:1/a%20b",
      "corbaloc:iiop:1.1@[::1]:99/x", "corbaloc::127.0.0.1:1,:127.0.0.2:2,iiop:1.2@127.0.0.3/k/with;all=of&that",
      "corbaloc:other:thing,:127.0.0.1/k", "  corbaloc::127.0.0.1:7/k \r\n", "corbaloc:rir:/Name", "corbaloc:rir:",
      "corbaloc::host.example:1/k", "corbaloc::127.0.0.1:1", "corbaloc::127.0.0.1:1/%00%ff",
      // Faults, with the minor codes that the standard gives.
      "", "x", "http://a", "IOR:", "IOR:0", "IOR:0g", "ior:00", "corbaloc:", "corbaloc:/k", "corbaloc::a:0/k",
      "corbaloc::a:65536/k", "corbaloc::a:x/k", "corbaloc:iiop:2.0@a/k", "corbaloc:iiop:1@a/k", "corbaloc:iiop:@a/k",
      "corbaloc::[::1/k", "corbaloc::[::1]x/k", "corbaloc:other:x/k", "corbaloc::a,/k", "corbaloc::a/%",
      "corbaloc::a/%4", "corbaloc::a/ b", "corbaloc:rir:x/k", "corbaloc:rir:,:a/k", "corbaloc::a b/k"};
  for (const char* const text : texts) EXPECT_EQ(by_micro(text), by_ior(text)) << text;
}

TEST(MicroText, round_trips_through_digits) {
  ior::Ior made;
  made.type_id = "IDL:Parts/Meter:1.0";
  made.profiles.push_back(ior::to_profile({1, 2}, {"192.0.2.1", 2809}, ior::Bytes{1, 2, 3}, {}));
  made.profiles.push_back({99, {9, 8, 7}});
  EXPECT_EQ(by_micro(ior::to_text(made)), ior::to_text(made));
}

TEST(MicroText, without_a_host_means_this_machine) {
  EXPECT_EQ(by_micro("corbaloc:::7/k"), by_micro("corbaloc::127.0.0.1:7/k"));
}

}  // namespace
}  // namespace callis::micro
