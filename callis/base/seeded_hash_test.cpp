// SPDX-License-Identifier: Apache-2.0
// Hashes of names that peers choose: they cannot choose names that collide.
#include <gtest/gtest.h>
#include <callis/base/seeded_hash.h>
#include <set>
#include <string>

namespace callis {
namespace {

std::uint64_t fnv_1a(std::string_view name) {
  std::uint64_t h = 0xcbf29ce484222325u;
  for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return h;
}

TEST(SeededHash, IsThatOfTheCharacters) {
  const std::string a = "RootPOA", b = "RootPOA";
  EXPECT_EQ(seeded_hash(a), seeded_hash(b));
}

TEST(SeededHash, TellsNamesApartThatWereFoundToCollideWithoutASecret) {
  constexpr std::string_view kOne = "8yn0iYCKYHlIj4-BwPqk", kOther = "GReLUrM4wMqfg9yzV3KQ";
  ASSERT_EQ(fnv_1a(kOne), fnv_1a(kOther));
  EXPECT_NE(seeded_hash(kOne), seeded_hash(kOther));
}

TEST(SeededHash, HasGoodBitsEverywhere) {
  constexpr unsigned kNames = 4096;
  for (const unsigned shift : {0u, 8u, 16u, 24u}) {
    std::set<unsigned> found;
    for (unsigned i = 0; i < kNames; ++i) found.insert(seeded_hash("name " + std::to_string(i)) >> shift & 0xff);
    EXPECT_GE(found.size(), 250u) << "bits " << shift << " to " << shift + 7;
  }
}

}  // namespace
}  // namespace callis
