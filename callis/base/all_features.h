// SPDX-License-Identifier: Apache-2.0
// How programs get all features of callis (feature.h), however they are linked.
//
// Each library with features has an array callis_features_NAME, written by CMake, which refers to all of them and to
// the arrays of the libraries below it. Where the array is linked, they are.
#pragma once

// In namespace scope of a file that every program has which uses that library: has the linker take the array. What
// leaves features out has defined the array by an option of the linker (CMake's callis_minimal()).
#define CALLIS_WANT_FEATURES(library)                       \
  extern "C" const void* const callis_features_##library[]; \
  [[gnu::used]] static const void* const* const callis_wanted_features = callis_features_##library
