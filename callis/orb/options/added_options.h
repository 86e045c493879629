// SPDX-License-Identifier: Apache-2.0
// AddedOptions: options that a library above the ORB adds to option_list.h, in programs that have the library. They
// are written and read in the same places. Their values stand in the library, so a program without the library has
// none of their bytes. They need the feature settings, to which a library with added options refers.
#pragma once
#include <callis/orb/options/option_list.h>
#include <span>

namespace callis::orb {

struct AddedOptions {
  // The options. field is the value's place in the result of values(). OptionWatcher numbers them kOptions,
  // kOptions + 1 ..., library by library in the order of their adding.
  std::span<const OptionSpec> list;
  // The values of the calling thread, for the ORB that it is about to make. anew: sets the defaults, as
  // parse_options() does at its beginning.
  void* (*values)(bool anew);
  // Called when all options have been read; nullptr if the library does not need this. said: whether -ORBSpin was
  // given.
  void (*know_spin)(bool said) = nullptr;
  // The options of another library, added later; nullptr if there are none.
  const AddedOptions* others = nullptr;

  // Called once for each library, before ORBs are made, by one thread. `added` lives as long as the process.
  static void add(AddedOptions& added);
};

// Options that a program lacks because it lacks their library; error messages name the library. The test of
// tools/config compares this list with the libraries' options.
struct OptionElsewhere {
  const char* name;
  const char* header;   // callis/X.h
  const char* library;  // callis::X
  const char* package;  // the package to install
};
inline constexpr OptionElsewhere kOptionsElsewhere[] = {
    {"RealTime", "rt", "rt", "Debian: libcallis-rt-dev"},
    {"PriorityMapping", "rt", "rt", "Debian: libcallis-rt-dev"},
    {"NetworkPriorityMapping", "rt", "rt", "Debian: libcallis-rt-dev"},
    {"LockMemory", "rt", "rt", "Debian: libcallis-rt-dev"},
    {"MaxPropagatedPriority", "rt", "rt", "Debian: libcallis-rt-dev"},
    {"LanePort", "rt", "rt", "Debian: libcallis-rt-dev"},
    {"TlsCertificate", "tls", "tls", "Debian: libcallis-tls-dev"},
    {"TlsKey", "tls", "tls", "Debian: libcallis-tls-dev"},
    {"TlsKeyPassword", "tls", "tls", "Debian: libcallis-tls-dev"},
    {"TlsCA", "tls", "tls", "Debian: libcallis-tls-dev"},
    {"TlsRevoked", "tls", "tls", "Debian: libcallis-tls-dev"},
    {"TlsPin", "tls", "tls", "Debian: libcallis-tls-dev"},
    {"TlsExpect", "tls", "tls", "Debian: libcallis-tls-dev"},
    {"TlsClients", "tls", "tls", "Debian: libcallis-tls-dev"},
    {"TlsVersion", "tls", "tls", "Debian: libcallis-tls-dev"},
    {"TlsCalls", "tls", "tls", "Debian: libcallis-tls-dev"},
    {"TlsHandshakeTimeout", "tls", "tls", "Debian: libcallis-tls-dev"},
    {"TlsMaxHandshakes", "tls", "tls", "Debian: libcallis-tls-dev"},
    {"IMR", "imr", "callis", "Debian: libcallis-dev"},
    {"IMRAnnounce", "imr", "callis", "Debian: libcallis-dev"},
};

}  // namespace callis::orb
