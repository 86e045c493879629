// SPDX-License-Identifier: Apache-2.0
// Sources and types of the events of this plant.
#pragma once

namespace plant {

enum Source { kPressure = 1, kTemperature = 2, kControl = 3 };
enum Type { kReading = 16, kEnd = 17 };  // the first that suppliers may send is 16

}  // namespace plant
