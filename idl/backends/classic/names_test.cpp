// SPDX-License-Identifier: Apache-2.0
#include <idl/backends/classic/names.h>
#include <gtest/gtest.h>

namespace callis::idl::backends::classic {
namespace {

// C++ Language Mapping, "C++ Keywords": identifiers that are keywords of C++ have the prefix _cxx_.
TEST(IdentifierTest, HasThePrefixWhenItIsAKeyword) {
  for (const char* keyword : {"alignas", "and", "char8_t", "class", "co_await", "consteval", "do", "if",
                              "reinterpret_cast", "requires", "thread_local", "typename", "while", "xor", "xor_eq"})
    EXPECT_EQ(identifier(keyword), "_cxx_" + std::string(keyword));
}

TEST(IdentifierTest, IsItselfOtherwise) {
  for (const char* name : {"", "a", "Class", "classes", "clasz", "_class", "xor_", "zebra", "char9_t", "x",
                           "a_name_of_more_letters_than_the_longest_keyword", "\xe9t\xe9"})
    EXPECT_EQ(identifier(name), name);
}

}  // namespace
}  // namespace callis::idl::backends::classic
