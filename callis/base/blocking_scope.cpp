// SPDX-License-Identifier: Apache-2.0
#include <callis/base/blocking_scope.h>

namespace callis {

constinit thread_local WorkerGroup* WorkerGroup::mine_ __attribute__((tls_model("initial-exec"))) = nullptr;

void BlockingScope::begin() noexcept {
  WorkerGroup::mine_ = nullptr;
  crew_->leaves();
}

void BlockingScope::end() noexcept {
  crew_->returns();
  WorkerGroup::mine_ = crew_;
}

}  // namespace callis
