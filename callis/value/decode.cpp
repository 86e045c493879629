// SPDX-License-Identifier: Apache-2.0
// Reading values. Everything comes from the peer: offsets lead only to where something of that sort began, memory is
// charged, nesting is bounded, and what a factory makes is checked before it is used.
#include <callis/marshal/plan.h>
#include <callis/value/custom.h>
#include <callis/value/factory.h>
#include <callis/value/internal/custom_streams.h>
#include <callis/value/internal/handlers.h>
#include <callis/value/internal/reader.h>
#include <callis/value/wire.h>
#include <new>
#include <utility>

namespace callis::value {

CORBA::ValueBase* ValueReader::value(const ValueLink* formal) {
  const Undo undo(*this);
  Open open;
  CORBA::ValueBase_var v;
  if (begin(formal, open, v)) {
    v = CORBA::callis_duplicate(open.value);
    graph(open);
  }
  check(v.in(), formal);
  return d_.ok() ? v._retn() : nullptr;
}

// Those around the one that is being read are in a list: the innermost last.
void ValueReader::graph(Open& open) {
  std::vector<Open> around;
  for (;;) {
    while (next_member(open)) {
      Open member;
      CORBA::ValueBase_var v;
      if (begin(static_cast<const ValueLink*>(open.stop.link), member, v)) {
        around.push_back(open);
        open = member;
      } else {
        put(open, v);
      }
    }
    if (d_.ok()) end(open);
    if (!d_.ok() || around.empty()) return;
    CORBA::ValueBase_var v(CORBA::callis_duplicate(open.value));
    open = around.back();
    around.pop_back();
    put(open, v);
  }
}

void ValueReader::check(CORBA::ValueBase* v, const ValueLink* formal) {
  if (d_.ok() && v && formal && formal->from_base && !formal->from_base(v)) d_.set_fault(Fault::BadValue);
}

// Into the slot that the open value's state has stopped at.
[[gnu::noinline]] void ValueReader::put(const Open& open, CORBA::ValueBase_var& member) {
  const auto* const formal = static_cast<const ValueLink*>(open.stop.link);
  check(member.in(), formal);
  if (d_.ok()) put_into(static_cast<Byte*>(open.state) + open.stop.offset, formal, member._retn());
}

bool ValueReader::begin(const ValueLink* formal, Open& open, CORBA::ValueBase_var& to) {
  const std::uint32_t tag = this->tag();
  if (!d_.ok() || tag == kNullTag) return false;
  if (tag == kIndirectionTag) return shared(to), false;
  if (s_.depth >= kMaxDepth) return d_.set_fault(Fault::TooDeep), false;
  return fresh(tag, formal, open, to);
}

// A value that began earlier; perhaps it is still being read.
void ValueReader::shared(CORBA::ValueBase_var& to) {
  const std::size_t at = indirection();
  if (s_.described_around != 0) {
    if (CORBA::ValueBase* const v = s_.find_described(at)) {
      // The application's custom values are shown none.
      if (!s_.types && dynamic_cast<DescribedValue*>(v)) return d_.set_fault(Fault::NoValueFactory);
      to = CORBA::callis_duplicate(v);
      return;
    }
  }
  const std::size_t known = s_.find(at);
  if (known == Reader::kNone || !s_.values[known].value.in()) return d_.set_fault(Fault::BadValue);
  if (s_.values[known].abandoned) {
    if (s_.described_around != 0) return d_.set_fault(Fault::BadValue);
    s_.lead_to(known);
  }
  to = s_.values[known].value;
}

[[gnu::noinline]] bool ValueReader::fresh(std::uint32_t tag, const ValueLink* formal, Open& open,
                                          CORBA::ValueBase_var& to) {
  const std::size_t began = s_.position(d_) - 4;
  const Ids* const ids = header(tag, formal);
  if (!ids) return false;
  CORBA::ValueBase_var v;
  std::size_t known = s_.types && s_.types->takes_apart && tag & kChunked ? first_described(*ids, formal) : 0;
  // From now on the first of the types that is known, plus 1.
  for (; known < ids->size() && !v.in() && d_.ok(); ++known) v = make((*ids)[known], formal);
  if (!d_.ok()) return false;
  if (!v.in() || (known != 1 && (!(tag & kChunked) || (s_.types && !s_.types->truncates))))
    return d_.set_fault(Fault::NoValueFactory), false;
  const ValueLink* const link = v->_callis_link();
  // Whoever made it: it must be what it was made for.
  if (!link || (*ids)[known - 1] != link->repository_id) return d_.set_fault(Fault::BadValue), false;
  s_.add(began, v);
  ++s_.depth;
  open.value = v.in();
  open.described = link->flags & kDescribed;
  open.truncated = known != 1;
  open.chunked = tag & kChunked;
  if (open.chunked) begin_chunked();
  if (!(link->flags & kCustom)) {
    open_levels(open, *link);
    return d_.ok();
  }
  custom(*v.in());
  if (d_.ok()) end(open);
  to = std::move(v);
  return false;
}

[[gnu::noinline]] void ValueReader::end(const Open& open) {
  // More than its TypeCode says, or the part of a type that has none: it would be lost.
  if (open.chunked && open.described && !open.truncated && !ends_here()) return d_.set_fault(Fault::NoValueFactory);
  if (open.chunked) finish_chunked();
  --s_.depth;
}

CORBA::ValueBase* ValueReader::make(const std::string& id, const ValueLink* formal) {
  if (!d_.charge(kValueBytes)) return nullptr;
  if (const ValueLink* const link = described(id, formal)) {
    const std::size_t bytes = DescribedValue::state_bytes(*link);
    if (bytes == SIZE_MAX) d_.set_fault(Fault::OutOfMemory);
    return d_.ok() && d_.charge(sizeof(DescribedValue) + bytes) ? new DescribedValue(*link) : nullptr;
  }
  const ValueLink* const box = formal && formal->create && id == formal->repository_id ? formal : find_box(id);
  try {
    return box ? box->create() : create_value(id);
  } catch (const std::bad_alloc&) {
    d_.set_fault(Fault::OutOfMemory);
  } catch (...) {
    d_.set_fault(Fault::Rejected);
  }
  return nullptr;
}

[[gnu::noinline]] std::size_t ValueReader::first_described(const Ids& ids, const ValueLink* formal) const {
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (described(ids[i], formal)) return i;
  return 0;
}

const ValueLink* ValueReader::described(const std::string& id, const ValueLink* formal) const {
  if (!s_.types || (formal && !(formal->flags & kDescribed))) return nullptr;
  const auto* const link = formal && id == formal->repository_id
                               ? formal
                               : static_cast<const ValueLink*>(s_.types->find(s_.types->types, id));
  return link && DescribedValue::can_be(*link) ? link : nullptr;
}

// The application's code reads values from here, within this call. It gets none that is made of a description.
[[gnu::noinline]] void ValueReader::custom(CORBA::ValueBase& v) {
  auto* const itself = dynamic_cast<CORBA::CustomMarshal*>(&v);
  if (!itself) return d_.set_fault(Fault::BadValue);
  const marshal::Description* const types = std::exchange(s_.types, nullptr);
  try {
    CustomInput stream(d_);
    itself->unmarshal(&stream);
  } catch (const std::bad_alloc&) {
    d_.set_fault(Fault::OutOfMemory);
  } catch (...) {
    d_.set_fault(Fault::Rejected);
  }
  s_.types = types;
}

void ValueReader::open_levels(Open& open, const ValueLink& link) {
  levels_.open(open, link);
  (void)d_.charge(open.levels * sizeof(const ValueLink*));
}

[[gnu::noinline]] bool ValueReader::begin_level(Open& open) {
  open.begun = true;
  open.stop = {};
  if (open.level->state == 0) return true;
  open.state = open.value ? open.value->_callis_state(*open.level) : nullptr;
  if (open.value && !open.state) return d_.set_fault(Fault::BadValue), false;
  open.plan = plan_of(*open.level);
  if (!open.plan) return d_.set_fault(Fault::OutOfMemory), false;
  return !open.value || open.described || d_.charge(marshal::native_size(*open.plan));
}

[[gnu::noinline]] bool ValueReader::next_member(Open& open) {
  while (d_.ok()) {
    if (!open.begun && !begin_level(open)) return false;
    if (open.level->state != 0 && (open.value ? marshal::decode_to_value(*open.plan, open.state, d_, open.stop)
                                              : marshal::skip_to_value(*open.plan, d_, open.stop)))
      return true;
    if (!levels_.next(open)) return false;
  }
  return false;
}

CORBA::ValueBase* get_value(cdr::Decoder& decoder, const ValueLink* formal) {
  if (!decoder.ok()) return nullptr;
  try {
    const DecodeScope scope(decoder);
    auto& reader = *static_cast<Reader*>(decoder.values());
    const Nesting nesting(decoder, reader);
    return decoder.ok() ? ValueReader(decoder, reader).value(formal) : nullptr;
  } catch (...) {
    decoder.set_fault(Fault::OutOfMemory);
    return nullptr;
  }
}

DecodeScope::DecodeScope(cdr::Decoder& decoder) : decoder_(decoder) {
  if (!decoder.values()) decoder.set_values(own_ = new Reader);
}

void DecodeScope::close() {
  if (!own_) return;
  auto* const reader = static_cast<Reader*>(std::exchange(own_, nullptr));
  decoder_.set_values(nullptr);
  if (!decoder_.ok()) reader->empty_all();
  delete reader;
}

}  // namespace callis::value
