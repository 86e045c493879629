// SPDX-License-Identifier: Apache-2.0
// Caller: the requester of the calling thread's work, as far as the operating system vouches for it. Code that
// decides about permission asks Caller.
//
//   void Valve::open() {
//     const callis::Caller caller = callis::Caller::current();
//     if (caller.kind() != callis::Caller::Kind::User || caller.user() != 1000)
//       throw CORBA::NO_PERMISSION(0, CORBA::COMPLETED_NO);
//
// Over TLS (callis/tls.h) a client's certificate tells who it is, if its server asks for one:
//
//     if (caller.kind() != callis::Caller::Kind::Certificate || caller.certificate()->common_name != "ops") ...
//
// A network address is nobody's identity. Nor is a loopback address: every user of the machine comes from there, and
// so does every program that such a user has talked into a call. A Unix-domain socket tells who is at its other end,
// and so does a certificate.
//
// If a servant calls an object of its own process, the call counts as its caller's: there Caller::current() is the
// caller of that servant. So nobody gains a right by having another object of the process make the call.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

namespace callis {

namespace transport {
struct Certificate;
struct Peer;
}

class Caller final {
 public:
  enum class Kind : std::uint8_t {
    Process,  // this process itself: its thread serves no request from outside
    User,     // a user of this machine, over a Unix-domain socket
    Nobody,   // anybody who could connect
    Certificate,  // the owner of a certificate that has been verified, over TLS
  };

  // The caller of the innermost request on this thread that has come over a connection; Process if there is none.
  // Takes no lock, except for a short one in programs with TLS.
  static Caller current();
  // The caller at the other end of a connection. A peer of nullptr is the process itself. For code that runs before
  // the adapters.
  static Caller of(const transport::Peer* peer);

  Kind kind() const { return kind_; }
  // Kind::User: the user's number.
  std::uint32_t user() const { return user_; }
  // Kind::Certificate: the contents of the certificate (callis/transport/certificate.h); otherwise nullptr. Lives as
  // long as this object.
  const transport::Certificate* certificate() const { return certificate_.get(); }
  // A text for people: "this process", "user 1000", "nobody (10.1.2.3)", "certificate CN=ops (10.1.2.3)".
  std::string text() const;
  // The key under which the caller's resources are counted; equal for callers that are the same, as far as anybody
  // can tell. A user counts by the number, a certificate by its subject, nobody by the address. An IPv6
  // address counts by its network of 64 bits, and all loopback addresses count as one. "" for Process.
  const std::string& counted_as() const { return counted_as_; }

 private:
  Kind kind_ = Kind::Process;
  std::uint32_t user_ = 0;
  std::string host_, counted_as_;
  std::shared_ptr<const transport::Certificate> certificate_;
};

}  // namespace callis
