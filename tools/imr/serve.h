// SPDX-License-Identifier: Apache-2.0
// callis imr serve.
#pragma once
#include <services/common/program.h>

namespace callis::imr {

services::ServiceDescription describe();

}  // namespace callis::imr
