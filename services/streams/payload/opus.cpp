// SPDX-License-Identifier: Apache-2.0
// Packets of Opus, and pages of Ogg.
#include <services/streams/payload/opus.h>
#include <algorithm>
#include <cstring>

namespace callis::streams {

std::uint32_t opus_duration(ByteView packet) {
  if (packet.empty()) return 0;
  const unsigned config = packet[0] >> 3, code = packet[0] & 3;
  std::uint32_t frame = 0;  // at 48 kHz
  if (config < 12) {
    static constexpr std::uint32_t kSilk[] = {480, 960, 1920, 2880};
    frame = kSilk[config & 3];
  } else if (config < 16) {
    frame = config & 1 ? 960 : 480;
  } else {
    frame = 120u << (config & 3);
  }
  std::uint32_t frames = code == 0 ? 1 : 2;
  if (code == 3) {
    if (packet.size() < 2) return 0;
    frames = packet[1] & 63;
  }
  const std::uint32_t out = frame * frames;
  return out <= 5760 ? out : 0;  // 120 ms at most
}

bool OggOpus::read_page() {
  constexpr std::size_t kHeader = 27;
  static constexpr Byte kMagic[] = {'O', 'g', 'g', 'S'};
  const auto found = std::search(bytes_.begin(), bytes_.end(), std::begin(kMagic), std::end(kMagic));
  if (found != bytes_.begin()) {  // not a page: on to the next one
    std::ptrdiff_t skip = found - bytes_.begin();
    if (found == bytes_.end()) skip = std::max<std::ptrdiff_t>(0, skip - 3);
    malformed_ += static_cast<std::uint64_t>(skip);
    bytes_.erase(bytes_.begin(), bytes_.begin() + skip);
  }
  if (bytes_.size() < kHeader || bytes_.size() < kHeader + bytes_[26]) return false;
  const std::size_t segments = bytes_[26];
  std::size_t body = 0;
  for (std::size_t i = 0; i < segments; ++i) body += bytes_[kHeader + i];
  if (bytes_.size() < kHeader + segments + body) return false;
  if (!(bytes_[5] & 1)) unfinished_.clear();  // the page does not continue a packet
  std::size_t at = kHeader + segments;
  for (std::size_t i = 0; i < segments; ++i) {
    const std::size_t size = bytes_[kHeader + i];
    unfinished_.insert(unfinished_.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(at),
                       bytes_.begin() + static_cast<std::ptrdiff_t>(at + size));
    at += size;
    if (unfinished_.size() > kMostPacket) unfinished_.clear();
    if (size < 255) {
      if (++count_ > 2 && !unfinished_.empty()) packets_.push_back(unfinished_);
      unfinished_.clear();
    }
  }
  bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(at));
  return true;
}

bool OggOpus::next(std::vector<Byte>& packet) {
  while (taken_ == packets_.size()) {
    packets_.clear();
    taken_ = 0;
    if (!read_page()) return false;
  }
  packet = std::move(packets_[taken_++]);
  return true;
}

}  // namespace callis::streams
