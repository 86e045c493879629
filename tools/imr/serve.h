// SPDX-License-Identifier: Apache-2.0
// callis imr serve, and callis imr activator.
#pragma once
#include <services/common/program.h>

namespace callis::imr {

services::ServiceDescription describe();
// callis imr activator.
services::ServiceDescription describe_activator();

}  // namespace callis::imr
