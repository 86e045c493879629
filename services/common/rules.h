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
//   cert:WHICH  the owner of a certificate that has been verified, over TLS (--tls). WHICH is
//               *                 any certificate
//               CN=NAME           the subject's common name
//               NAME              an alternative name, as pump.plant.example, 10.1.2.3, uri:spiffe://site/ops,
//                                 email:ops@site; in *.plant.example the star is for one label
//               key=HEX, sha256=HEX    the SHA-256 of the public key, of the certificate (callis tls show)
//
// A service says which of its operations are guarded (ServiceDescription::guarded). One check stands before all
// servants (poa::TargetWatch), and costs a look at a small table. If a group is open to anybody, the check costs
// nothing. A refused request gets NO_PERMISSION, COMPLETED_NO, minor code kRefusedByRules, with a text that says
// which rule. The log has a warning for each refusal, up to kMostLines a second. With --allow-dry-run the log alone
// has refusals.
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

// The minor code of NO_PERMISSION: our own, 0x43414000 | 0xa8 (docs/guide/minor-codes.md).
inline constexpr CORBA::ULong kRefusedByRules = 0x434140a8;
// So many refusals a second are lines in the log. The next line tells how many had none.
inline constexpr std::uint32_t kMostLines = 20;

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
  std::vector<std::uint32_t> users{};
  std::vector<std::string> certificates{};  // each a WHICH

  bool include(const Caller& caller) const;
  std::string text() const;  // "users of this machine over a Unix-domain socket"
};

// Whether WHICH means this certificate.
bool is_meant(std::string_view which, const transport::Certificate& certificate);

class Rules final {
 public:
  // The usual rules: reading and writing by anybody, admin as given.
  explicit Rules(Callers admin = {});

  // Reads the text of --allow. Returns an empty text, or words about what is wrong.
  std::string add(std::string_view text);

  const Callers& callers(Group group) const { return callers_[static_cast<std::size_t>(group)]; }
  bool allows(Group group, const Caller& caller) const { return callers(group).include(caller); }

  // From now on refusals are lines in the log alone.
  void set_dry_run() { dry_run_ = true; }
  bool dry_run() const { return dry_run_; }

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
  // Returns how many requests have been refused since the start, or would have been.
  static std::uint64_t refused();

 private:
  std::array<Callers, 3> callers_;
  bool dry_run_ = false;
  std::array<bool, 3> told_{};  // by add(): the first word on a group replaces what is usual
};

}  // namespace callis::services
