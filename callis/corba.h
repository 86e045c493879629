// SPDX-License-Identifier: Apache-2.0
// Namespace CORBA, spelled as the OMG spells it: what applications and generated code include.
#pragma once
#include <callis/base/cxx20.h>
#include <callis/classic/classic.h>
#include <callis/forward.h>
#include <callis/orb/base/abstract.h>
#include <callis/orb/base/object.h>
#include <callis/orb/base/operation_context.h>
#include <callis/orb/base/orb.h>
#include <callis/typecode/typecode.h>
#include <callis/value/value.h>
