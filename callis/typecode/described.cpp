// SPDX-License-Identifier: Apache-2.0
// Links and plans of valuetypes made of what TypeCodes say, and whether they say the same as the program's classes.
#include <callis/typecode/internal/cache.h>
#include <callis/typecode/internal/described.h>
#include <callis/typecode/internal/writer.h>
#include <callis/typecode/of_descriptor.h>
#include <cstring>

namespace callis::typecode {

const value::ValueLink* Described::link(const TypeCode& type) {
  const View v(type);
  work_->step();
  const auto known = by_id_.find(v.id());
  if (known != by_id_.end()) return &known->second->link;
  work_->take(kEntryBytes);
  auto e = std::make_unique<Entry>();
  e->link.repository_id = v.id();
  e->link.flags = value::kDescribed;
  if (v.kind() == CORBA::tk_value_box) e->link.flags |= value::kBox;
  else if (v.modifier() == CORBA::VM_CUSTOM) e->link.flags |= value::kCustom;
  else if (v.modifier() == CORBA::VM_ABSTRACT) e->link.flags |= value::kAbstract;
  else if (v.modifier() == CORBA::VM_TRUNCATABLE) e->link.flags |= value::kTruncatable;
  e->type = &type;
  bytes_ += kEntryBytes;
  entries_.push_back(std::move(e));
  Entry& added = *entries_.back();
  by_id_.emplace(v.id(), &added);
  return &added.link;
}

Fault Described::finish() {
  // Working out one may add others.
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (bytes_ > kMaxBytes) return Fault::LimitExceeded;
    const Fault fault = work_out(*entries_[i]);
    if (fault == Fault::OutOfMemory || fault == Fault::LimitExceeded || fault == Fault::BudgetExceeded) return fault;
    if (fault != Fault::None) entries_[i]->link.flags |= value::kCustom;  // as opaque
  }
  return Fault::None;
}

// The bases of a TypeCode end, and so do those of the types that the program knows. But a type stands for all of its
// repository id, so the bases of a peer's types may lead in a circle or be more than any TypeCode could nest.
static bool may_derive_from(const value::ValueLink& link, const value::ValueLink& base) {
  constexpr unsigned kMaxBases = 64;
  unsigned n = 0;
  for (const value::ValueLink* l = &base; l; l = l->base)
    if (l == &link || ++n > kMaxBases) return false;
  return true;
}

// Whether a peer's TypeCode says of a valuetype or box what the class says that the program has for the same
// repository id. If not, the same bytes would be one value where that class reads them, and another by the TypeCode.
static bool says_what_class_says(const View& v, const value::ValueLink& known) {
  const bool box = v.kind() == CORBA::tk_value_box;
  if (box != ((known.flags & value::kBox) != 0)) return false;
  const CORBA::TypeCode_var state = known.state ? type_of_descriptor(*known.unit, known.state) : nullptr;
  if (box) return state.in() && same_form(v.content(), *state.in());
  if ((v.modifier() == CORBA::VM_CUSTOM) != ((known.flags & value::kCustom) != 0)) return false;
  const char* const base = v.base() ? View(strip_aliases(*v.base())).id() : "";
  if (std::strcmp(base, known.base ? known.base->repository_id : "") != 0) return false;
  if (known.flags & value::kCustom) return true;  // what is sent of it is said by its class alone
  if (!state.in()) return v.count() == 0;
  const View of_class(*state.in());
  if (v.count() != of_class.count()) return false;
  for (Word i = 0; i < v.count(); ++i)
    if (!same_form(v.member_type(i), of_class.member_type(i))) return false;
  return true;
}

Fault Described::work_out(Entry& entry) {
  const View v(*entry.type);
  const bool box = v.kind() == CORBA::tk_value_box;
  if (const value::ValueLink* const known = value::link_finder ? value::link_finder(v.id()) : nullptr) try {
      if (!says_what_class_says(v, *known)) return Fault::BadValue;
    } catch (const CORBA::NO_MEMORY&) {
      return Fault::OutOfMemory;
    }
  if (!box && v.base()) {
    const TypeCode& type = strip_aliases(*v.base());
    const value::ValueLink* const known = value::link_finder && !all_ ? value::link_finder(View(type).id()) : nullptr;
    const value::ValueLink* const base = known ? known : link(type);
    if (!may_derive_from(entry.link, *base)) return Fault::BadValue;
    entry.link.base = base;
  }
  if (!box && v.count() == 0) return Fault::None;
  Buffer form;
  cdr::Encoder e(form);
  Writer writer(e, Writer::Detail::Form, this, work_);
  writer.state(v);
  e.finish();
  if (e.fault() != Fault::None) return e.fault();
  Fault fault;
  entry.state = make_plan(form, writer, *work_, fault);
  if (!entry.state) return fault;
  bytes_ += marshal::memory_bytes(*entry.state);
  entry.plan = entry.state.get();
  entry.link.plan = &entry.plan;
  entry.link.state = marshal::type_word(marshal::Kind::Ref, 0);  // there is one
  return Fault::None;
}

}  // namespace callis::typecode
