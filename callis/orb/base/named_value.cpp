// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/base/minor_codes.h>
#include <callis/orb/base/named_value.h>
#include <algorithm>
#include <memory>

namespace CORBA::inline callis_orb {

using callis::orb::Block;

void Bounds::_raise() const { throw *this; }
const char* Bounds::_name() const noexcept { return "Bounds"; }
const char* Bounds::_rep_id() const noexcept { return "IDL:omg.org/CORBA/Bounds:1.0"; }
Exception* Bounds::_duplicate() const { return new Bounds(*this); }

void NamedValue::callis_end(NamedValue* ended) noexcept {
  Block* const block = ended->block_;
  if (!block) return delete ended;
  ended->~NamedValue();
  block->leave();
}

void* NVList::operator new(std::size_t) { return Block::make(bytes()).memory(); }

void NVList::callis_end(NVList* ended) noexcept {
  Block& block = ended->block_;
  ended->~NVList();
  block.leave();
}

NVList::~NVList() {
  for (ULong i = 0; i < count_; ++i) release(items_[i]);
  if (items_ != near_) delete[] items_;
}

void NVList::grow() {
  auto* const more = new NamedValue_ptr[2 * std::size_t{room_}];
  std::copy(items_, items_ + count_, more);
  if (items_ != near_) delete[] items_;
  items_ = more;
  room_ *= 2;
}

NamedValue_ptr NVList::add(Flags flags) {
  if (count_ == room_) grow();
  NamedValue_ptr made;
  if (placed_ < kNear) {
    made = ::new (reinterpret_cast<NamedValue*>(this + 1) + placed_++) NamedValue(flags, &block_);
    block_.enter();
  } else {
    made = new NamedValue(flags);
  }
  return items_[count_++] = made;
}

NamedValue_ptr NVList::add_item(const char* name, Flags flags) {
  return add_item_consume(string_dup(name ? name : ""), flags);
}

NamedValue_ptr NVList::add_value(const char* name, const Any& value, Flags flags) {
  const NamedValue_ptr added = add_item(name, flags);
  added->value_ = value;
  return added;
}

NamedValue_ptr NVList::add_item_consume(char* name, Flags flags) {
  String_var owned(name);
  const NamedValue_ptr added = add(flags);
  if (name) added->name_ = owned._retn();
  return added;
}

NamedValue_ptr NVList::add_value_consume(char* name, Any* value, Flags flags) {
  const std::unique_ptr<Any> owned(value);
  const NamedValue_ptr added = add_item_consume(name, flags);
  if (value) added->value_ = std::move(*value);
  return added;
}

void NVList::out_of_bounds() { callis::orb::raise<Bounds>(); }

void NVList::remove(ULong index) {
  const NamedValue_ptr removed = item(index);
  std::copy(items_ + index + 1, items_ + count_, items_ + index);
  --count_;
  release(removed);
}

}  // namespace CORBA::inline callis_orb
