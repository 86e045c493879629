// SPDX-License-Identifier: Apache-2.0
// RtInfo: what the scheduler knows of an operation, as in the papers on TAO's Scheduling Service (RT_Info, Harrison,
// Levine and Schmidt 1997; Gill, Levine and Schmidt 1999); and Dependency: that one calls another.
//
// All times are nanoseconds of one processor. Plain values; Model checks them.
#pragma once
#include <chrono>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace callis::scheduling {

using Time = std::chrono::nanoseconds;

// An RT_Info is known by its number in the Model, from 0 on.
using Index = std::uint32_t;
inline constexpr Index kNobody = std::numeric_limits<Index>::max();

// What the operation is worth; for dynamic schedulers (maximum urgency first). Fixed priorities do not look at it.
enum class Criticality : std::uint8_t { VeryLow, Low, Medium, High, VeryHigh };
// Which of two operations of the same rate, or deadline, goes first.
enum class Importance : std::uint8_t { VeryLow, Low, Medium, High, VeryHigh };

// Operation: runs for each call. Or: runs whenever one of its callers has called (the papers' DISJUNCTION); so does
// an operation, so the word is for nodes of the event channel. And: runs when all of its callers have called, once
// for each set of calls (CONJUNCTION).
enum class InfoKind : std::uint8_t { Operation, And, Or };

// A critical section: the longest time for which one execution of the operation holds the lock at a stretch.
struct Lock {
  std::string name;
  Time longest{0};
};

struct RtInfo {
  std::string entry_point;  // unique; "Module::Interface::operation" of what comes from IDL
  InfoKind kind = InfoKind::Operation;
  Time worst_case{0};  // execution time of one call, without what it calls; 0: not known yet, or nothing (And, Or)
  Time typical{0};     // 0: as the worst case
  Time cached{0};      // when the server's data are in its caches; 0: as typical
  Time period{0};      // 0: passive; runs when it is called
  Time deadline{0};    // from the moment at which the chain of calls begins; 0: its period
  Time jitter{0};      // of the release, of what has a period
  Time blocking{0};    // beyond what `locks` say
  Criticality criticality = Criticality::Medium;
  Importance importance = Importance::Medium;
  Time quantum{0};            // of the time slices of a background operation; 0: none
  std::uint32_t threads = 1;  // that run it, each once a period
  std::vector<Lock> locks;
  std::string where;  // "FILE:LINE:COLUMN" of who says so, for messages; empty: no file does
};
// What is wrong with it, with its place if it has one.
std::string placed(const RtInfo& info, const std::string& text);

// TwoWay: the caller waits, so the called operation runs in the caller's time, at the caller's priority. OneWay: the
// called operation runs by itself, at its own priority, as often as it is called.
enum class CallKind : std::uint8_t { OneWay, TwoWay };

struct Dependency {
  Index caller = kNobody;
  Index called = kNobody;
  CallKind kind = CallKind::TwoWay;
  std::uint32_t times = 1;  // calls in one execution of the caller
};

// Whatever comes from outside is held to these.
struct Bounds {
  std::size_t infos = 20'000;
  std::size_t dependencies = 100'000;
  std::size_t streams = 100'000;      // pairs of an operation and a period at which it runs
  std::size_t name_bytes = 1'000;     // of entry points and locks
  std::size_t locks = 100'000;        // of all operations
  std::uint32_t times = 1'000'000;    // calls in one execution
  std::uint32_t threads = 1'000;      // of one operation
  std::uint64_t steps = 300'000'000;  // of one response-time analysis; what needs more is not proved
};
// Longest time that may be given: eleven days and a half.
inline constexpr Time kLongestTime{1'000'000'000'000'000};

std::string_view word_of(InfoKind kind);      // "operation", "and", "or"
std::string_view word_of(CallKind kind);      // "oneway", "twoway"
std::string_view word_of(Criticality value);  // "very-low" ... "very-high"
std::string_view word_of(Importance value);
// False where no such word is: nothing is changed then. Underscores are taken for hyphens.
bool from_word(std::string_view word, InfoKind& out);
bool from_word(std::string_view word, CallKind& out);
bool from_word(std::string_view word, Criticality& out);
bool from_word(std::string_view word, Importance& out);

}  // namespace callis::scheduling
