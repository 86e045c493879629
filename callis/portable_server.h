// SPDX-License-Identifier: Apache-2.0
// The names of module PortableServer (CORBA 3.3 part 1, 15; C++ mapping 1.3, 4.33 ff.).
#pragma once
#include <callis/poa/current.h>
#include <callis/poa/object_id.h>
#include <callis/poa/poa.h>
#include <callis/poa/policy.h>
#include <callis/poa/servant.h>
#include <callis/poa/value_servant.h>
#include <callis/poa/servant_manager.h>
