// SPDX-License-Identifier: Apache-2.0
// Reading values. Everything comes from the peer: offsets lead only to where something of that sort began, memory is
// charged, nesting is bounded, and what a factory makes is checked before it is used.
#include <callis/marshal/plan.h>
#include <callis/value/custom.h>
#include <callis/value/factory.h>
#include <callis/value/internal/custom_streams.h>
#include <callis/value/internal/reader.h>
#include <callis/value/wire.h>
#include <new>
#include <utility>

namespace callis::value {

CORBA::ValueBase* ValueReader::value(const ValueLink* formal) {
  const Undo undo(*this);
  const std::uint32_t tag = this->tag();
  if (!d_.ok() || tag == kNullTag) return nullptr;
  CORBA::ValueBase_var v;
  if (tag == kIndirectionTag) v = shared();
  else if (s_.depth >= kMaxDepth) d_.set_fault(Fault::TooDeep);
  else v = fresh(tag, formal);
  if (d_.ok() && v.in() && formal && formal->from_base && !formal->from_base(v.in())) d_.set_fault(Fault::BadValue);
  return d_.ok() ? v._retn() : nullptr;
}

// A value that began earlier; perhaps it is still being read.
CORBA::ValueBase* ValueReader::shared() {
  const CORBA::ValueBase_var* const known = s_.find(indirection());
  if (!known || !known->in()) d_.set_fault(Fault::BadValue);
  return d_.ok() ? CORBA::callis_duplicate(known->in()) : nullptr;
}

CORBA::ValueBase* ValueReader::fresh(std::uint32_t tag, const ValueLink* formal) {
  const std::size_t began = s_.position(d_) - 4;
  const Ids* const ids = header(tag, formal);
  if (!ids) return nullptr;
  CORBA::ValueBase_var v;
  std::size_t known = 0;  // the first of the types that is
  for (; known < ids->size() && !v.in() && d_.ok(); ++known) v = make((*ids)[known], formal);
  if (!d_.ok()) return nullptr;
  if (!v.in() || (known != 1 && !(tag & kChunked))) {
    d_.set_fault(Fault::NoValueFactory);
    return nullptr;
  }
  const ValueLink* const link = v->_callis_link();
  // Whoever made it: it must be what it was made for.
  if (!link || (*ids)[known - 1] != link->repository_id || (link->flags & kCustom && !(tag & kChunked))) {
    d_.set_fault(Fault::BadValue);
    return nullptr;
  }
  s_.values.push_back({began, v});
  ++s_.depth;
  if (tag & kChunked) begin_chunked();
  state(*v.in(), *link);
  if (tag & kChunked) finish_chunked();
  --s_.depth;
  return v._retn();
}

CORBA::ValueBase* ValueReader::make(const std::string& id, const ValueLink* formal) {
  if (!d_.charge(kValueBytes)) return nullptr;
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

void ValueReader::state(CORBA::ValueBase& v, const ValueLink& link) {
  if (!(link.flags & kCustom)) return levels(v, link);
  auto* const itself = dynamic_cast<CORBA::CustomMarshal*>(&v);
  if (!itself) return d_.set_fault(Fault::BadValue);
  try {
    CustomInput stream(d_);
    itself->unmarshal(&stream);
  } catch (const std::bad_alloc&) {
    d_.set_fault(Fault::OutOfMemory);
  } catch (...) {
    d_.set_fault(Fault::Rejected);
  }
}

void ValueReader::levels(CORBA::ValueBase& v, const ValueLink& link) {
  if (link.base) levels(v, *link.base);
  if (link.state == 0 || !d_.ok()) return;
  void* const memory = v._callis_state(link);
  if (!memory) return d_.set_fault(Fault::BadValue);
  const marshal::Plan* const plan = plan_of(link);
  if (!plan) return d_.set_fault(Fault::OutOfMemory);
  if (d_.charge(marshal::native_size(*plan))) (void)marshal::decode(*plan, memory, d_);
}

CORBA::ValueBase* get_value(cdr::Decoder& decoder, const ValueLink* formal) {
  if (!decoder.ok()) return nullptr;
  try {
    const DecodeScope scope(decoder);
    return ValueReader(decoder, *static_cast<Reader*>(decoder.values())).value(formal);
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
  delete static_cast<Reader*>(std::exchange(own_, nullptr));
  decoder_.set_values(nullptr);
}

}  // namespace callis::value
