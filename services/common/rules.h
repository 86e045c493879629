// SPDX-License-Identifier: Apache-2.0
// Rules: who may call which operations of a service (--allow). Operations are in three groups; a rule says for each
// group which callers may call its operations.
//
//   read    what tells something; every operation that no table names
//   write   what adds something, and what its owner alone can name
//   admin   what takes away or changes what others own; what executes commands
//
//   --allow admin=unix:callis,unix:backup,write=local,read=any
//
//   any         whoever can connect
//   local       every user of this machine, over a Unix-domain socket
//   unix:USER   that user, by name or number, over a Unix-domain socket
//   own         root and the user that the service runs as, over a Unix-domain socket; always among the callers
//
// A service says which of its operations are guarded (ServiceDescription::guarded). One check stands before all
// servants (poa::TargetWatch), and costs a look at a small table. If a group is open to anybody, the check costs
// nothing. A refused request gets NO_PERMISSION, COMPLETED_NO, with a text that says which rule.
#pragma once
#include <callis/classic/exception.h>
#include <callis/poa/servant/caller.h>
#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace callis::services {

enum class Group : std::uint8_t { Read, Write, Admin };

// Operations of one interface, as they stand in requests: "_set_x" for an attribute, "create_*" for all whose names
// begin so. Derived interfaces are included.
struct Guarded {
  Group group;
  const char* repository_id;
  std::vector<const char*> operations;
};

// The callers that may call operations of one group.
struct Callers {
  bool any = false, local = false;
  std::vector<std::uint32_t> users;

  bool include(const Caller& caller) const;
  std::string text() const;  // "users of this machine (Unix-domain socket)"
};

class Rules final {
 public:
  // The usual rules: reading and writing by anybody, admin as given.
  explicit Rules(Callers admin = {});

  // Reads the text of --allow. Returns an empty text, or words about what is wrong.
  std::string add(std::string_view text);

  const Callers& callers(Group group) const { return callers_[static_cast<std::size_t>(group)]; }
  bool allows(Group group, const Caller& caller) const { return callers(group).include(caller); }

  // Returns one line for people about who may do what.
  std::string sentence() const;

  // Puts the rules before all servants of the process. Called once, before there are requests. Rules and tables must
  // live on.
  static void guard(const Rules& rules, const std::vector<Guarded>& guarded);
  // For facts that only a servant knows, such as the replacing of something. Throws NO_PERMISSION unless the caller
  // of the request that the thread serves may. Passes in a process that has not called guard().
  static void require(Group group, std::string_view what);
  // For code before the adapters, where the thread serves no request yet. Returns the refusal, unless the caller may.
  static std::optional<CORBA::NO_PERMISSION> refuses(Group group, std::string_view what, const Caller& caller);
  // Returns whether the group is open to anybody who can connect.
  static bool open_to_all(Group group);
  // Returns how many requests have been refused since the start.
  static std::uint64_t refused();

 private:
  std::array<Callers, 3> callers_;
  std::array<bool, 3> told_{};  // by add(): the first word on a group replaces what is usual
};

}  // namespace callis::services
