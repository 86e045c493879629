// SPDX-License-Identifier: Apache-2.0
#include <services/streams/flows/sfp_assembly.h>

namespace callis::streams {

SfpAssembly::Unfinished& SfpAssembly::find(std::uint32_t sequence) {
  for (Unfinished& each : frames_) {
    if (each.sequence == sequence) return each;
  }
  if (frames_.size() == kMostFrames) {
    bytes_ -= frames_.front().bytes;
    frames_.erase(frames_.begin());
    ++abandoned_;
  }
  frames_.emplace_back().sequence = sequence;
  return frames_.back();
}

std::optional<SfpAssembly::Whole> SfpAssembly::add(std::uint32_t sequence, std::uint32_t number, ByteView data) {
  Unfinished* frame = &find(sequence);
  if (number > kMostPieces || frame->pieces.count(number)) return std::nullopt;
  while (bytes_ + data.size() > most_bytes_) {  // the oldest goes first; also this one
    const bool this_one = &frames_.front() == frame;
    bytes_ -= frames_.front().bytes;
    frames_.erase(frames_.begin());
    ++abandoned_;
    if (this_one) return std::nullopt;
    frame = &find(sequence);
  }
  frame->pieces.emplace(number, std::vector<Byte>(data.begin(), data.end()));
  frame->bytes += data.size();
  bytes_ += data.size();
  if (!frame->first || !frame->last || frame->pieces.size() != std::size_t{frame->last} + 1 ||
      frame->pieces.rbegin()->first != frame->last) {
    return std::nullopt;
  }
  Whole out;
  out.frame = std::move(*frame->first);
  out.frame.more = false;
  out.bytes.reserve(frame->bytes);
  for (const auto& [n, piece] : frame->pieces) out.bytes.insert(out.bytes.end(), piece.begin(), piece.end());
  out.frame.data = out.bytes;
  bytes_ -= frame->bytes;
  frames_.erase(frames_.begin() + (frame - &frames_.front()));
  return out;
}

std::optional<SfpAssembly::Whole> SfpAssembly::take(const SfpFrame& first) {
  Unfinished& frame = find(first.sequence);
  if (!frame.first) frame.first = first;
  return add(first.sequence, 0, first.data);
}

std::optional<SfpAssembly::Whole> SfpAssembly::take(const SfpFragment& fragment) {
  Unfinished& frame = find(fragment.sequence);
  if (!fragment.more) frame.last = fragment.number;
  return add(fragment.sequence, fragment.number, fragment.data);
}

}  // namespace callis::streams
