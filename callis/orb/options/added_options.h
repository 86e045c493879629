// SPDX-License-Identifier: Apache-2.0
// AddedOptions: options that a library above the ORB adds to those of option_list.h, in programs that have it. They
// are written and read in the same places; their values stand with the library, so that a program without it has not
// one byte of them. Only with the feature settings, which a library that adds some refers to.
#pragma once
#include <callis/orb/options/option_list.h>
#include <span>

namespace callis::orb {

struct AddedOptions {
  // field: where the value stands in what values() gives. OptionWatcher tells of them as kOptions, kOptions + 1 ...,
  // library by library in the order of their adding.
  std::span<const OptionSpec> list;
  // Of the calling thread: for the ORB that it is about to make. anew: with their defaults, as parse_options()
  // begins.
  void* (*values)(bool anew);
  // Called when all options have been read; nullptr where that is nothing to the library. said: whether -ORBSpin was
  // among them.
  void (*know_spin)(bool said) = nullptr;
  // Those of another library, added later; nullptr for none.
  const AddedOptions* others = nullptr;

  // Once for each library, before ORBs are made, by one thread; added: for as long as the process runs.
  static void add(AddedOptions& added);
};

// Options that a program lacks since it does not have the library that adds them: its messages name that. The test of
// tools/config compares the list with those of the libraries.
struct OptionElsewhere {
  const char* name;
  const char* header;   // callis/X.h
  const char* library;  // callis::X
  const char* package;  // what is installed for it
};
inline constexpr OptionElsewhere kOptionsElsewhere[] = {
    {"RealTime", "rt", "rt", "Debian: libcallis-rt-dev"},
    {"PriorityMapping", "rt", "rt", "Debian: libcallis-rt-dev"},
    {"NetworkPriorityMapping", "rt", "rt", "Debian: libcallis-rt-dev"},
    {"LockMemory", "rt", "rt", "Debian: libcallis-rt-dev"},
    {"MaxPropagatedPriority", "rt", "rt", "Debian: libcallis-rt-dev"},
    {"LanePort", "rt", "rt", "Debian: libcallis-rt-dev"},
    {"IMR", "imr", "callis", "Debian: libcallis-dev"},
    {"IMRAnnounce", "imr", "callis", "Debian: libcallis-dev"},
};

}  // namespace callis::orb
