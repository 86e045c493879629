// SPDX-License-Identifier: Apache-2.0
// Wishes: what --stubs-for and --profile have given, turned into choices for one unit after another.
#pragma once
#include <idl/driver/arguments.h>
#include <idl/driver/choices.h>
#include <string>
#include <vector>

namespace callis::idl::driver {

class Wishes {
 public:
  // Each returns what is wrong, empty when all is well.
  std::string read(const Arguments& arguments);
  std::string apply(const ast::Unit& unit, backends::Options& options);
  // After the last unit: whether each name was in one of them.
  std::string all_known() const;
  bool profile_is_of_use() const { return !profiled_ || any_hot_known_; }

 private:
  std::vector<StubsFor> by_name_;
  std::vector<ProfiledOperation> hot_;
  bool profiled_ = false;
  bool any_hot_known_ = false;
  std::string hint_;  // for a name that no unit has
};

}  // namespace callis::idl::driver
