// SPDX-License-Identifier: Apache-2.0
#include <callis/classic/coder.h>

namespace callis::classic {

void own_string_slowly(cdr::Decoder& d, char*& slot, std::uint32_t bound) {
  const std::uint32_t n = d.text_room(bound);
  if (n == 0) return;
  char nul[1];
  char* s = n == 1 ? marshal::kEmptyString : marshal::string_allocate(n - 1);
  if (!s) return d.set_fault(Fault::OutOfMemory);
  if (!d.get_text(n == 1 ? nul : s, n, bound)) return marshal::string_free(s);
  marshal::string_free(std::exchange(slot, s));
}

void borrow_string_slowly(cdr::Decoder& d, char*& slot, std::uint32_t bound) {
  const std::uint32_t n = d.text_room(bound);
  if (n == 0) return;
  auto* s = static_cast<char*>(d.arena()->allocate(n));
  if (!s) return d.set_fault(Fault::OutOfMemory);
  if (d.get_text(s, n, bound)) slot = s;
}

void put_string(cdr::Encoder& e, const wchar_t* s, std::uint32_t bound) { e.put_wstring(s, bound); }

void own_string(cdr::Decoder& d, wchar_t*& slot, std::uint32_t bound) {
  const std::uint32_t units = d.wstring_units(bound);
  if (!d.ok()) return;
  wchar_t* s = units == 0 ? marshal::kEmptyWide : marshal::wide_allocate(units);
  if (!s) return d.set_fault(Fault::OutOfMemory);
  if (!d.get_wide(s, units, bound)) return marshal::wide_free(s);
  marshal::wide_free(std::exchange(slot, s));
}

void borrow_string(cdr::Decoder& d, wchar_t*& slot, std::uint32_t bound) {
  const std::uint32_t units = d.wstring_units(bound);
  if (!d.ok()) return;
  const std::size_t room = (std::size_t{units} + 1) * sizeof(wchar_t);
  auto* s = units == 0 ? marshal::kEmptyWide : static_cast<wchar_t*>(d.arena()->allocate(room));
  if (!s) return d.set_fault(Fault::OutOfMemory);
  if (d.get_wide(s, units, bound)) slot = s;
}

}  // namespace callis::classic
