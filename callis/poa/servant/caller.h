// SPDX-License-Identifier: Apache-2.0
// Caller: who has asked for what the calling thread does, as far as the operating system vouches for it. What decides
// about permission asks this.
//
//   void Valve::open() {
//     const callis::Caller caller = callis::Caller::current();
//     if (caller.kind() != callis::Caller::Kind::User || caller.user() != 1000)
//       throw CORBA::NO_PERMISSION(0, CORBA::COMPLETED_NO);
//
// A network address is nobody's identity, and so are loopback addresses: every user of the machine, and every program
// that one of them has talked into a call, comes from there. Only a Unix-domain socket tells who is at its other end.
//
// A call that a servant makes to an object of its own process is its caller's: Caller::current() there is who has
// called that servant. So nobody gains a right by having another object of the process make his call.
#pragma once
#include <cstdint>
#include <string>

namespace callis {

namespace transport {
struct Peer;
}

class Caller final {
 public:
  enum class Kind : std::uint8_t {
    Process,  // this process itself: its thread serves no request from outside
    User,     // a user of this machine, over a Unix-domain socket
    Nobody,   // whoever could connect
  };

  // Of the request that the calling thread serves, with those around it; Process outside. Takes no lock.
  static Caller current();
  // Who is at the other end of a connection; nullptr: the process itself. For what stands before the adapters.
  static Caller of(const transport::Peer* peer);

  Kind kind() const { return kind_; }
  // Kind::User: the user's number.
  std::uint32_t user() const { return user_; }
  // For people: "this process", "user 1000", "nobody (10.1.2.3)".
  std::string text() const;
  // What the caller's things are counted by: equal for callers that are one, as far as anybody can tell. A user by
  // the number; nobody by the address, of IPv6 by its network of 64 bits, and all loopback addresses as one. "" for
  // Process.
  const std::string& counted_as() const { return counted_as_; }

 private:
  Kind kind_ = Kind::Process;
  std::uint32_t user_ = 0;
  std::string host_, counted_as_;
};

}  // namespace callis
