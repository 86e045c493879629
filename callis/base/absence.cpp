// SPDX-License-Identifier: Apache-2.0
#include <callis/base/absence.h>

namespace callis {

constinit thread_local Crew* Crew::mine_ __attribute__((tls_model("initial-exec"))) = nullptr;

void Absence::begin() noexcept {
  Crew::mine_ = nullptr;
  crew_->leaves();
}

void Absence::end() noexcept {
  crew_->returns();
  Crew::mine_ = crew_;
}

}  // namespace callis
