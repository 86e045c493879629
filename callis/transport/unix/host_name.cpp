// SPDX-License-Identifier: Apache-2.0
#include <callis/transport/unix/unix.h>
#include <unistd.h>

namespace callis::transport {

std::string host_name() {
  char name[256] = "";
  if (::gethostname(name, sizeof name - 1) != 0) return {};
  return name;
}

}  // namespace callis::transport
