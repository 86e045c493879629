// SPDX-License-Identifier: Apache-2.0
// TlsContext: the certificates and keys of an ORB, read from their files, and read again when these change.
//
//   TlsTerms ── make() ──→ TlsContext ── current() ──→ Material: what one connection uses until its end
//
// A file that has changed counts for connections made from then on. Files that cannot be read any more leave the
// earlier contents in force, with a warning. Any thread may call.
#pragma once
#include <callis/base/feature.h>
#include <callis/base/result.h>
#include <callis/transport/tls/terms.h>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace callis::transport {

// Returns the passphrase of a key's file. Called by the thread that reads the file: inside ORB_init(), and later by
// threads that make or accept connections. nullptr is for none: TlsTerms::key_password alone counts then. Call this
// function before the first ORB is made.
using PassphraseFunction = std::string (*)(const std::string& file);
void set_passphrase_function(PassphraseFunction function) noexcept;

// The next connection of each context reads its files again, changed or not. A signal handler may call.
void read_tls_files_again() noexcept;

namespace tls {
struct Material;
}

class TlsContext final {
 public:
  // Fault::BadText: a file or a value is wrong. The text names the option, the file and the reason.
  static Result<std::shared_ptr<TlsContext>> make(const TlsTerms& terms);

  const TlsTerms& terms() const { return terms_; }
  // Looks at the files at most once in kLookEvery.
  std::shared_ptr<tls::Material> current();
  // The next current() looks.
  void look_soon();

  static constexpr std::chrono::milliseconds kLookEvery{1'000};

 private:
  // Changes with its file.
  struct Stamp {
    std::string file;
    long long seconds = 0, nanoseconds = 0, bytes = 0;
    unsigned long long inode = 0;
    friend bool operator==(const Stamp&, const Stamp&) = default;
  };

  explicit TlsContext(const TlsTerms& terms);
  std::vector<Stamp> stamps() const;

  const TlsTerms terms_;
  std::mutex mutex_;
  std::shared_ptr<tls::Material> material_;
  TimePoint looked_{};
  unsigned asked_;           // the calls of read_tls_files_again() that have been heeded
  bool looks_ = false;       // a thread does
  std::vector<Stamp> seen_;  // that thread's
};

}  // namespace callis::transport
