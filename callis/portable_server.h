// SPDX-License-Identifier: Apache-2.0
// The names of module PortableServer (CORBA 3.3 part 1, 15; C++ mapping 1.3, 4.33 ff.).
#pragma once
#include <callis/base/cxx20.h>
#include <callis/forward.h>
#include <callis/poa/servant/caller.h>
#include <callis/poa/servant/current.h>
#include <callis/poa/servant/object_id.h>
#include <callis/poa/servant/poa.h>
#include <callis/poa/servant/policy.h>
#include <callis/poa/servant/policy_values.h>
#include <callis/poa/servant/servant.h>
#include <callis/poa/servant/servant_manager.h>
#include <callis/poa/servant/value_servant.h>
