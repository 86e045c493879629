// SPDX-License-Identifier: Apache-2.0
#include <callis/base/text.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/client/call_faults.h>

namespace callis::orb {

void bad_results(const CallOperation& operation, Fault f) {
  throw_fault(f, concat({"results of ", operation.name}), Step::DecodeReply);
}

void bad_arguments(const CallOperation& operation, Fault f) {
  throw_fault(f, operation.name, Step::Encode);
}

}  // namespace callis::orb
