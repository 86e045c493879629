// SPDX-License-Identifier: Apache-2.0
// Drives a Connection as an ORB does, with bytes that arrive in slices, and records what it yields.
#pragma once
#include <callis/giop/connection.h>
#include <callis/giop/testing/wire.h>
#include <string>

namespace callis::giop::testing {

// What one event amounted to, comparable between runs.
struct Seen {
  EventKind kind;
  Fault fault;
  MessageHeader header;  // Message
  Bytes body;            // Message: the body, fragments end to end; ProtocolError: what is to be sent
  friend bool operator==(const Seen&, const Seen&) = default;
};
std::string to_string(const Seen& s);

// The bytes of a message's body, segments end to end.
Bytes body_of(const Message& m);

class Driver final {
 public:
  explicit Driver(Role role, const Limits& limits = {}) : limits_(limits), connection(role, limits_) {}

  // Bytes that have arrived; appends what they yield to seen. Every call of receive() gets its view in an
  // allocation of exactly its size, so that a sanitizer sees reads beyond it.
  void arrive(ByteView bytes);
  void arrive(const Bytes& bytes) { arrive(ByteView(bytes)); }
  // In slices of the size that next() says.
  template <class Next>
  void arrive_in_slices(const Bytes& bytes, Next&& next) {
    for (std::size_t at = 0; at < bytes.size();) {
      std::size_t n = next();
      if (n > bytes.size() - at) n = bytes.size() - at;
      arrive(ByteView(bytes).subspan(at, n));
      at += n;
    }
  }
  const Seen& last() const { return seen.back(); }
  std::size_t unconsumed() const { return held_.size(); }

 private:
  Limits limits_;

 public:
  Connection connection;
  std::vector<Seen> seen;
  // Called for each message as it is yielded, while its views are valid.
  void (*on_message)(const Message&, const Limits&) = nullptr;
  bool broken = false;  // the engine consumed more than it got, yielded without end, or wanted too little

 private:
  Bytes held_;
};

// Decodes the header of any message and reads its body to the end; for what hostile bytes may do.
void decode_anything(const Message& m, const Limits& limits);

}  // namespace callis::giop::testing
