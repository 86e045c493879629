// SPDX-License-Identifier: Apache-2.0
// H.264 in packets and in byte streams.
#include <services/streams/flows/big_endian.h>
#include <services/streams/payload/h264.h>
#include <algorithm>

namespace callis::streams {
namespace {
constexpr int kStapA = 24, kFuA = 28;
constexpr Byte kStart = 0x80, kEnd = 0x40;
}  // namespace

void AnnexB::push(ByteView bytes) {
  if (at_ > (1u << 16)) {  // the room of units that have been taken
    bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(at_));
    scanned_ -= at_;
    at_ = 0;
  }
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
}

bool AnnexB::next(ByteView& nal) {
  while (true) {
    std::size_t found = bytes_.size();
    for (std::size_t i = scanned_; i + 2 < bytes_.size(); ++i) {
      if (bytes_[i] == 0 && bytes_[i + 1] == 0 && bytes_[i + 2] == 1) {
        found = i;
        break;
      }
    }
    const bool end_of_all = found == bytes_.size();
    if (end_of_all && !(finished_ && inside_)) {
      scanned_ = bytes_.size() < 2 ? 0 : std::max(scanned_, bytes_.size() - 2);
      if (bytes_.size() - at_ > most_) {  // no unit may be so long: wait for the next one
        bytes_.clear();
        at_ = scanned_ = 0;
        inside_ = false;
      }
      return false;
    }
    std::size_t end = found;
    while (end > at_ && bytes_[end - 1] == 0) --end;  // trailing zeros, and the first one of a long start code
    const std::size_t begin = at_;
    const bool whole = inside_ && end > begin && end - begin <= most_;
    at_ = scanned_ = end_of_all ? bytes_.size() : found + 3;
    inside_ = !end_of_all;
    if (whole) {
      nal = ByteView(bytes_).subspan(begin, end - begin);
      return true;
    }
    if (end_of_all) return false;
  }
}

void h264_packets(ByteView nal, std::size_t most, const std::function<void(ByteView, bool)>& each) {
  if (nal.empty()) return;
  if (nal.size() <= most) return each(nal, true);
  const Byte indicator = static_cast<Byte>((nal[0] & 0xe0) | kFuA), type = nal[0] & 31;
  std::vector<Byte> packet;
  for (std::size_t at = 1; at < nal.size();) {
    const std::size_t size = std::min(most - 2, nal.size() - at);
    const bool last = at + size == nal.size();
    packet.assign({indicator, static_cast<Byte>(type | (at == 1 ? kStart : 0) | (last ? kEnd : 0))});
    packet.insert(packet.end(), nal.begin() + static_cast<std::ptrdiff_t>(at),
                  nal.begin() + static_cast<std::ptrdiff_t>(at + size));
    each(packet, last);
    at += size;
  }
}

bool H264Assembly::take(ByteView payload, std::uint16_t sequence, const std::function<void(ByteView)>& each) {
  const bool in_row = sequence == expected_;
  expected_ = static_cast<std::uint16_t>(sequence + 1);
  const int type = nal_type(payload);
  const auto give_up = [&] {
    if (!unit_.empty()) ++incomplete_;
    unit_.clear();
  };
  if (type != kFuA || !in_row) give_up();
  if (type >= 1 && type <= 23) {
    each(payload);
    return true;
  }
  if (type == kStapA) {
    for (ByteView rest = payload.subspan(1); !rest.empty();) {
      if (rest.size() < 2) return false;
      const std::size_t size = big16(rest.data());
      if (size == 0 || rest.size() - 2 < size) return false;
      each(rest.subspan(2, size));
      rest = rest.subspan(2 + size);
    }
    return true;
  }
  if (type != kFuA || payload.size() < 3 || (payload[1] & (kStart | kEnd)) == (kStart | kEnd)) return false;
  if (payload[1] & kStart) {
    give_up();
    unit_.push_back(static_cast<Byte>((payload[0] & 0xe0) | (payload[1] & 31)));
  } else if (unit_.empty()) {
    if (payload[1] & kEnd) ++incomplete_;  // its beginning was lost
    return true;
  }
  if (unit_.size() + payload.size() > most_) {
    give_up();
    return false;
  }
  unit_.insert(unit_.end(), payload.begin() + 2, payload.end());
  if (payload[1] & kEnd) {
    each(unit_);
    unit_.clear();
  }
  return true;
}

}  // namespace callis::streams
