// SPDX-License-Identifier: Apache-2.0
#include <callis/base/blocking_scope.h>

namespace callis {

constinit thread_local WorkerGroup* WorkerGroup::mine_ __attribute__((tls_model("initial-exec"))) = nullptr;

void BlockingScope::begin(Wait what) noexcept {
  WorkerGroup::mine_ = nullptr;
  group_->leaves(what);
}

void BlockingScope::end() noexcept {
  group_->returns();
  WorkerGroup::mine_ = group_;
}

}  // namespace callis
