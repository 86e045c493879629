// SPDX-License-Identifier: Apache-2.0
// A schedule for people and for programs. The schedule is one of the model, which has not changed since.
#pragma once
#include <services/scheduling/schedule.h>

namespace callis::scheduling {

std::string_view word_of(Policy policy);  // "rate-monotonic", "deadline-monotonic"

// A line for each RT_Info, from the highest priority; utilisation, bounds, the verdict, notes.
std::string table_text(const Model& model, const Schedule& schedule);
// The same and more, for programs. Times are nanoseconds.
std::string json_text(const Model& model, const Schedule& schedule);
// C++: the priority of each operation as a constant, in the namespace (an identifier, or several with "::"); the
// lanes.
std::string header_text(const Model& model, const Schedule& schedule, const std::string& name_space);
// The critical instant: everything is released at once, and what runs then, as SVG; by the simulation. span: how much
// of it; 0: the longest period, and half of it more where a deadline is missed. Of more than 100 operations those of
// the highest lanes.
std::string svg_text(const Model& model, const Schedule& schedule, Time span = Time(0));

// The periods at which it runs: "25ms", "25ms*2 + 50ms"; "called" inside others, "background".
std::string rate_text(const Model& model, const Schedule& schedule, Index info);

}  // namespace callis::scheduling
