// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/core/interface_def.h>
#include "interface_def.h"

namespace plain {
#include "interface_def.inc"
}
