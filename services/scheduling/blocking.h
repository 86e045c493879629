// SPDX-License-Identifier: Apache-2.0
// For how long lower lanes can keep each lane from running, by the locks that they hold.
#pragma once
#include <services/scheduling/model.h>

namespace callis::scheduling {

// order: every RT_Info, callers before what they call. lanes: of each RT_Info, or kNoLevel. The result: of each lane.
// Refuses locks whose times add up to more than 36 years.
std::vector<Time> blocking_of_lanes(const Model& model, const std::vector<Index>& order,
                                    const std::vector<std::uint32_t>& lanes, std::size_t lane_count);

}  // namespace callis::scheduling
