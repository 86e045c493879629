// SPDX-License-Identifier: Apache-2.0
#include "ladder.h"

namespace ladder {
const char* const kRung = LADDER_RUNG;
}
