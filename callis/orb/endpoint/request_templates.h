// SPDX-License-Identifier: Apache-2.0
// RequestTemplates: the headers of the kinds of request sent last on a connection, so that a client which goes
// round among a few operations and objects does not build headers. One thread.
//
// The request is built in one buffer; the header that it was built on last still stands at its front, and most
// often it is the one wanted next. The others are kept aside and copied to the front.
#pragma once
#include <callis/base/buffer.h>
#include <callis/giop/request.h>
#include <cstring>

namespace callis::orb {

class RequestTemplates final {
 public:
  RequestTemplates() = default;
  RequestTemplates(const RequestTemplates&) = delete;
  RequestTemplates& operator=(const RequestTemplates&) = delete;

  static constexpr std::size_t kCount = 4;
  static constexpr std::size_t kMaxBytes = 1024;  // longer headers are not kept

  // Requests of one kind have the same header, but for size, id and, where that is all that the reference matters
  // for, the key: a client that goes round among many objects needs one header an operation.
  struct Kind {
    std::uint64_t reference = 0;      // Reference::serial(); 0: of any whose key is as long
    const void* operation = nullptr;  // CallOperation::identity; never nullptr
    std::uint64_t variant = 0;        // the path, and how its object is addressed; or the key's length
    std::uint64_t target = 0;         // where reference is 0: whose key it is, and where that is found
    ByteView key = {};                // of target
    friend bool operator==(const Kind& a, const Kind& b) {
      return a.reference == b.reference && a.operation == b.operation && a.variant == b.variant;
    }

    // Tells apart requests that are alike in all of this. mark: 1 to 7.
    void mark(unsigned mark) { variant |= static_cast<std::uint64_t>(mark) << 60; }

  };

  // Makes request the header of that kind; where its parts are, or nullptr when it is not known.
  const giop::Started* put(const Kind& kind, Buffer& request) {
    if (!(front_->kind == kind)) [[unlikely]] return put_other(kind, request);
    request.set_size(front_->started.body);
    set_key(kind, request);
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
  void set_key(const Kind& kind, Buffer& request) {
    if (kind.target == target_ && kind.key.data() == key_) [[likely]] return;
    target_ = kind.target;
    key_ = kind.key.data();
    if (!kind.key.empty()) std::memcpy(request.data() + giop::kKeyAt, key_, kind.key.size());
  }

  Template all_[kCount];
  const Template none_{};  // of no kind
  const Template* front_ = &none_;
  std::uint64_t target_ = 0;  // whose key stands in the header at the front
  const Byte* key_ = nullptr;
  std::size_t oldest_ = 0;
};

}  // namespace callis::orb
