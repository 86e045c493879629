// SPDX-License-Identifier: Apache-2.0
// Passing over values.
#include <callis/value/internal/reader.h>
#include <callis/value/wire.h>

namespace callis::value {

void ValueReader::skip(const ValueLink* formal) {
  const Undo undo(*this);
  Open open;
  if (!begin_skipped(formal, open)) return;
  std::vector<Open> around;
  for (;;) {
    while (next_member(open)) {
      Open member;
      if (!begin_skipped(static_cast<const ValueLink*>(open.stop.link), member)) continue;
      around.push_back(open);
      open = member;
    }
    if (!d_.ok()) return;
    --s_.depth;
    if (around.empty()) return;
    open = around.back();
    around.pop_back();
  }
}

// False: nothing is left to be passed over, or there is a fault.
bool ValueReader::begin_skipped(const ValueLink* formal, Open& open) {
  const std::uint32_t tag = this->tag();
  if (!d_.ok() || tag == kNullTag) return false;
  if (tag == kIndirectionTag) {
    const std::size_t to = indirection();
    if (d_.ok() && s_.find(to) == Reader::kNone) d_.set_fault(Fault::BadValue);
    return false;
  }
  const std::size_t began = s_.position(d_) - 4;
  if (s_.depth >= kMaxDepth) return d_.set_fault(Fault::TooDeep), false;
  if (!d_.charge(kValueBytes)) return false;
  const Ids* const ids = header(tag, formal);
  if (!ids) return false;
  s_.add(began, {});
  ++s_.depth;
  if (tag & kChunked) {
    begin_chunked();
    finish_chunked();
    --s_.depth;
    return false;
  }
  const ValueLink* const same = !ids->empty() && formal && ids->front() == formal->repository_id ? formal : nullptr;
  const ValueLink* link = same && same->to_base ? same : nullptr;
  if (!link && !ids->empty()) link = find_link(ids->front());
  if (!link && same && same->flags & kDescribed) link = same;
  if (!link) return d_.set_fault(Fault::NoValueFactory), false;
  if (link->flags & (kCustom | kAbstract)) return d_.set_fault(Fault::BadValue), false;
  for (const ValueLink* l = link->base; l; l = l->base)
    if (l->flags & kCustom) return d_.set_fault(Fault::NoValueFactory), false;
  open_levels(open, *link);
  return d_.ok();
}

void skip_value(cdr::Decoder& decoder, const ValueLink* formal) {
  if (!decoder.ok()) return;
  try {
    const DecodeScope scope(decoder);
    auto& reader = *static_cast<Reader*>(decoder.values());
    const Nesting nesting(decoder, reader);
    if (decoder.ok()) ValueReader(decoder, reader).skip(formal);
  } catch (...) {
    decoder.set_fault(Fault::OutOfMemory);
  }
}

}  // namespace callis::value
