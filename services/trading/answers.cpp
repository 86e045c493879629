// SPDX-License-Identifier: Apache-2.0
// The counting of answers, and their size in memory.
#include <callis/corba.h>
#include <services/trading/answers.h>

namespace callis::trading {

void Answers::hold(std::size_t more) {
  const std::size_t bytes = counted() + more;
  if (bytes == held_.bytes()) return;
  if (held_.bytes() == 0) {
    held_ = memory_.take_for(client_, bytes);
  } else {
    held_.resize(bytes);
  }
}

bool Answers::keep(std::size_t bytes) noexcept {
  const std::lock_guard lock(mutex_);
  if (answers_ > most_ || bytes > most_ - answers_) return false;
  try {
    hold(bytes);
  } catch (const std::exception&) {
    return false;
  }
  answers_ += bytes;
  return true;
}

void Answers::use(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  used_ += bytes;
  hold(0);
}

void Answers::leave_to_iterator() {
  const std::lock_guard lock(mutex_);
  free_ = kFreeOfIterator;
  hold(0);
}

namespace {

constexpr std::size_t kOverhead = services::MemoryBound::kOverhead;

// Elements of these types lie in memory as on the wire; of others, texts above all, each has memory of its own.
bool is_flat(CORBA::TCKind kind) {
  switch (kind) {
    case CORBA::tk_short:
    case CORBA::tk_long:
    case CORBA::tk_ushort:
    case CORBA::tk_ulong:
    case CORBA::tk_longlong:
    case CORBA::tk_ulonglong:
    case CORBA::tk_float:
    case CORBA::tk_double:
    case CORBA::tk_boolean:
    case CORBA::tk_char:
    case CORBA::tk_octet:
    case CORBA::tk_string: return true;
    default: return false;
  }
}

std::size_t times_in_memory(CORBA::TypeCode_ptr type) {
  CORBA::TypeCode_var t = CORBA::TypeCode::_duplicate(type);
  while (t->kind() == CORBA::tk_alias) t = t->content_type();
  if (t->kind() != CORBA::tk_sequence && t->kind() != CORBA::tk_array) return is_flat(t->kind()) ? 2 : 6;
  t = t->content_type();
  while (t->kind() == CORBA::tk_alias) t = t->content_type();
  return is_flat(t->kind()) && t->kind() != CORBA::tk_string ? 2 : 6;
}

}  // namespace

std::size_t memory_of(const Keeper& keeper, const CORBA::Any& value) noexcept {
  try {
    const CORBA::TypeCode_var type = value.type();
    return kOverhead + keeper.size_of(value) * times_in_memory(type.in());
  } catch (const std::exception&) {  // CORBA's are such
    return SIZE_MAX;
  }
}

std::size_t memory_of(const Keeper& keeper, const CosTrading::Offer& offer) noexcept {
  std::size_t out = 3 * kOverhead;
  try {
    out += 2 * keeper.reference_to_bytes(offer.reference.in()).size();
  } catch (const std::exception&) {
    return SIZE_MAX;
  }
  for (CORBA::ULong i = 0; i < offer.properties.length(); ++i) {
    const std::size_t bytes = memory_of(keeper, offer.properties[i].value);
    if (bytes == SIZE_MAX) return SIZE_MAX;
    out += bytes + std::char_traits<char>::length(offer.properties[i].name.in());
  }
  return out;
}

}  // namespace callis::trading
