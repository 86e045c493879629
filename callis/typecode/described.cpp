// SPDX-License-Identifier: Apache-2.0
#include <callis/typecode/internal/described.h>
#include <callis/typecode/internal/writer.h>

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

Fault Described::work_out(Entry& entry) {
  const View v(*entry.type);
  const bool box = v.kind() == CORBA::tk_value_box;
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
