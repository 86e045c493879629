// SPDX-License-Identifier: Apache-2.0
// RequestTemplates: the headers of the kinds of request sent last on a connection, so that a client which goes
// round among a few operations and objects does not build headers. One thread.
//
// The request is built in one buffer; the header that it was built on last still stands at its front, and most
// often it is the one wanted next. The others are kept aside and copied to the front.
#pragma once
#include <callis/giop/message.h>

namespace callis::orb {

class RequestTemplates final {
 public:
  static constexpr std::size_t kCount = 4;
  static constexpr std::size_t kMaxBytes = 1024;  // longer headers are not kept

  // Requests of one kind have the same header, but for size and id.
  struct Kind {
    std::uint64_t reference = 0;      // Reference::serial(); never 0
    const void* operation = nullptr;  // CallOperation::identity; never nullptr
    std::uint64_t variant = 0;        // whatever else makes a difference
    friend bool operator==(const Kind&, const Kind&) = default;
  };

  // Makes request the header of that kind; where its parts are, or nullptr when it is not known.
  const giop::Started* put(const Kind& kind, Buffer& request) {
    const Template& t = all_[front_];
    if (!(t.kind == kind)) [[unlikely]] return put_other(kind, request);
    request.set_size(t.started.body);
    return &t.started;
  }
  // The front of request is going to be overwritten.
  void front_changes() { front_ = kNone; }
  // request is a header of that kind: keeps it, in place of the one kept for longest.
  void keep(const Kind& kind, const giop::Started& started, const Buffer& request);

 private:
  static constexpr std::size_t kNone = kCount;  // a template of no kind

  struct Template {
    Kind kind;
    giop::Started started;
    Buffer bytes;
  };

  const giop::Started* put_other(const Kind& kind, Buffer& request);

  Template all_[kCount + 1];
  std::size_t front_ = kNone;
  std::size_t oldest_ = 0;
};

}  // namespace callis::orb
