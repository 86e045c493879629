// SPDX-License-Identifier: Apache-2.0
#include <callis/giop/reassembly.h>
#include <algorithm>
#include <cstring>

namespace callis::giop {

// What peers send as fragments is 1 KiB and more; so bytes bound a message, and not the number of its fragments.
constexpr std::size_t kSmallFragment = 512, kFewFragments = 4096;

std::size_t most_fragments(const Limits& limits) {
  return limits.max_fragments != 0 ? limits.max_fragments
                                   : std::max(limits.max_message_bytes / kSmallFragment, kFewFragments);
}

Fault Reassembly::add(ByteView data, const Limits& limits) {
  if (fragments_ >= most_fragments(limits)) return Fault::LimitExceeded;
  if (!bytes_.append(data)) return Fault::OutOfMemory;
  ++fragments_;
  if (header_.version >= kGiop12) return Fault::None;
  const auto end = static_cast<std::uint32_t>(bytes_.size());  // max_message_bytes is at most 4 GiB - 1
  return ends_.append({reinterpret_cast<const Byte*>(&end), sizeof end}) ? Fault::None : Fault::OutOfMemory;
}

std::uint32_t Reassembly::end_of(std::size_t fragment) const {
  std::uint32_t end;
  std::memcpy(&end, ends_.data() + fragment * sizeof end, sizeof end);
  return end;
}

// The next number behind what is to be skipped. False: it has not come.
bool Reassembly::read_word(std::uint32_t& word) {
  for (; fragment_ != ends_.size() / sizeof word; ++fragment_) {
    const std::uint32_t begin = fragment_ == 0 ? 0 : end_of(fragment_ - 1), end = end_of(fragment_);
    at_ = std::max(at_, begin);
    const std::uint32_t skipped = std::min(skip_, end - at_);
    at_ += skipped;
    skip_ -= skipped;
    const std::uint32_t pad = (begin - at_) & 3;  // each fragment aligns from its own header
    if (skip_ != 0 || end - at_ < pad + sizeof word) continue;
    word = load<std::uint32_t>(bytes_.data() + at_ + pad, header_.order != kNativeOrder);
    at_ += pad + static_cast<std::uint32_t>(sizeof word);
    return true;
  }
  return false;
}

bool Reassembly::find_request_id(std::uint64_t& words, std::uint32_t& id) {
  std::uint32_t word;
  // The service contexts are judged when the request has come.
  while (search_ != Search::Found && read_word(word)) {
    ++words;
    if (search_ == Search::Contexts) {
      words_to_go_ = 2 * std::uint64_t{word} + 1;
      search_ = Search::Ids;
    } else if (--words_to_go_ == 0) {
      found_id_ = word;
      search_ = Search::Found;
    } else if (words_to_go_ % 2 != 0) {
      skip_ = word;
    }
  }
  id = found_id_;
  return search_ == Search::Found;
}

Message Reassembly::message() {
  Message m;
  m.header = header_;
  m.header.more_fragments = false;
  m.header.body_bytes = static_cast<std::uint32_t>(bytes_.size());
  m.reassembled = true;
  if (header_.version >= kGiop12) {
    m.body = bytes_.view();
    return m;
  }
  // Each fragment of 1.1 aligns from its own header.
  std::uint32_t begin = 0;
  const std::size_t n = ends_.size() / sizeof begin;
  segments_.reset(new cdr::Segment[n]);
  for (std::size_t i = 0; i != n; ++i) {
    const std::uint32_t end = end_of(i);
    segments_[i] = {ByteView(bytes_.data() + begin, end - begin), kBodyPhase};
    begin = end;
  }
  m.segments = {segments_.get(), n};
  return m;
}

}  // namespace callis::giop
