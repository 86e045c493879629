// SPDX-License-Identifier: Apache-2.0
// What every measuring program of a peer shares: its command line, its reference file and its result lines. No
// middleware in here. README.md beside this folder has the contract that they keep.
#pragma once
#include "../../common/measure.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

inline std::vector<std::string> words(const std::string& text, char separator = ',') {
  std::vector<std::string> all;
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, separator);) all.push_back(word);
  return all;
}

struct Options {
  std::string suite, reference;
  int calls = 20'000;                   // param_test and demux; struct_sequence makes a tenth
  std::vector<std::string> operations;  // param_test; empty: all
  std::uint64_t megabytes = 64;         // ttcp: total of a point
  std::vector<std::string> types;       // ttcp; empty: all
  std::vector<std::uint64_t> sizes;     // ttcp: bytes of a buffer
  bool buffered = false;                // ttcp: one-ways are held back and sent together
  bool opaque = false;                  // ttcp: buffers travel as opaque bytes
  int clients = 1;                      // scale
  double seconds = 5;                   // scale
  int objects = 1;                      // demux
  int server = 0;                       // core: the server's process
  std::string alone;                    // core: the reference of another server
  bool unix_socket = false;             // raw: over a Unix-domain socket instead of TCP
  bool corrupt = false;                 // for tests: a server answers, a ttcp client sends, one wrong value
};

inline std::uint64_t bytes_of(const std::string& size) {  // 64K, 1M
  std::size_t end = 0;
  const std::uint64_t n = std::stoull(size, &end);
  const std::string unit = size.substr(end);
  if (unit.empty()) return n;
  if (unit == "K") return n << 10;
  if (unit == "M") return n << 20;
  throw std::invalid_argument("no such size: " + size);
}

inline bool set_flag(Options& o, const std::string& name) {
  if (name == "--buffered") return o.buffered = true;
  if (name == "--opaque") return o.opaque = true;
  if (name == "--unix") return o.unix_socket = true;
  if (name == "--corrupt") return o.corrupt = true;
  return false;
}

inline auto sizes(const std::string& text) {
  decltype(Options::sizes) all;
  for (const auto& size : words(text)) all.push_back(bytes_of(size));
  return all;
}

inline bool set_value(Options& o, const std::string& name, const std::string& value) {
  if (name == "--reference")
    o.reference = value;
  else if (name == "--calls")
    o.calls = std::stoi(value);
  else if (name == "--operations")
    o.operations = words(value);
  else if (name == "--megabytes")
    o.megabytes = std::stoull(value);
  else if (name == "--types")
    o.types = words(value);
  else if (name == "--sizes")
    o.sizes = sizes(value);
  else if (name == "--clients")
    o.clients = std::stoi(value);
  else if (name == "--seconds")
    o.seconds = std::stod(value);
  else if (name == "--objects")
    o.objects = std::stoi(value);
  else if (name == "--server")
    o.server = std::stoi(value);
  else if (name == "--alone")
    o.alone = value;
  else
    return false;
  return true;
}

// SUITE --name value ...; throws on what it does not know.
inline Options parse(int argc, char** argv) {
  Options o;
  for (std::uint64_t k = 10; k <= 17; ++k) o.sizes.push_back(std::uint64_t{1} << k);
  o.sizes.insert(o.sizes.end(), {std::uint64_t{1} << 18, std::uint64_t{1} << 20});
  if (argc < 2) throw std::invalid_argument("no suite is named");
  o.suite = argv[1];
  for (int i = 2; i < argc; ++i) {
    if (set_flag(o, argv[i])) continue;
    if (i + 1 >= argc || !set_value(o, argv[i], argv[i + 1]))
      throw std::invalid_argument(std::string("unknown option: ") + argv[i]);
    ++i;
  }
  if (o.reference.empty()) throw std::invalid_argument("--reference is missing");
  return o;
}

inline bool wanted(const std::vector<std::string>& list, std::string_view name) {
  for (const auto& each : list)
    if (each == name) return true;
  return list.empty();
}

// Where servers listen, and clients find them: BENCH_HOST, else the loopback.
inline const char* host() {
  const char* name = std::getenv("BENCH_HOST");
  return name ? name : "127.0.0.1";
}

// The server's word that it can be called: the lines its client needs, complete or not there at all.
inline void publish(const Options& o, const std::vector<std::string>& lines) {
  const std::string unfinished = o.reference + ".new";
  {
    std::ofstream out(unfinished);
    for (const auto& line : lines) out << line << '\n';
    if (!out.flush()) throw std::runtime_error("cannot write " + unfinished);
  }
  if (std::rename(unfinished.c_str(), o.reference.c_str()) != 0)
    throw std::runtime_error("cannot write " + o.reference);
  std::cout << "ready" << std::endl;
}

inline std::vector<std::string> read_reference(const Options& o) {
  std::ifstream in(o.reference);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  if (lines.empty()) throw std::runtime_error("nothing in " + o.reference);
  return lines;
}

[[noreturn]] inline void no_such_suite(const Options& o) {
  throw std::invalid_argument("this peer has no suite " + o.suite);
}

// Runs body(options); exceptions become a text and exit status 1.
template <class Body>
int guarded(int argc, char** argv, Body&& body) {
  try {
    body(parse(argc, argv));
    return 0;
  } catch (const std::exception& e) {
    std::cerr << "bench: " << e.what() << std::endl;
  }
  return 1;
}

}  // namespace bench
