// SPDX-License-Identifier: Apache-2.0
// Puts the fragments of SFP frames together, in any order, within limits: what a peer begins and never ends is
// thrown away for what comes later.
#pragma once
#include <services/streams/flows/sfp_message.h>
#include <map>

namespace callis::streams {

class SfpAssembly final {
 public:
  static constexpr std::size_t kMostFrames = 8, kMostPieces = 65536;
  explicit SfpAssembly(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  struct Whole {
    SfpFrame frame;  // its data are `bytes`
    std::vector<Byte> bytes;
  };
  // The piece in the frame's own message, which has `more`; a fragment. The frame where it is complete now.
  std::optional<Whole> take(const SfpFrame& first);
  std::optional<Whole> take(const SfpFragment& fragment);
  // Frames that were given up.
  std::uint64_t abandoned() const { return abandoned_; }

 private:
  struct Unfinished {
    std::uint32_t sequence = 0;
    std::optional<SfpFrame> first;
    std::map<std::uint32_t, std::vector<Byte>> pieces;  // 0: in the frame's own message
    std::uint32_t last = 0;                             // number of the last piece; 0: it has not come
    std::size_t bytes = 0;
  };
  Unfinished& find(std::uint32_t sequence);
  std::optional<Whole> add(std::uint32_t sequence, std::uint32_t number, ByteView data);

  const std::size_t most_bytes_;  // of all unfinished frames together
  std::size_t bytes_ = 0;
  std::vector<Unfinished> frames_;
  std::uint64_t abandoned_ = 0;
};

}  // namespace callis::streams
