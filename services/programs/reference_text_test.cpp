// SPDX-License-Identifier: Apache-2.0
// Texts of references: found in files, and what is wrong with them.
#include <gtest/gtest.h>
#include <services/programs/reference_text.h>
#include <variant>

namespace callis::programs {
namespace {

TEST(IorErrors, PointAtThePlace) {
  const std::string text = "IOR:00zz";
  EXPECT_EQ(error_text(text, std::get<ior::TextError>(ior::parse_reference(text))),
            "at offset 6: 'z' is not a hexadecimal digit\n  IOR:00zz\n        ^\n");
  const std::string long_text = "IOR:" + std::string(200, '0') + "g" + std::string(200, '0');
  const std::string told = error_text(long_text, std::get<ior::TextError>(ior::parse_reference(long_text)));
  const std::string line = "\n  ..." + std::string(50, '0') + "g" + std::string(49, '0') + "...\n";
  EXPECT_NE(told.find(line), std::string::npos) << told;
  EXPECT_NE(told.find("\n  " + std::string(53, ' ') + "^\n"), std::string::npos) << told;
}

TEST(IorText, IsFoundInAFile) {
  EXPECT_EQ(find_reference("listening\n  IOR:00\nIOR:01\n"), "  IOR:00");
  EXPECT_EQ(find_reference("CORBALOC::h/x"), "CORBALOC::h/x");
  EXPECT_EQ(find_reference("nothing\nhere"), "nothing\nhere");
  EXPECT_FALSE(looks_like_reference("http://x"));
}

}  // namespace
}  // namespace callis::programs
