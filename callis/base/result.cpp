// SPDX-License-Identifier: Apache-2.0
#include <callis/base/result.h>
#include <cstring>

namespace callis {

std::string Error::text() const {
  std::string s = fault_name(fault);
  if (!detail.empty()) s += ": " + detail;
  if (os_error != 0) s += " (errno " + std::to_string(os_error) + ", " + std::strerror(os_error) + ")";
  return s;
}

}  // namespace callis
