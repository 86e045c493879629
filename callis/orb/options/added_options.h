// SPDX-License-Identifier: Apache-2.0
// AddedOptions: options that a library above the ORB adds to those of option_list.h, in programs that have it. They
// are written and read in the same places; their values stand with the library, so that a program without it has not
// one byte of them. Only with the feature settings, which a library that adds some refers to.
#pragma once
#include <callis/orb/options/option_list.h>
#include <span>

namespace callis::orb {

struct AddedOptions {
  // field: where the value stands in what values() gives. OptionWatcher tells of them as kOptions, kOptions + 1 ...
  std::span<const OptionSpec> list;
  // Of the calling thread: for the ORB that it is about to make. anew: with their defaults, as parse_options()
  // begins.
  void* (*values)(bool anew);

  // Once, before ORBs are made; added: for as long as the process runs.
  static void set(const AddedOptions& added);
  // nullptr for none.
  static const AddedOptions* get();
};

}  // namespace callis::orb
