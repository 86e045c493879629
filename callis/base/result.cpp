// SPDX-License-Identifier: Apache-2.0
#include <callis/base/result.h>
#include <callis/base/text.h>
#include <cstring>

namespace callis {

std::string Error::text() const {
  const std::string_view name = fault_name(fault), colon = detail.empty() ? "" : ": ";
  if (os_error == 0) return concat({name, colon, detail});
  const std::string_view minus = os_error < 0 ? "-" : "";
  const auto number = static_cast<std::uint64_t>(os_error < 0 ? -std::int64_t{os_error} : os_error);
  return concat({name, colon, detail, " (errno ", minus, Decimal(number), ", ", std::strerror(os_error), ")"});
}

}  // namespace callis
