// SPDX-License-Identifier: Apache-2.0
// What generated code needs of an ORB, without one: object references are numbers.
#pragma once
#include <callis/marshal/testing/reference_codec.h>

namespace differential {

// On the wire a text and the number, the way callis/marshal/testing/reference_codec.h writes them; installed as the
// engine's reference handlers too.
const callis::marshal::testing::ReferenceHooks& references();

}  // namespace differential
