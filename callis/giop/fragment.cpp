// SPDX-License-Identifier: Apache-2.0
#include <callis/giop/fragment.h>

CALLIS_PROVIDE(fragments);

namespace callis::giop {
namespace {

bool may_be_cut(const MessageHeader& h) {
  if (h.version < kGiop12 || h.more_fragments || h.body_bytes < 4) return false;
  return h.type == MessageType::Request || h.type == MessageType::Reply ||
         h.type == MessageType::LocateRequest || h.type == MessageType::LocateReply;
}

}  // namespace

Fault FragmentedMessage::cut(MutableBytes message, std::size_t max_piece_bytes) {
  views_.clear();
  headers_.clear();
  messages_ = total_bytes_ = 0;
  Limits any_size;
  any_size.max_message_bytes = SIZE_MAX;
  MessageHeader h;
  if (parse_header(message, any_size, h) != Fault::None || h.message_bytes() != message.size()) {
    return Fault::BadHeader;
  }
  if (max_piece_bytes < kMinPieceBytes) max_piece_bytes = kMinPieceBytes;
  if (message.size() <= max_piece_bytes || !may_be_cut(h)) {
    views_.push_back(message);
    messages_ = 1;
    total_bytes_ = message.size();
    return Fault::None;
  }

  // Every piece but the last is a multiple of 8 long, so the data keeps its alignment (9.4.9).
  const std::size_t piece = max_piece_bytes & ~std::size_t{7};
  const std::size_t data_each = piece - kFragmentHeaderBytes;
  const std::size_t rest = message.size() - piece;
  const std::size_t followers = (rest + data_each - 1) / data_each;
  if (!headers_.reserve(followers * kFragmentHeaderBytes)) return Fault::OutOfMemory;
  headers_.set_size(followers * kFragmentHeaderBytes);

  MessageHeader piece_header{h.version, h.order, true, h.type, static_cast<std::uint32_t>(piece - kHeaderBytes)};
  write_header(message.data(), piece_header);
  views_.push_back(message.subspan(0, piece));
  piece_header.type = MessageType::Fragment;
  std::size_t at = piece;
  for (std::size_t i = 0; i < followers; ++i) {
    const std::size_t left = message.size() - at;
    const std::size_t n = left < data_each ? left : data_each;
    piece_header.more_fragments = i + 1 < followers;
    piece_header.body_bytes = static_cast<std::uint32_t>(n + 4);
    Byte* header = headers_.data() + i * kFragmentHeaderBytes;
    write_header(header, piece_header);
    store(header + kHeaderBytes, load<std::uint32_t>(message.data() + kHeaderBytes));  // request id, same order
    views_.push_back({header, kFragmentHeaderBytes});
    views_.push_back(message.subspan(at, n));
    at += n;
  }
  messages_ = followers + 1;
  total_bytes_ = message.size() + followers * kFragmentHeaderBytes;
  return Fault::None;
}

}  // namespace callis::giop
