// SPDX-License-Identifier: Apache-2.0
// The frame of a service's program: command line, log, store, ORB, IOR file, readiness, statistics, graceful end.
//
//   int main(int argc, char** argv) { return callis::services::run_service(argc, argv, describe()); }
//
//   words → ORB → store → start() → the root's POA manager is activated → IOR file, first line → READY=1 → ORB::run()
//   SIGTERM → upcalls end → STOPPING=1 → stop() → the ORB is destroyed → the service goes → the store goes
//
// docs/guide/services.md has what the user sees.
#pragma once
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <services/common/memory_bound.h>
#include <services/common/rules.h>
#include <services/common/stats.h>
#include <services/common/store.h>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace callis::services {

// An option of the service's own.
struct OwnOption {
  std::string name;      // "--readonly"
  std::string value;     // what stands for its value in the usage: "SECONDS"; empty: it has none
  std::string says;      // a line, or several; of the usage
  bool several = false;  // may be given more than once
};

// Ends the program: "callis NAME: TEXT" on the standard error. kWrongUsage adds the usage.
struct ProgramFailed {
  int status;
  std::string text;
  bool alone = false;  // the text without "callis NAME: ": it says its own place, FILE:LINE:COLUMN: error: ...
};
inline constexpr int kCannot = 1, kWrongUsage = 2, kSystemException = 4;

class Options {
 public:
  bool has(const std::string& name) const { return all_.count(name) != 0; }
  // Returns the last value, or `otherwise` if the option was not given.
  std::string value(const std::string& name, const std::string& otherwise = {}) const;
  std::vector<std::string> values(const std::string& name) const;
  // Throws ProgramFailed{kWrongUsage} if the value is no number from `least` to `most`.
  std::uint64_t number(const std::string& name, std::uint64_t otherwise, std::uint64_t least,
                       std::uint64_t most) const;
  const std::vector<std::string>& words() const { return words_; }

 private:
  friend class ServiceArguments;
  std::map<std::string, std::vector<std::string>> all_;
  std::vector<std::string> words_;
};

// The frame's gifts to a service. They outlive the service.
struct Frame {
  CORBA::ORB_ptr orb;
  PortableServer::POA_ptr root_poa;  // its manager still holds requests
  Store* store;                      // nullptr: the service has no kind of store
  Counters& counters;
  const Options& options;
  MemoryBound& memory;               // what the service keeps for clients is taken from it
  const std::string& place;          // what --store says; "memory" without it
  const StoreOptions& store_options;  // for stores of the service's own
};

// A service that runs. ServiceDescription::start makes it.
class RunningService {
 public:
  virtual ~RunningService() = default;
  // The object whose reference is printed and written to the IOR file.
  virtual CORBA::Object_ptr reference() = 0;
  // The watchdog of systemd and Statistics::healthy ask this. Any thread may call, one at a time. Must be quick.
  virtual bool healthy() { return true; }
  // Called when a signal has come and upcalls have ended: stop threads, tell peers. The ORB still sends.
  virtual void stop() {}
};

struct ServiceDescription {
  std::string name;     // "naming": the program is `callis naming`, the statistics' key naming.statistics
  std::string command;  // "callis ifr serve" in messages and the usage; empty: "callis NAME"
  std::string says;     // what it is: a paragraph of the usage
  std::string words;    // what stands for other words in the usage: "[FILE...]"; empty: there are none
  std::vector<OwnOption> options;
  // For words that `options` cannot describe, as -IDIR and files among them. Looks at the words from here on, and
  // returns how many it has taken. It is asked before the frame; if it returns 0, the frame takes the word. Throws
  // ProgramFailed.
  std::function<std::size_t(std::span<const std::string>)> take;
  std::optional<StoreKind> store_kind;  // nothing: no --store, unless:
  bool own_store = false;               // --store FILE is for a store of the service's own (Frame::place)
  std::vector<Guarded> guarded;         // operations of the groups write and admin
  Callers admin = {.local = true, .users = {}};  // who may call those of admin, unless --allow says otherwise
  std::string initial_reference;        // registered for the reference, so its key is that, too: "NameService"
  std::uint16_t port = 0;               // listened at without an -ORBEndpoint; 0: any
  bool sends_lines = true;              // where CALLIS_LOG_SINK says so (services/logging/sink)
  std::string usage;                    // instead of the one that is made of all this
  int status_cannot = kCannot;          // of files and stores that do not do
  // Makes the service. Throws ProgramFailed, StoreFailed, CORBA::SystemException or another std::exception: each ends
  // the program with words.
  std::function<std::unique_ptr<RunningService>(Frame&)> start;
};

// Runs the whole life of the program; returns its exit status. argv[0] is passed over. Call it in main(), before
// there are other threads. Status 0: the program has done its work; 1 (status_cannot): something cannot be read,
// stored or reached; 2: wrong usage; 4: a system exception.
int run_service(int argc, char** argv, const ServiceDescription& description);

// "callis naming".
std::string command_of(const ServiceDescription& description);
// Returns the text that --help prints.
std::string usage(const ServiceDescription& description);

}  // namespace callis::services
