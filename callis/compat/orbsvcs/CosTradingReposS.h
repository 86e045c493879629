// SPDX-License-Identifier: Apache-2.0
// Module CosTradingRepos, of callis's component trading. Programs link callis::trading.
#pragma once
#include <tao/PortableServer/PortableServer.h>

#include <CosTradingRepos_skel.h>
