// SPDX-License-Identifier: Apache-2.0
// Namespace CORBA, spelled as the OMG spells it: what applications and generated code include.
#pragma once
#include <callis/classic/classic.h>
#include <callis/orb/abstract.h>
#include <callis/orb/context.h>
#include <callis/orb/object.h>
#include <callis/orb/orb.h>
#include <callis/typecode/typecode.h>
#include <callis/value/value.h>
