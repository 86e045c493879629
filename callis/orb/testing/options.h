// SPDX-License-Identifier: Apache-2.0
// Options read from words, as on a command line.
#pragma once
#include <callis/orb/options/options.h>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace callis::orb::testing {

using Words = std::vector<std::string>;
using Published = std::vector<ior::Address>;

inline Result<Options> parse(Words words, OptionWatcher* watcher = nullptr) {
  words.insert(words.begin(), "program");
  std::vector<char*> argv;
  for (auto& w : words) argv.push_back(w.data());
  int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  return parse_options(argc, argv.data(), watcher);
}

// The options that the words set; they must be right.
inline Options good(Words words = {}) {
  auto r = parse(std::move(words));
  EXPECT_TRUE(r.ok()) << (r.ok() ? "" : r.error().detail);
  return r.ok() ? std::move(r.value()) : Options{};
}

// The error text about the words; something must be wrong.
inline std::string complaint(Words words = {}) {
  auto r = parse(std::move(words));
  EXPECT_FALSE(r.ok());
  if (r.ok()) return {};
  EXPECT_EQ(r.fault(), Fault::BadText);
  return r.error().detail;
}

}  // namespace callis::orb::testing
