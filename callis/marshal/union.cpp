// SPDX-License-Identifier: Apache-2.0
// Which member a discriminator selects.
#include <callis/marshal/internal/program.h>

namespace callis::marshal {

Ref selected_block(const Program& program, const UnionPlan& u, std::uint64_t value) {
  const Label* first = &program.at<Label>(u.first_label);
  if (u.dense() && u.labels != 0) {
    const std::uint64_t i = value - first->value();
    return i < u.labels ? first[i].block : u.otherwise;
  }
  for (std::uint32_t n = u.labels; n != 0;) {
    const std::uint32_t half = n / 2;
    if (first[half].value() == value) return first[half].block;
    if (first[half].value() < value) {
      first += half + 1;
      n -= half + 1;
    } else {
      n = half;
    }
  }
  return u.otherwise;
}

std::uint64_t get_discriminator(const UnionPlan& u, cdr::Decoder& d) {
  if (u.discriminator() == Kind::WChar) return static_cast<std::uint32_t>(d.get_wchar());
  std::uint64_t value;
  switch (u.size()) {
    case 1:
      value = d.get_octet();
      if (u.discriminator() == Kind::Char && d.converts()) {
        const Byte c = static_cast<Byte>(value);
        (void)d.check_chars(&c, 1);
      }
      break;
    case 2: value = d.get_ushort(); break;
    case 4: value = d.get_ulong(); break;
    default: value = d.get_ulonglong(); break;
  }
  if (u.check == kBoolean) {
    if (value > 1) d.set_fault(Fault::BadBoolean);
  } else if (u.check != kNoCheck && value >= u.check) {
    d.set_fault(Fault::BadEnum);
  }
  return value;
}

}  // namespace callis::marshal
