// SPDX-License-Identifier: Apache-2.0
#include <callis/classic/coder.h>

namespace callis::classic {

void own_string_slowly(cdr::Decoder& d, char*& slot, std::uint32_t bound) {
  const std::uint32_t n = d.string_length(bound);
  if (n == 0) return;
  char nul[1];
  char* s = n == 1 ? marshal::kEmptyString : marshal::string_allocate(n - 1);
  if (!s) return d.set_fault(Fault::OutOfMemory);
  if (!d.get_characters(n == 1 ? nul : s, n)) return marshal::string_free(s);
  marshal::string_free(std::exchange(slot, s));
}

void borrow_string_slowly(cdr::Decoder& d, char*& slot, std::uint32_t bound) {
  const std::uint32_t n = d.string_length(bound);
  if (n == 0) return;
  auto* s = static_cast<char*>(d.arena()->allocate(n));
  if (!s) return d.set_fault(Fault::OutOfMemory);
  if (d.get_characters(s, n)) slot = s;
}

}  // namespace callis::classic
