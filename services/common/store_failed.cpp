// SPDX-License-Identifier: Apache-2.0
#include <callis/base/log.h>
#include <callis/corba.h>
#include <services/common/store_failed.h>

namespace callis::services {

void raise(const StoreFailed& failed) {
  if (failed.kind() != StoreFailed::TooLarge)  // which is the client's own doing
    log(LogLevel::Error, {"a client's change is refused: ", failed.what()});
  const CORBA::CompletionStatus completed = failed.maybe_applied() ? CORBA::COMPLETED_MAYBE : CORBA::COMPLETED_NO;
  switch (failed.kind()) {
    case StoreFailed::Full: throw CORBA::NO_RESOURCES(0, completed, failed.what());
    case StoreFailed::Unreachable: throw CORBA::TRANSIENT(0, completed, failed.what());
    case StoreFailed::TooLarge: throw CORBA::IMP_LIMIT(0, completed, failed.what());
    default: throw CORBA::PERSIST_STORE(0, completed, failed.what());
  }
}

}  // namespace callis::services
