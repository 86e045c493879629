// SPDX-License-Identifier: Apache-2.0
// AddedOptions: options that a library above the ORB adds to those of option_list.h, in programs that have it. Their
// values stand in Options, as those of the table do; they are written and read in the same places. Only with the
// feature settings, which a library that adds some refers to.
#pragma once
#include <callis/orb/options/option_list.h>
#include <span>

namespace callis::orb {

class AddedOptions final {
 public:
  // Once, before ORBs are made; list: for as long as the process runs. OptionWatcher tells of them as the indices
  // kOptions, kOptions + 1 ...
  static void set(std::span<const OptionSpec> list);
  // Empty where there are none.
  static std::span<const OptionSpec> list();
};

}  // namespace callis::orb
