// SPDX-License-Identifier: Apache-2.0
// Which form the code of callis-idl has. Another number for each change after which old generated code would compile
// and be wrong: frames of calls, tables, what stubs and skeletons are called with.
#pragma once

namespace callis {

inline constexpr int kGeneratedForm = 1;

}  // namespace callis
