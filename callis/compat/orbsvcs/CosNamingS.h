// SPDX-License-Identifier: Apache-2.0
// Skeletons of module CosNaming, of callis's component naming.
#pragma once
#include <orbsvcs/CosNamingC.h>
#include <tao/PortableServer/PortableServer.h>

#include <CosNaming_skel.h>
