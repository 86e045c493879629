// SPDX-License-Identifier: Apache-2.0
// Features: parts of callis that a program may be linked without (docs/guide/small-programs.md).
//
// A feature is one or more object files of its library. What every program has refers to their functions weakly
// (CALLIS_OPTIONAL on the declaration), so that the linker takes them only where something else asks for them: an
// option of the linker, "-u callis_feature_NAME", which every program gets unless CMake's callis_minimal() has left
// it out; or a feature that needs another one. Whoever calls such a function has asked before whether the feature is
// there, mostly by the object that the feature has made.
#pragma once

// Of a function that a feature defines: its address is 0 where the program has not got it.
#define CALLIS_OPTIONAL [[gnu::weak]]

// In namespace scope, where it is asked for: CALLIS_FEATURE(pool); and then CALLIS_HAS(pool).
#define CALLIS_FEATURE(name) extern "C" [[gnu::weak]] const char callis_feature_##name
#define CALLIS_HAS(name) (&callis_feature_##name != nullptr)

// In namespace scope of one of the feature's files.
#define CALLIS_PROVIDE(name)                 \
  extern "C" {                               \
  extern const char callis_feature_##name;   \
  const char callis_feature_##name = 0;      \
  }                                          \
  static_assert(true)

// On a definition: what a program has that was linked without the feature whose own definition takes its place. It
// stands in a file that every such program has.
#define CALLIS_FALLBACK [[gnu::weak]]
