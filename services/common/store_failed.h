// SPDX-License-Identifier: Apache-2.0
// StoreFailed: why a store did not do what it was asked to.
#pragma once
#include <exception>
#include <string>
#include <utility>

namespace callis::services {

class StoreFailed final : public std::exception {
 public:
  enum Kind {
    Full,         // no room on the disk, or etcd's quota; try again when there is
    ReadOnly,     // the file, its folder or its file system cannot be written
    Damaged,      // what is there is not what was written; nothing has been changed
    InUse,        // another process has the file open
    Foreign,      // a file of another program, of another kind of service, or of a newer schema
    Unreachable,  // no endpoint of etcd answered in time, or it has no majority
    TooLarge,     // beyond the bounds in store.h
    Unknown,      // anything else; what() has the system's words
  };
  StoreFailed(Kind kind, std::string words, bool maybe_applied = false)
      : kind_(kind), maybe_applied_(maybe_applied), words_(std::move(words)) {}

  Kind kind() const noexcept { return kind_; }
  // After commit(): returns true if the transaction may have been applied, or may still be. False: the transaction
  // was not applied, and will not be.
  bool maybe_applied() const noexcept { return maybe_applied_; }
  const char* what() const noexcept override { return words_.c_str(); }

 private:
  Kind kind_;
  bool maybe_applied_;
  std::string words_;
};

// Throws the system exception for a servant: NO_RESOURCES for Full, TRANSIENT for Unreachable, IMP_LIMIT for
// TooLarge, PERSIST_STORE for the others. The exception is COMPLETED_MAYBE if maybe_applied(), otherwise
// COMPLETED_NO. Logs an error, but for TooLarge.
[[noreturn]] void raise(const StoreFailed& failed);

}  // namespace callis::services
