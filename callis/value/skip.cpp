// SPDX-License-Identifier: Apache-2.0
// Passing over values.
#include <callis/marshal/values.h>
#include <callis/value/internal/reader.h>
#include <callis/value/wire.h>

namespace callis::value {

void ValueReader::skip(const ValueLink* formal) {
  const Undo undo(*this);
  const std::uint32_t tag = this->tag();
  if (!d_.ok() || tag == kNullTag) return;
  if (tag == kIndirectionTag) {
    const std::size_t to = indirection();
    if (d_.ok() && !s_.find(to)) d_.set_fault(Fault::BadValue);
    return;
  }
  const std::size_t began = s_.position(d_) - 4;
  if (s_.depth >= kMaxDepth) return d_.set_fault(Fault::TooDeep);
  if (!d_.charge(kValueBytes)) return;
  const Ids* const ids = header(tag, formal);
  if (!ids) return;
  s_.values.push_back({began, {}});
  ++s_.depth;
  if (tag & kChunked) {
    begin_chunked();
    finish_chunked();
  } else {
    const ValueLink* const same = !ids->empty() && formal && ids->front() == formal->repository_id ? formal : nullptr;
    const ValueLink* link = same && same->to_base ? same : nullptr;
    if (!link && !ids->empty()) link = find_link(ids->front());
    if (!link && same && same->flags & kDescribed) link = same;
    if (link && !(link->flags & (kCustom | kAbstract))) skip_levels(*link);
    else d_.set_fault(link ? Fault::BadValue : Fault::NoValueFactory);
  }
  --s_.depth;
}

void ValueReader::skip_levels(const ValueLink& link) {
  if (link.flags & kCustom) return d_.set_fault(Fault::NoValueFactory);
  if (link.base) skip_levels(*link.base);
  if (link.state == 0 || !d_.ok()) return;
  const marshal::Plan* const plan = plan_of(link);
  if (!plan) return d_.set_fault(Fault::OutOfMemory);
  (void)marshal::skip(*plan, d_);
}

void skip_value(cdr::Decoder& decoder, const ValueLink* formal) {
  if (!decoder.ok()) return;
  try {
    const DecodeScope scope(decoder);
    ValueReader(decoder, *static_cast<Reader*>(decoder.values())).skip(formal);
  } catch (...) {
    decoder.set_fault(Fault::OutOfMemory);
  }
}

}  // namespace callis::value
