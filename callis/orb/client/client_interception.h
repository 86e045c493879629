// SPDX-License-Identifier: Apache-2.0
// The seam between invocations and interceptors: who hears of their steps (CORBA 3.0.3, 21.3.5).
#pragma once
#include <callis/cdr/decoder.h>
#include <callis/classic/exception.h>
#include <callis/giop/service_context.h>
#include <callis/orb/client/reference.h>
#include <memory>
#include <span>

namespace callis::orb {

class Invocation;

// Hears of the attempts of one invocation, each of which is a request to one server. An attempt that has begun ends,
// once.
class InvocationObserver {
 public:
  virtual ~InvocationObserver() = default;

  // How an attempt has ended.
  enum class End : std::uint8_t {
    Replied,    // results() has been called, or nobody answers the request
    Failed,     // with an exception
    Forwarded,  // Invocation::target() is where to
    Again,      // the server has not processed it, and another attempt follows
  };

  // What goes along with the requests. The first places are the ORB's own.
  static constexpr std::size_t kOwnPlaces = 4;
  std::span<giop::ServiceContext> contexts;

  // An attempt begins. It may be sent elsewhere (Invocation::send_elsewhere()), which ends it. What is thrown ends it
  // and the invocation. In both cases ends() is not called.
  virtual void begins(Invocation& invocation) = 0;
  // Where the request goes.
  virtual void goes(Reference& to, const Path& path) = 0;
  // What came along with the reply; not called where that is nothing. Views of the message.
  virtual void came(const giop::ServiceContexts& contexts) = 0;
  // A reply without exception is here, at: where its results begin; false: they are not wanted.
  virtual bool results(const cdr::Decoder& at) = 0;
  // The attempt has ended. exception: of Failed, else nullptr; it may be changed for another one, or for Failed taken
  // away where the invocation is sent elsewhere: Invocation::send_elsewhere(). What is thrown is the outcome of the
  // invocation.
  virtual void ends(Invocation& invocation, End how, std::unique_ptr<CORBA::Exception>& exception) = 0;
};

// Of one ORB; lives as long as that. Called by many threads at once.
class ClientInterception {
 public:
  virtual ~ClientInterception() = default;
  // Who hears of that invocation, from its beginning.
  virtual std::unique_ptr<InvocationObserver> observe(Invocation& invocation) = 0;
};

}  // namespace callis::orb
