// SPDX-License-Identifier: Apache-2.0
// The header that a generated x.hh includes for CosTradingRepos.idl.
#pragma once
#include <CosTradingRepos.h>
#include <CosTradingRepos_skel.h>
