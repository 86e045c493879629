// SPDX-License-Identifier: Apache-2.0
// Options: the settings of an ORB, from the command line, the environment and a file. option_list.h has the table of
// options, and docs/guide/options.md explains them.
//
// The command line comes before the environment, and the environment before the file that -ORBConfigFile or
// CALLIS_CONFIG names. An option that is given nowhere has its default. Endpoints given in one place replace all
// endpoints of the places before. So do published addresses, for their endpoint, and initial references of the same
// id.
#pragma once
#include <callis/base/clock.h>
#include <callis/base/limits.h>
#include <callis/base/result.h>
#include <callis/ior/iiop_profile.h>
#include <callis/ior/tags.h>
#include <callis/ior/version.h>
#include <callis/orb/options/demultiplexing.h>
#include <callis/orb/options/transport.h>
#include <string>
#include <utility>
#include <vector>

namespace callis::orb {

inline constexpr std::chrono::microseconds kSpin{100};  // the default of -ORBSpin

// Messaging::SyncScope, in its order. On GIOP 1.0 and 1.1 Server and Target are as Transport.
enum class SyncScope : std::uint8_t { None, Transport, Server, Target };

// The encoding of chars in memory, and the preferred form of wide characters sent here (docs/guide/code-sets.md).
enum class CharCodeSet : std::uint8_t { Latin1, Utf8 };
enum class WcharCodeSet : std::uint8_t { Utf16, Ucs2, Ucs4 };

// The threads that serve accepted connections. Connection: a thread each, up to Limits::max_connection_threads, and
// the pool serves the others. Pool: the pool serves all. Single: the application's threads, inside run() and
// perform_work().
enum class ServerThreads : std::uint8_t { Connection, Pool, Single };

// BiDirPolicy: whether calls use bidirectional GIOP, unless a policy decides. Also says which listen points are
// believed: only points at the sender's address, or all.
enum class Bidirectional : std::uint8_t { Normal, Both };
enum class ListenPoints : std::uint8_t { Own, Any };

// The sides that keep to the end times that policies set for requests and replies (CORBA 3.0.3, 22.2.4).
enum class EndTimes : std::uint8_t { Everywhere, Client };

struct Options {
  static constexpr std::uint8_t kLogUntold = 255;

  std::string orb_id;
  std::string server_id;
  std::uint8_t log_level = kLogUntold;  // LogLevel
  std::vector<EndpointOption> endpoints;  // empty: TCP with its defaults
  std::uint32_t unix_permissions = 0600;
  ior::Version version{1, 2};
  Limits limits;
  std::size_t fragment_bytes = 0;
  SyncScope sync_scope = SyncScope::Transport;
  Collocation collocation = Collocation::ThroughAdapter;  // if adapters do not say otherwise, like the next
  Demultiplexing demultiplexing;
  bool unguessable_keys = false;
  bool keep_exception_texts = false;   // servants' texts in system exceptions are not sent
  bool leave_out_code_sets = false;    // of references made here
  std::string forward_to;  // the places to which peers may lead calls: forward_to.h; empty: outward
  bool share_connections = false;
  std::uint32_t max_connections_per_server = 0;
  bool no_idle_watch = false;
  Bidirectional bidirectional = Bidirectional::Normal;
  ListenPoints listen_points = ListenPoints::Own;
  EndTimes end_times = EndTimes::Everywhere;
  CharCodeSet char_code_set = CharCodeSet::Latin1;
  WcharCodeSet wchar_code_set = WcharCodeSet::Utf16;
  // The same as their numbers in the registry.
  std::uint32_t native_char() const { return char_code_set == CharCodeSet::Utf8 ? ior::kUtf8 : ior::kIso8859_1; }
  std::uint32_t native_wchar() const {
    return wchar_code_set == WcharCodeSet::Utf16  ? ior::kUtf16
           : wchar_code_set == WcharCodeSet::Ucs2 ? ior::kUcs2
                                                  : ior::kUcs4;
  }
  ServerThreads server_threads = ServerThreads::Connection;
  std::chrono::microseconds spin = kSpin;
  std::vector<std::pair<std::string, std::string>> initial_references;
  std::string default_initial_reference;
};

// Is told every value that is taken, in the order in which the values take effect.
class OptionWatcher {
 public:
  // option: index in kOptionList. where: "-ORBSpin", "CALLIS_SPIN", "orb.conf:3".
  virtual void took(std::size_t option, std::string_view value, std::string_view where) = 0;

 protected:
  ~OptionWatcher() = default;
};

// Reads file, environment and argv, and removes the options from argv, adjusting argc and keeping the order of the
// rest. Anything in argv that starts with -ORB and is not in the table is an error (Fault::BadText). So is an unknown
// key of the file, or a bad value. The error's text names the option and its place; argc and argv are untouched then.
// Case does not matter in names. argv may be nullptr when argc is 0.
Result<Options> parse_options(int& argc, char** argv, OptionWatcher* watcher = nullptr);

}  // namespace callis::orb
