// SPDX-License-Identifier: Apache-2.0
// RequestTemplates: the headers of the kinds of request sent last on a connection. So a client that repeats a few
// operations on a few objects does not build headers. Used by one thread.
//
// The request is built in one buffer. The last request's header still stands at the front, and most often it is
// wanted again. Other headers are kept aside and copied to the front.
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

  // Requests of one kind have the same header, except size and id. Keys may differ, too, if the references differ in
  // nothing else: a client of many objects needs one header for each operation.
  struct Kind {
    std::uint64_t reference = 0;      // Reference::serial(); 0: of any whose key is as long
    const void* operation = nullptr;  // CallOperation::identity; never nullptr
    std::uint64_t variant = 0;        // the path, and how its object is addressed; or the key's length
    std::uint64_t target = 0;         // if reference is 0: the owner of the key, and the key's place
    ByteView key = {};                // of target
    friend bool operator==(const Kind& a, const Kind& b) {
      return a.reference == b.reference && a.operation == b.operation && a.variant == b.variant;
    }

    // Tells apart requests that are otherwise alike. mark: 1 to 7.
    void mark(unsigned mark) { variant |= static_cast<std::uint64_t>(mark) << 60; }
  };

  // A call of GIOP 1.2 that plain_call.h has prepared: its header stands at the front, and nothing has changed that
  // led to the header.
  struct Prepared {
    const void* operation = nullptr;  // CallOperation::identity
    const void* path = nullptr;       // of the reference
    std::uint64_t reference = 0;      // Reference::serial()
    friend bool operator==(const Prepared&, const Prepared&) = default;
  };
  // Returns the places of the header's parts; nullptr if the call is not the prepared one.
  const giop::Started* find(const Prepared& call) const {
    return call == prepared_ ? &front_->started : nullptr;
  }
  // The header at the front is that call's.
  void prepare(const Prepared& call) { prepared_ = call; }

  // Makes request the header of that kind. Returns the places of its parts, or nullptr if the kind is not known.
  const giop::Started* put(const Kind& kind, Buffer& request) {
    prepared_ = {};
    if (!(front_->kind == kind)) [[unlikely]] return put_other(kind, request);
    request.set_size(front_->started.body);
    set_key(kind, request);
    return &front_->started;
  }
  // Called before the front of request is overwritten.
  void front_changes() {
    front_ = &none_;
    prepared_ = {};
  }
  // Keeps request, a header of that kind, in place of the header kept for longest.
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
  const Template none_{};  // has no kind
  const Template* front_ = &none_;
  Prepared prepared_;
  std::uint64_t target_ = 0;  // whose key stands in the header at the front
  const Byte* key_ = nullptr;
  std::size_t oldest_ = 0;
};

}  // namespace callis::orb
