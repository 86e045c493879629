// SPDX-License-Identifier: Apache-2.0
#include <idl/driver/wishes.h>

namespace callis::idl::driver {

std::string Wishes::read(const Arguments& arguments) {
  for (const std::string& text : arguments.stubs_for) {
    if (!parse_stubs_for(text, by_name_.emplace_back())) {
      return "--stubs-for=" + text + " is not NAME=compiled or NAME=interpreted";
    }
  }
  std::vector<ProfiledOperation> all;
  for (const std::string& path : arguments.profiles) {
    const auto text = source::read_from_disk(path);
    if (!text) {
      return "cannot read '" + path + "'";
    }
    if (const std::string why = read_profile(*text, all); !why.empty()) {
      return "'" + path + "' is not a profile: " + why;
    }
  }
  profiled_ = !arguments.profiles.empty();
  hot_ = heaviest(std::move(all), arguments.share);
  return "";
}

std::string Wishes::apply(const ast::Unit& unit, backends::Options& options) {
  if (by_name_.empty() && hot_.empty()) {
    return "";
  }
  std::string wrong;
  options.by_option = choose(unit, by_name_, wrong);
  options.by_profile = choose(unit, hot_);
  any_hot_known_ |= !options.by_profile.empty();
  for (const StubsFor& wanted : by_name_) {
    if (!wanted.known && hint_.empty()) {
      hint_ = nearest_name(unit, wanted.name);
    }
  }
  return wrong;
}

std::string Wishes::all_known() const {
  for (const StubsFor& wanted : by_name_) {
    if (!wanted.known) {
      return "--stubs-for: there is no '" + wanted.name + "'" + hint_;
    }
  }
  return "";
}

}  // namespace callis::idl::driver
