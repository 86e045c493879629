// SPDX-License-Identifier: Apache-2.0
// What stands around the state of a value: tags, types, chunks, offsets.
#include <callis/value/internal/reader.h>

namespace callis::value {
namespace {

bool is_chunk_size(std::uint32_t tag) { return tag != 0 && tag < kFirstValueTag; }
bool is_value_tag(std::uint32_t tag) { return tag >= kFirstValueTag && tag <= kLastValueTag; }

}  // namespace

std::uint32_t ValueReader::tag() {
  if (s_.chunk_level == 0) {
    const std::uint32_t tag = d_.get_ulong();
    if (!is_value_tag(tag) && tag != kNullTag && tag != kIndirectionTag) d_.set_fault(Fault::BadValue);
    return tag;
  }
  // A chunk without room for a tag has ended, though the peer may have put padding into it.
  if (d_.chunk_remaining() < ((0 - d_.phase()) & 3) + sizeof(std::uint32_t)) {
    const std::uint32_t next = d_.chunk_tag();
    if (is_value_tag(next)) return next;
    if (!is_chunk_size(next)) {
      d_.set_fault(Fault::BadValue);
      return 0;
    }
    d_.enter_chunk(next);
  }
  // Null values and indirections are data of the chunk.
  const std::uint32_t tag = d_.get_ulong();
  if (tag != kNullTag && tag != kIndirectionTag) d_.set_fault(Fault::BadValue);
  return tag;
}

std::size_t ValueReader::indirection() {
  const auto offset = static_cast<std::int32_t>(d_.get_ulong());
  const std::size_t at = s_.position(d_) - 4;
  const std::size_t back = static_cast<std::size_t>(-static_cast<std::int64_t>(offset));
  if (offset >= 0 || back > at) {
    d_.set_fault(Fault::BadValue);
    return SIZE_MAX;
  }
  return at - back;
}

ValueReader::Undo::~Undo() {
  if (r_.d_.ok()) return;
  Reader& s = r_.s_;
  s.forget(mark_);
  s.depth = depth_;
  s.chunk_level = level_;
  s.ended_level = ended_;
}

// A repository id or a codebase, or an offset to one.
const std::string* ValueReader::text() {
  const std::uint32_t n = d_.get_ulong();
  const std::size_t at = s_.position(d_) - 4;
  if (n == kIndirectionTag) {
    const auto known = s_.ids.find(indirection());
    if (known != s_.ids.end()) return &known->second;
    d_.set_fault(Fault::BadValue);
    return nullptr;
  }
  if (n == 0 || n > d_.remaining()) d_.set_fault(n == 0 ? Fault::BadString : Fault::BadCount);
  if (!d_.charge(n + kValueBytes)) return nullptr;
  if (!d_.ok()) return nullptr;
  std::string id(n, '\0');
  if (!d_.get_characters(id.data(), n)) return nullptr;
  id.pop_back();
  return &(s_.ids[at] = std::move(id));
}

const std::string* ValueReader::repository_id() {
  const std::string* const id = text();
  if (!id || id->size() <= kMaxIdLength) return id;
  d_.set_fault(Fault::LimitExceeded);
  return nullptr;
}

const Ids* ValueReader::id_list() {
  const std::uint32_t n = d_.get_ulong();
  const std::size_t at = s_.position(d_) - 4;
  if (n == kIndirectionTag) {
    const auto known = s_.id_lists.find(indirection());
    if (known != s_.id_lists.end()) return &known->second;
    d_.set_fault(Fault::BadValue);
    return nullptr;
  }
  if (n == 0 || n > kMaxIds) d_.set_fault(n == 0 ? Fault::BadValue : Fault::LimitExceeded);
  Ids ids;
  for (std::uint32_t i = 0; i < n && d_.ok(); ++i) {
    const std::string* const id = repository_id();
    if (id && d_.charge(id->size() + kValueBytes)) ids.push_back(*id);
  }
  return d_.ok() ? &(s_.id_lists[at] = std::move(ids)) : nullptr;
}

const Ids* ValueReader::header(std::uint32_t tag, const ValueLink* formal) {
  if (tag & kReservedBits || (s_.chunk_level != 0 && !(tag & kChunked))) d_.set_fault(Fault::BadValue);
  if (tag & kHasCodebase) (void)text();  // where code could be had: of no use here
  if (!d_.ok()) return nullptr;
  own_ids_.clear();
  switch (tag & kTypeBits) {
    case kNoType:
      if (formal) own_ids_.push_back(formal->repository_id);
      return &own_ids_;
    case kOneId:
      if (const std::string* const id = repository_id()) own_ids_.push_back(*id);
      return d_.ok() ? &own_ids_ : nullptr;
    case kIdList: return id_list();
    default: d_.set_fault(Fault::BadValue); return nullptr;
  }
}

void ValueReader::begin_chunked() {
  ++s_.chunk_level;
  d_.begin_chunks();
}

// The values in that part of another which nobody knows are passed over in this loop, too.
void ValueReader::finish_chunked() {
  const std::uint32_t outermost = s_.chunk_level;
  while (s_.chunk_level >= outermost && d_.ok()) {
    const std::uint32_t level = s_.chunk_level;
    if (s_.ended_level == 0) {
      const std::uint32_t tag = d_.chunk_tag();
      if (!d_.ok()) return;
      if (is_chunk_size(tag)) {
        d_.enter_chunk(tag);
        continue;
      }
      if (is_value_tag(tag)) {
        if (!begin_nested(tag)) return;
        continue;
      }
      const std::int64_t ended = -std::int64_t{static_cast<std::int32_t>(tag)};
      if (ended <= 0 || ended > level) return d_.set_fault(Fault::BadValue);
      if (ended < level) s_.ended_level = static_cast<std::uint32_t>(ended);
    } else {
      d_.leave_chunks();
      if (s_.ended_level == level) s_.ended_level = 0;
    }
    if (level > outermost) --s_.depth;
    if (--s_.chunk_level == 0) return;
    if (s_.ended_level != 0) d_.end_chunks();
    else d_.begin_chunks();
  }
}

bool ValueReader::ends_here() const {
  if (s_.ended_level != 0) return true;
  if (d_.chunk_remaining() != 0) return false;
  cdr::Decoder ahead = d_;
  return static_cast<std::int32_t>(ahead.chunk_tag()) < 0;
}

bool ValueReader::begin_nested(std::uint32_t tag) {
  const std::size_t began = s_.position(d_) - 4;
  if (s_.depth >= kMaxDepth) return d_.set_fault(Fault::TooDeep), false;
  if (!d_.charge(kValueBytes) || !header(tag, nullptr)) return false;
  s_.add(began, {});
  ++s_.depth;
  begin_chunked();
  return true;
}

}  // namespace callis::value
