// SPDX-License-Identifier: Apache-2.0
// What the code of callis-idl and the runtime agree on.
#pragma once

namespace callis {

// Which form the code has. Another number for each change after which old generated code would compile and be wrong:
// frames of calls, tables, names, what stubs and skeletons are called with.
inline constexpr int kGeneratedForm = 3;

// Every ORB has the OMG's modules, CORBA::Object and its kin, and one process may hold two ORBs: a program's, and a
// plugin's. The linker knows a function by its name alone, and would give both the one that it finds first. So the
// OMG's modules hold an inline namespace, in the runtime and in generated code, with their POA_ and OBV_:
//
//     namespace CORBA::inline callis_orb { class Object ... }
//
// Programs write CORBA::Object; the linker and the debugger know it as CORBA::callis_orb::Object. The name is not
// `callis`, which code inside of CORBA would find in place of ::callis. docs/design/names.md has the reasons.
inline constexpr char kInlineNamespace[] = "callis_orb";

}  // namespace callis
