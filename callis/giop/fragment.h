// SPDX-License-Identifier: Apache-2.0
// Cutting an outgoing GIOP 1.2 message into fragments (CORBA 3.3 part 2, 9.4.9), without copying its body.
#pragma once
#include <callis/base/feature.h>
#include <callis/giop/message.h>
#include <vector>

CALLIS_FEATURE(fragments);

namespace callis::giop {

// The pieces of one message, for one writev() or several. Keeps its storage for the next message.
// The message's bytes must stay where they are until the pieces have been sent.
class FragmentedMessage final {
 public:
  // The smallest piece that holds a header and some data.
  static constexpr std::size_t kMinPieceBytes = 32;

  // Cuts the finished message into GIOP messages of at most max_piece_bytes each (rounded down to a multiple
  // of 8, at least kMinPieceBytes), with headers. The first header is patched in place. A message
  // that is short enough, or of a kind that cannot be cut (before 1.2; CancelRequest and the like), stays
  // one piece. Faults: BadHeader when message is not one whole GIOP message; OutOfMemory.
  [[nodiscard]] CALLIS_OPTIONAL Fault cut(MutableBytes message, std::size_t max_piece_bytes);

  // Views to be sent in this order: headers and data in turn.
  std::span<const ByteView> views() const { return views_; }
  std::size_t messages() const { return messages_; }
  std::size_t total_bytes() const { return total_bytes_; }

 private:
  Buffer headers_;
  std::vector<ByteView> views_;
  std::size_t messages_ = 0;
  std::size_t total_bytes_ = 0;
};

}  // namespace callis::giop
