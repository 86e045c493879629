// SPDX-License-Identifier: Apache-2.0
// Module CosTradingDynamic, of callis's component trading. Programs link callis::trading.
#pragma once
#include <tao/PortableServer/PortableServer.h>

#include <CosTradingDynamic.h>
