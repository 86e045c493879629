// SPDX-License-Identifier: Apache-2.0
// Module CosLifeCycle, of callis's component lifecycle. Programs link callis::lifecycle.
#pragma once
#include <tao/PortableServer/PortableServer.h>

#include <CosLifeCycle.h>
