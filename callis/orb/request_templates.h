// SPDX-License-Identifier: Apache-2.0
// RequestTemplates: the headers of the kinds of request sent last on a connection, so that a client which goes
// round among a few operations and objects does not build headers. One thread.
//
// The request is built in one buffer; the header that it was built on last still stands at its front, and most
// often it is the one wanted next. The others are kept aside and copied to the front.
#pragma once
#include <callis/giop/message.h>
#include <callis/orb/reference.h>

namespace callis::orb {

class RequestTemplates final {
 public:
  RequestTemplates() = default;
  RequestTemplates(const RequestTemplates&) = delete;
  RequestTemplates& operator=(const RequestTemplates&) = delete;

  static constexpr std::size_t kCount = 4;
  static constexpr std::size_t kMaxBytes = 1024;  // longer headers are not kept

  // Requests of one kind have the same header, but for size and id.
  struct Kind {
    std::uint64_t reference = 0;      // Reference::serial(); never 0
    const void* operation = nullptr;  // CallOperation::identity; never nullptr
    std::uint64_t variant = 0;        // the path, and how its object is addressed
    friend bool operator==(const Kind&, const Kind&) = default;

    static Kind of(const Reference& to, const Path& path, const void* operation) {
      static_assert(alignof(Path) >= 4);
      return {to.serial(), operation, reinterpret_cast<std::uintptr_t>(&path) | to.addressing()};
    }
  };

  // Makes request the header of that kind; where its parts are, or nullptr when it is not known.
  const giop::Started* put(const Kind& kind, Buffer& request) {
    if (!(front_->kind == kind)) [[unlikely]] return put_other(kind, request);
    request.set_size(front_->started.body);
    return &front_->started;
  }
  // The front of request is going to be overwritten.
  void front_changes() { front_ = &none_; }
  // request is a header of that kind: keeps it, in place of the one kept for longest.
  void keep(const Kind& kind, const giop::Started& started, const Buffer& request);

 private:
  struct Template {
    Kind kind;
    giop::Started started;
    Buffer bytes;
  };

  const giop::Started* put_other(const Kind& kind, Buffer& request);

  Template all_[kCount];
  const Template none_;  // of no kind
  const Template* front_ = &none_;
  std::size_t oldest_ = 0;
};

}  // namespace callis::orb
