// SPDX-License-Identifier: Apache-2.0
// RT_Infos from annotations of IDL (docs/guide/scheduling.md):
//
//   interface Display {
//     @rt(period = "25ms", wcet = "2ms", importance = high)
//     @rt_calls(operation = "Nav::Map::lookup", times = 2)
//     void update();
//   };
//
// The entry point is the scoped name, Nav::Display::update. Operations without @rt are not scheduled.
#pragma once
#include <idl/driver/compile.h>
#include <services/scheduling/model.h>

namespace callis::scheduling {

// Adds what the main file of the unit annotates; several units may be added one after the other, then add_idl_calls()
// for each. Throws Refused: "file:line:column: error: ...".
void add_idl(Model& model, const idl::driver::Compilation& compilation);
// The dependencies, when the operations of all files are there.
void add_idl_calls(Model& model, const idl::driver::Compilation& compilation);

}  // namespace callis::scheduling
