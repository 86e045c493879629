// SPDX-License-Identifier: Apache-2.0
// Generated code in libraries that a program loads and unloads (plugins). Plans, templates of requests and exceptions
// hold addresses in the tables of that code. So the library stays in memory from its first call on: dlclose() ends it
// as far as the program sees, and dlopen() finds it again. Feature plugins.
#pragma once
#include <callis/base/feature.h>

CALLIS_FEATURE(plugins);

namespace callis {

// The library, or the program, in which this address lies is never unloaded. Any thread; nothing throws.
CALLIS_OPTIONAL void keep_loaded(const void* address) noexcept;

}  // namespace callis
