// SPDX-License-Identifier: Apache-2.0
// What servers do about the end times that clients tell (CORBA 3.0.3, 22.2.4.2): requests that come too late are not
// executed. Programs without this feature execute them.
#pragma once
#include <callis/base/bytes.h>
#include <callis/base/feature.h>
#include <callis/classic/exception.h>
#include <memory>

CALLIS_FEATURE(end_times);

namespace callis::orb {

struct Options;

// Why a request with these INVOCATION_POLICIES is refused: its time has passed, or they cannot be read. nullptr: it
// is not.
CALLIS_OPTIONAL std::unique_ptr<CORBA::SystemException> refusal_of(const Options& options, ByteView policies);

}  // namespace callis::orb
