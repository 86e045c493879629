// SPDX-License-Identifier: Apache-2.0
// Service contexts that interceptors add to a message, and those that came with one.
#pragma once
#include <callis/giop/service_context.h>
#include <callis/interceptors.h>
#include <callis/ior/reference.h>
#include <optional>

namespace callis::interceptors {

class ContextList final {
 public:
  // BAD_PARAM, OMG minor 26, when there is none with that id. The caller owns the result.
  IOP::ServiceContext* get(IOP::ServiceId id) const;
  // The data of the one with that id, until the list changes; none when there is none.
  std::optional<ByteView> find(IOP::ServiceId id) const {
    for (const One& c : list_)
      if (c.id == id) return c.data;
    return std::nullopt;
  }
  // BAD_INV_ORDER, OMG minor 15, when there is one with that id that is not to be replaced; IMP_LIMIT for more or
  // longer ones than a peer with these limits takes.
  void add(const IOP::ServiceContext& context, bool replace, const Limits& limits, std::size_t own = kUsualOwn);
  // Copies of those that came.
  void keep(const giop::ServiceContexts& came);
  // To be sent, behind `room` free places; valid until the list changes.
  std::span<giop::ServiceContext> to_send(std::size_t room);
  bool empty() const { return list_.empty(); }

  // The ORB's own contexts in a message that is told no policies.
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
