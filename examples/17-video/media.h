// SPDX-License-Identifier: Apache-2.0
// Media of this example: pictures of H.264, sounds of Opus, and a camera, which is ffmpeg as a child.
#pragma once
#include <callis/services/streams_payload.h>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

using Bytes = std::vector<callis::Byte>;
using Picture = std::vector<Bytes>;  // its NAL units

constexpr unsigned kPictures = 25;       // a second
constexpr unsigned kVideoClock = 90000;  // units a second of timestamps

// Gathers units to pictures: one begins with what comes before its first slice.
class Pictures {
 public:
  void push(callis::ByteView bytes) { stream_.push(bytes); }
  void finish() { stream_.finish(), finished_ = true; }
  bool next(Picture& out) {
    callis::ByteView nal;
    while (stream_.next(nal)) {
      const bool starts = callis::streams::begins_picture(nal) || !callis::streams::is_slice(nal);
      const bool whole = has_slice_ && starts;
      if (whole) out.swap(units_), units_.clear(), has_slice_ = false;
      units_.emplace_back(nal.begin(), nal.end());
      has_slice_ = has_slice_ || callis::streams::is_slice(nal);
      if (whole) return true;
    }
    if (!finished_ || !has_slice_) return false;
    out.swap(units_), units_.clear(), has_slice_ = false;
    return true;
  }

 private:
  callis::streams::AnnexB stream_;
  Picture units_;
  bool has_slice_ = false, finished_ = false;
};

// Calls `take` with what is read, until the end or until it returns false.
template<class Take>
void read_all(std::FILE* from, Take&& take) {
  Bytes buffer(64 << 10);
  for (std::size_t got; (got = std::fread(buffer.data(), 1, buffer.size(), from)) > 0;) {
    if (!take(callis::ByteView(buffer).first(got))) break;
  }
}

template<class Take>
void read_file(const std::string& name, Take&& take) {
  std::FILE* const file = std::fopen(name.c_str(), "rb");
  if (!file) throw std::runtime_error("cannot read " + name);
  read_all(file, take);
  std::fclose(file);
}

inline std::vector<Picture> read_pictures(const std::string& name) {
  Pictures in;
  read_file(name, [&](callis::ByteView bytes) { return in.push(bytes), true; });
  in.finish();
  std::vector<Picture> out;
  for (Picture one; in.next(one);) out.push_back(one);
  return out;
}

inline std::vector<Bytes> read_sounds(const std::string& name) {
  callis::streams::OggOpus in;
  read_file(name, [&](callis::ByteView bytes) { return in.push(bytes), true; });
  std::vector<Bytes> out;
  for (Bytes one; in.next(one);) out.push_back(one);
  return out;
}
