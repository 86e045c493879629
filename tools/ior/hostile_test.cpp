// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes of a reference are: an answer or an error, and nothing unprintable.
#include <services/programs/reference_text.h>
#include <gtest/gtest.h>
#include <tools/ior/report.h>
#include <tools/ior/testing/foreign_references.h>
#include <algorithm>
#include <random>

namespace callis::tools {
namespace {

using ior::Ior;

bool printable(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c == '\n' || (c >= 0x20 && c < 0x7f); });
}

void expect_an_answer(const ior::ParsedReference& parsed, std::string_view text) {
  if (const auto* error = std::get_if<ior::TextError>(&parsed)) {
    EXPECT_TRUE(printable(programs::error_text(text, *error)));
    return;
  }
  const Tree tree = report(parsed).tree;
  EXPECT_TRUE(printable(to_lines(tree)));
  EXPECT_TRUE(printable(to_json(tree)));
}

Ior sample(const char* text) { return std::get<Ior>(ior::parse_reference(text)); }

class HostileIor : public ::testing::TestWithParam<const char*> {};

TEST_P(HostileIor, CutAtEachCharacter) {
  const std::string_view whole = GetParam();
  for (std::size_t n = 0; n <= whole.size(); ++n)
    expect_an_answer(ior::parse_reference(whole.substr(0, n)), whole.substr(0, n));
}

TEST_P(HostileIor, WithAProfileCutAtEachByte) {
  const Ior whole = sample(GetParam());
  for (std::size_t n = 0; n < whole.profiles[0].data.size(); ++n) {
    Ior cut = whole;
    cut.profiles[0].data.resize(n);
    expect_an_answer(cut, {});
  }
}

TEST_P(HostileIor, WithEachByteSpoiled) {
  const Ior whole = sample(GetParam());
  for (std::size_t n = 0; n < whole.profiles[0].data.size(); ++n) {
    for (const int value : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
      Ior spoiled = whole;
      spoiled.profiles[0].data[n] = static_cast<Byte>(value);
      expect_an_answer(spoiled, {});
    }
  }
}

// A profile of each tag known here with components of each tag known here, all of random bytes.
TEST(HostileReference, OfRandomProfilesComponentsAndKeys) {
  std::mt19937 random(1);
  const auto bytes = [&](std::size_t most) {
    ior::Bytes out(random() % (most + 1));
    for (Byte& b : out) b = static_cast<Byte>(random() % 4 == 0 ? random() : random() % 3);
    return out;
  };
  for (int i = 0; i < 3000; ++i) {
    ior::IiopProfile p{{1, 2}, {"h", 1}, bytes(60), {}};
    if (i % 2 == 0) {
      ior::Bytes key{0xca, 0x11, 0x15, static_cast<Byte>("SUPHQNLx"[random() % 8])};
      key.insert(key.end(), p.object_key.begin(), p.object_key.end());
      p.object_key = key;
    }
    for (std::uint32_t tag = 0; tag < 44; ++tag) {
      if (random() % 4 == 0) p.components.push_back({tag, bytes(40)});
    }
    p.components.push_back({ior::kOmniUnixTransport, bytes(40)});
    Ior ior{"IDL:A:1.0", {to_profile(p, i % 3 == 0 ? ByteOrder::Big : ByteOrder::Little)}};
    for (const std::uint32_t tag :
         {ior::kInternetProfile, ior::kMultipleComponents, ior::kUiopProfile, ior::kMemoryProfile, 2u})
      ior.profiles.push_back({tag, bytes(60)});
    expect_an_answer(ior, {});
  }
}

INSTANTIATE_TEST_SUITE_P(Of, HostileIor,
                         ::testing::Values(testing::kOmniOrbReference, testing::kJacOrbReference));

}  // namespace
}  // namespace callis::tools
