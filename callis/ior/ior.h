// SPDX-License-Identifier: Apache-2.0
// The IOR library: interoperable object references (CORBA 3.3 part 2, clauses 7.6, 7.10 and 9.7).
//
//   reference.h       Ior, TaggedProfile, TaggedComponent: values, CDR in and out
//   iiop_profile.h    the body of IIOP and UIOP profiles and their components: addresses, sockets, ORB type
//   memory_profile.h  the body of profiles for the memory transport
//   code_sets.h       TAG_CODE_SETS and the choice of a transmission code set
//   policy_values.h   TAG_POLICIES, and the service context of the same form
//   text.h            "IOR:...", "corbaloc:..." and "corbaname:..." to and from text
//   describe.h        a reference for people
//
//   Ior ── profiles ── TaggedProfile {tag, bytes} ──parse_iiop()──→ IiopProfile {host, port, key, components}
//                                                 ──parse_uiop()───→ the same, with a path
//                                                 ──parse_memory()─→ MemoryProfile {endpoint, key}
//
// References come from peers, files and command lines and are hostile: every read is bounded by Limits
// and ends in a value or a fault. Values are plain and belong to whoever holds them; functions here keep no
// state and may be called by any thread.
#pragma once
#include <callis/ior/code_sets.h>
#include <callis/ior/describe.h>
#include <callis/ior/iiop_profile.h>
#include <callis/ior/memory_profile.h>
#include <callis/ior/policy_values.h>
#include <callis/ior/reference.h>
#include <callis/ior/tags.h>
#include <callis/ior/text.h>
#include <callis/ior/version.h>
