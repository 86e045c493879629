// SPDX-License-Identifier: Apache-2.0
// The options of servers that a repository knows, which programs that include callis/imr.h have.
#pragma once
#include <callis/orb/options/option_list.h>
#include <string>

namespace callis::imr {

struct ImrOptions {
  std::string repository;
  std::uint32_t announce_seconds = 30;

  // Those of the command line that the calling thread makes an ORB of.
  static ImrOptions& of_this_thread();
};

namespace option_list {

using orb::OptionKind;
using orb::OptionSpec;
#define CALLIS_OPTION_FIELD(member) \
  offsetof(ImrOptions, member), sizeof(static_cast<ImrOptions*>(nullptr)->member)

inline constexpr OptionSpec kOptionList[] = {
    {"IMR", OptionKind::Text, CALLIS_OPTION_FIELD(repository), 0, 0, "", "a reference",
     "the Implementation Repository (callis imr) that references of persistent adapters lead through"},
    {"IMRAnnounce", OptionKind::Number, CALLIS_OPTION_FIELD(announce_seconds), 1, 86'400, "seconds", "",
     "how often the repository is told that this server is there; 0: once", true},
};
#undef CALLIS_OPTION_FIELD

}  // namespace option_list

using option_list::kOptionList;

}  // namespace callis::imr
