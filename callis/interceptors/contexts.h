// SPDX-License-Identifier: Apache-2.0
// Service contexts that interceptors add to a message, and contexts that came with a message.
#pragma once
#include <callis/giop/service_context.h>
#include <callis/interceptors.h>
#include <callis/ior/reference.h>
#include <optional>

namespace callis::interceptors {

class ContextList final {
 public:
  // Raises BAD_PARAM, OMG minor 26, if there is no context with that id. The caller owns the result.
  IOP::ServiceContext* get(IOP::ServiceId id) const;
  // Returns the data of the context with that id, valid until the list changes; none if there is no such context.
  std::optional<ByteView> find(IOP::ServiceId id) const {
    for (const One& c : list_)
      if (c.id == id) return c.data;
    return std::nullopt;
  }
  // Raises BAD_INV_ORDER, OMG minor 15, if the id is there already and `replace` is false. Raises IMP_LIMIT for more
  // or longer contexts than a peer with these limits takes.
  void add(const IOP::ServiceContext& context, bool replace, const Limits& limits, std::size_t own = kUsualOwn);
  // Copies the contexts that came with a message.
  void keep(const giop::ServiceContexts& came);
  // Returns the contexts to send, behind `room` free places; valid until the list changes.
  std::span<giop::ServiceContext> to_send(std::size_t room);
  bool empty() const { return list_.empty(); }

  // The number of the ORB's own contexts in a message without policies.
  static constexpr std::size_t kUsualOwn = 2;

 private:
  struct One {
    std::uint32_t id;
    ior::Bytes data;
  };
  std::vector<One> list_;
  std::vector<giop::ServiceContext> views_;
};

inline ByteView bytes_of(const CORBA::OctetSeq& seq) {
  return {reinterpret_cast<const Byte*>(seq.get_buffer()), seq.length()};
}
inline void fill(CORBA::OctetSeq& to, ByteView from) {
  to.length(static_cast<CORBA::ULong>(from.size()));
  std::copy(from.begin(), from.end(), reinterpret_cast<Byte*>(to.get_buffer()));
}

}  // namespace callis::interceptors
