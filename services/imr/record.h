// SPDX-License-Identifier: Apache-2.0
// Record: what the repository knows of a server by heart: how it is started, and which keys are its own. In a Store
// it is a text; on the wire CallisImr::Server.
#pragma once
#include <callis/base/bytes.h>
#include <services/imr/machine.h>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace callis::imr {

struct Record {
  std::string name;
  std::vector<std::string> command;  // the program, an absolute path, and its arguments
  std::vector<std::pair<std::string, std::string>> variables;
  std::string directory, user, activator;
  Activation activation = Activation::OnDemand;
  std::uint32_t start_limit = 5;
  std::uint32_t first_pause_ms = 1'000, longest_pause_ms = 60'000;
  std::uint32_t start_deadline_ms = 60'000, stop_deadline_ms = 10'000;
  std::string endpoint;                    // HOST:PORT
  std::vector<std::string> key_prefixes;   // bytes
  // Of those with a process for each client: at once; and how long one lives that no client is connected to.
  std::uint32_t max_processes = 100, linger_ms = 30'000;

  friend bool operator==(const Record&, const Record&) = default;
};

inline constexpr std::size_t kMostRecordBytes = 64u << 10;  // of all texts of one together
inline constexpr std::uint32_t kMostProcesses = 10'000;
inline constexpr std::size_t kMostWords = 256, kMostPrefixes = 64, kMostPrefixBytes = 256;

// Why it cannot be taken, in a sentence; empty: it can. From an operator or a store.
std::string problem_with(const Record& record);

Terms terms_of(const Record& record);
// What one takes in memory, rather too much.
std::size_t cost_of(const Record& record);

std::string to_text(const Record& record);
// Nothing where it is no such text.
std::optional<Record> from_text(std::string_view text);

// "HOST:PORT", "[ADDRESS]:PORT".
struct HostPort {
  std::string host;
  std::uint16_t port;
};
std::optional<HostPort> parse_host_port(std::string_view text);

std::optional<std::string> bytes_of_hex(std::string_view hex);
std::string hex_of(std::string_view bytes);

}  // namespace callis::imr
