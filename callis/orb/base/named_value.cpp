// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/base/minor_codes.h>
#include <callis/orb/base/named_value.h>
#include <vector>

namespace CORBA::inline callis_orb {

void Bounds::_raise() const { throw *this; }
const char* Bounds::_name() const noexcept { return "Bounds"; }
const char* Bounds::_rep_id() const noexcept { return "IDL:omg.org/CORBA/Bounds:1.0"; }
Exception* Bounds::_duplicate() const { return new Bounds(*this); }

struct NVList::Items {
  std::vector<NamedValue_var> list;
};

NVList::NVList() noexcept = default;
NVList::~NVList() = default;

ULong NVList::count() const noexcept { return items_ ? static_cast<ULong>(items_->list.size()) : 0; }

NamedValue_ptr NVList::add(Flags flags) {
  if (!items_) items_ = std::make_unique<Items>();
  items_->list.emplace_back(new NamedValue(flags));
  return items_->list.back().in();
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

NamedValue_ptr NVList::item(ULong index) const {
  if (index >= count()) callis::orb::raise<Bounds>();
  return items_->list[index].in();
}

void NVList::remove(ULong index) {
  if (index >= count()) callis::orb::raise<Bounds>();
  items_->list.erase(items_->list.begin() + static_cast<std::ptrdiff_t>(index));
}

}  // namespace CORBA::inline callis_orb
