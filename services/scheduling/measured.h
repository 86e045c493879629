// SPDX-License-Identifier: Apache-2.0
// Execution times that were measured, as text, a line each, in words between single blanks:
//
//   callis-times 1
//   op CALLS GREATEST TOTAL NAME ID    NAME as on the wire; ID: the repository id of the interface; nanoseconds
//   le UPTO CALLS                      of the op before: so many of its calls took more than the UPTO of the line
//   before
//                                      (0 at first) and at most UPTO nanoseconds; UPTO rises
//
// In NAME and ID bytes outside of '!' to '~', and '%', are %XX. Lines that begin with '#' are passed over. The times
// are those of the processor, without what the operation calls; calls that waited do not seem longer.
#pragma once
#include <services/scheduling/model.h>

namespace callis::scheduling {

struct MeasuredOperation {
  struct Bucket {
    Time up_to{0};
    std::uint64_t calls = 0;
  };
  std::string name, repository_id;
  std::uint64_t calls = 0;
  Time greatest{0}, total{0};
  std::vector<Bucket> buckets;

  // What half of the calls took at most, as far as the buckets tell; the mean where there are none.
  Time typical() const;
  // As IDL's names in RT_Infos: "IDL:omg.org/Nav/Display:1.0" and "update" are "Nav::Display::update".
  std::string entry_point() const;
};

inline constexpr std::size_t kMostMeasuredBytes = 16u << 20, kMostMeasuredOperations = 100'000, kMostBuckets = 200;

// Throws Refused: "file:line:1: error: ...".
std::vector<MeasuredOperation> read_measured(std::string_view text, const std::string& file);
std::string to_text(const std::vector<MeasuredOperation>& operations);

struct Merged {
  std::size_t taken = 0;           // RT_Infos that had no worst case, and have the measured one now
  std::size_t raised = 0;          // that took longer than they were said to
  std::size_t confirmed = 0;       // that did not
  std::vector<std::string> notes;  // a line for each that was raised, and for what the model does not have
};
// Several measurements of one operation count as one. margin_percent: added to what is taken from a measurement, as
// the longest time seen is seldom the longest there is.
Merged merge(Model& model, const std::vector<MeasuredOperation>& operations, std::uint32_t margin_percent);

}  // namespace callis::scheduling
