// SPDX-License-Identifier: Apache-2.0
// Module CosPropertyService, of callis's component properties. Programs link callis::properties.
#pragma once
#include <tao/PortableServer/PortableServer.h>

#include <CosPropertyService.h>
