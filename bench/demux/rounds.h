// SPDX-License-Identifier: Apache-2.0
// Measuring several systems in turn, and the lines that carry the results:
//
//   {"system": "demux-linear", "case": "operations100/random", "metric": "ns", "value": 93.1, "round": 0}
#pragma once
#include <cstdio>
#include <functional>
#include <string>
#include <vector>
#include "../common/measure.h"

namespace bench::demux {

// One system of a case. batch(n): does n times what is measured, checks the results, returns the nanoseconds.
struct Contestant {
  std::string system;
  std::function<double(std::size_t n)> batch;
  std::size_t n = 16;  // in a batch
};

inline void print(const std::string& system, const std::string& name, const char* metric, double value, int round) {
  std::printf("{\"system\": \"%s\", \"case\": \"%s\", \"metric\": \"%s\", \"value\": %.3f, \"round\": %d}\n",
              system.c_str(), name.c_str(), metric, value, round);
  std::fflush(stdout);
}

// Nanoseconds of one. A round is a batch of each contestant in turn, every other round in the other order; a batch
// takes about batch_us microseconds.
inline void run_rounds(const std::string& name, std::vector<Contestant>& contestants, int rounds, double batch_us) {
  for (Contestant& c : contestants) c.batch(1024);  // warm
  for (Contestant& c : contestants)
    while (c.batch(c.n) < batch_us * 1000 && c.n < 100'000'000) c.n *= 2;
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < contestants.size(); ++i) {
      Contestant& c = contestants[round % 2 ? contestants.size() - 1 - i : i];
      print(c.system, name, "ns", c.batch(c.n) / static_cast<double>(c.n), round);
    }
  }
}

// "1,10,500"
inline std::vector<std::size_t> numbers(const std::string& text) {
  std::vector<std::size_t> all;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = text.find(',', at);
    if (end == std::string::npos) end = text.size();
    all.push_back(std::stoull(text.substr(at, end - at)));
    at = end + 1;
  }
  return all;
}

// The last entry, or one drawn for each place of a ring.
inline std::vector<std::size_t> draw(bool worst, std::size_t ring, std::size_t entries, std::uint64_t& random) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < ring; ++i) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    all.push_back(worst ? entries - 1 : (random >> 32) % entries);
  }
  return all;
}

struct Sizes {
  std::vector<std::size_t> operations, objects, poas;
  int rounds;
  double batch_us;
  int cold;  // lookups a round with cold predictor and caches; 0: none

  // --operations 1,10 --objects 1,10 --poas 1 --rounds N --batch-us N --cold N
  Sizes(int argc, char** argv)
      : operations(numbers(option(argc, argv, "operations", "1,10,50,100,500"))),
        objects(numbers(option(argc, argv, "objects", "1,10,100,500,1000,10000"))),
        poas(numbers(option(argc, argv, "poas", "1,2,5,10,25,50"))),
        rounds(std::stoi(option(argc, argv, "rounds", "9"))),
        batch_us(std::stod(option(argc, argv, "batch-us", "2000"))),
        cold(std::stoi(option(argc, argv, "cold", "0"))) {}

  static std::string option(int argc, char** argv, const std::string& name, const char* otherwise) {
    for (int i = 1; i + 1 < argc; ++i)
      if (argv[i] == "--" + name) return argv[i + 1];
    return otherwise;
  }
};

}  // namespace bench::demux
