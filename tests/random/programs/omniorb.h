// SPDX-License-Identifier: Apache-2.0
// Precompiled for what omniidl makes of random files.
#pragma once
#include "host.h"
#include <map>
