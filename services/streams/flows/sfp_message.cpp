// SPDX-License-Identifier: Apache-2.0
// Reading messages of SFP from a peer, and writing them.
#include <callis/base/endian.h>
#include <services/streams/flows/sfp_message.h>
#include <cstring>
#include <string_view>

namespace callis::streams {
namespace {

constexpr Byte kLittle = 1, kMore = 2, kRefused = 2;
constexpr std::size_t kHeader = 12, kFragmentHeader = 24, kStart = 7, kReply = 5, kCredit = 8;
constexpr bool kSwapLittle = kNativeOrder != ByteOrder::Little;

bool is(ByteView bytes, std::string_view magic) {
  return bytes.size() >= 4 && std::memcmp(bytes.data(), magic.data(), 4) == 0;
}

bool swapped(Byte flags) { return (flags & kLittle) != static_cast<Byte>(kNativeOrder); }

std::optional<SfpMessage> parse_frame(ByteView bytes) {
  if (bytes.size() < kHeader) return std::nullopt;
  const bool swap = swapped(bytes[4]);
  const auto at = [&](std::size_t i) { return load<std::uint32_t>(&bytes[i], swap); };
  SfpFrame out;
  out.more = bytes[4] & kMore;
  if (bytes[5] > static_cast<Byte>(SfpType::SpecialFrame) || bytes[5] == static_cast<Byte>(SfpType::Start))
    return std::nullopt;
  out.type = static_cast<SfpType>(bytes[5]);
  if (at(8) != bytes.size() - kHeader) return std::nullopt;
  std::size_t head = kHeader;
  const auto take = [&](std::uint32_t& into) {
    if (bytes.size() - head < 4) return false;
    into = at(head);
    head += 4;
    return true;
  };
  bool good = true;
  if (out.type == SfpType::SequencedFrame) good = take(out.sequence);
  if (out.type == SfpType::Frame) {
    std::uint32_t count = 0;
    good = take(out.timestamp) && take(out.source) && take(count) && count <= kMostSfpSources &&
           (bytes.size() - head) / 4 >= count;
    for (; good && count > 0; --count) good = take(out.sources.emplace_back());
    good = good && take(out.sequence);
  }
  if (out.type == SfpType::SpecialFrame) {
    std::uint32_t size = 0;
    good = take(out.context) && take(size) && size == bytes.size() - head;
  }
  if (!good || (out.type == SfpType::EndOfStream && bytes.size() != kHeader)) return std::nullopt;
  if (out.more && out.type != SfpType::SequencedFrame && out.type != SfpType::Frame)
    return std::nullopt;  // no number
  out.data = bytes.subspan(head);
  return out;
}

std::optional<SfpMessage> parse_fragment(ByteView bytes) {
  if (bytes.size() < kFragmentHeader) return std::nullopt;
  const bool swap = swapped(bytes[4]);
  const auto at = [&](std::size_t i) { return load<std::uint32_t>(&bytes[i], swap); };
  SfpFragment out;
  out.more = bytes[4] & kMore;
  out.number = at(8);
  out.sequence = at(12);
  out.source = at(20);
  if (at(16) != bytes.size() - kFragmentHeader || out.number == 0) return std::nullopt;
  out.data = bytes.subspan(kFragmentHeader);
  return out;
}

void put(Byte* at, std::uint32_t value) { store(at, value, kSwapLittle); }

template<std::size_t N>
std::array<Byte, N> begin(std::string_view magic) {
  std::array<Byte, N> out{};
  std::memcpy(out.data(), magic.data(), 4);
  return out;
}

}  // namespace

std::optional<SfpMessage> parse_sfp(ByteView bytes) {
  if (is(bytes, "=SFP")) return parse_frame(bytes);
  if (is(bytes, "FRAG")) return parse_fragment(bytes);
  if (is(bytes, "=STA") && bytes.size() == kStart) return SfpStart{bytes[4], bytes[5]};
  if (is(bytes, "=STR") && bytes.size() == kReply) return SfpStartReply{(bytes[4] & kRefused) != 0};
  // It has no flags, so its order is taken from the number: the smaller of the two readings, since they count from 1.
  if (is(bytes, "=CRE") && bytes.size() == kCredit) {
    const auto one = load<std::uint32_t>(&bytes[4], false), two = load<std::uint32_t>(&bytes[4], true);
    return SfpCredit{one < two ? one : two};
  }
  return std::nullopt;
}

std::optional<std::size_t> sfp_size(ByteView bytes, std::size_t most) {
  if (bytes.size() < 4) return 0;
  std::size_t size = 0;
  if (is(bytes, "=SFP")) {
    if (bytes.size() < kHeader) return 0;
    size = kHeader + std::size_t{load<std::uint32_t>(&bytes[8], swapped(bytes[4]))};
  } else if (is(bytes, "FRAG")) {
    if (bytes.size() < kFragmentHeader) return 0;
    size = kFragmentHeader + std::size_t{load<std::uint32_t>(&bytes[16], swapped(bytes[4]))};
  } else if (is(bytes, "=STA")) {
    size = kStart;
  } else if (is(bytes, "=STR")) {
    size = kReply;
  } else if (is(bytes, "=CRE")) {
    size = kCredit;
  } else {
    return std::nullopt;
  }
  if (size > most) return std::nullopt;
  return size;
}

std::vector<Byte> sfp_head(const SfpFrame& frame) {
  std::vector<Byte> out(kHeader);
  std::memcpy(out.data(), "=SFP", 4);
  out[4] = static_cast<Byte>(kLittle | (frame.more ? kMore : 0));
  out[5] = static_cast<Byte>(frame.type);
  const auto add = [&](std::uint32_t value) {
    out.resize(out.size() + 4);
    put(&out[out.size() - 4], value);
  };
  if (frame.type == SfpType::SequencedFrame) add(frame.sequence);
  if (frame.type == SfpType::Frame) {
    add(frame.timestamp);
    add(frame.source);
    add(static_cast<std::uint32_t>(frame.sources.size()));
    for (const std::uint32_t source : frame.sources) add(source);
    add(frame.sequence);
  }
  if (frame.type == SfpType::SpecialFrame) {
    add(frame.context);
    add(static_cast<std::uint32_t>(frame.data.size()));
  }
  put(&out[8], static_cast<std::uint32_t>(out.size() - kHeader + frame.data.size()));
  return out;
}

std::array<Byte, 24> sfp_head(const SfpFragment& fragment) {
  auto out = begin<24>("FRAG");
  out[4] = static_cast<Byte>(kLittle | (fragment.more ? kMore : 0));
  put(&out[8], fragment.number);
  put(&out[12], fragment.sequence);
  put(&out[16], static_cast<std::uint32_t>(fragment.data.size()));
  put(&out[20], fragment.source);
  return out;
}

std::array<Byte, 7> sfp_bytes(const SfpStart& start) {
  auto out = begin<7>("=STA");
  out[4] = start.major;
  out[5] = start.minor;
  out[6] = kLittle;
  return out;
}

std::array<Byte, 5> sfp_bytes(const SfpStartReply& reply) {
  auto out = begin<5>("=STR");
  out[4] = static_cast<Byte>(kLittle | (reply.refused ? kRefused : 0));
  return out;
}

std::array<Byte, 8> sfp_bytes(const SfpCredit& credit) {
  auto out = begin<8>("=CRE");
  put(&out[4], credit.number);
  return out;
}

}  // namespace callis::streams
