// SPDX-License-Identifier: Apache-2.0
// The seam between invocations and interceptors, which observe the steps of invocations (CORBA 3.0.3, 21.3.5).
#pragma once
#include <callis/cdr/decoder.h>
#include <callis/classic/exception.h>
#include <callis/giop/service_context.h>
#include <callis/orb/base/orb_features.h>
#include <callis/orb/client/reference.h>
#include <memory>
#include <span>

namespace callis::orb {

class Invocation;

// Observes the attempts of one invocation. Each attempt is a request to one server. An attempt that has begun ends
// exactly once.
class InvocationObserver {
 public:
  virtual ~InvocationObserver() = default;

  // How an attempt has ended.
  enum class End : std::uint8_t {
    Replied,    // results() has been called, or nobody answers the request
    Failed,     // with an exception
    Forwarded,  // to Invocation::target()
    Again,      // the server has not processed it, and another attempt follows
  };

  // The service contexts that go along with the requests. The first places are the ORB's own.
  static constexpr std::size_t kOwnPlaces = 4;
  std::span<giop::ServiceContext> contexts;

  // Called when an attempt begins. Invocation::send_elsewhere() ends the attempt and sends the invocation elsewhere.
  // An exception ends the attempt and the invocation. In both cases ends() is not called.
  virtual void begins(Invocation& invocation) = 0;
  // Called when the address of the request is known.
  virtual void goes(Reference& to, const Path& path) = 0;
  // Called if service contexts came along with the reply. They are views of the message.
  virtual void came(const giop::ServiceContexts& contexts) = 0;
  // Called when a reply without exception is here. Its results begin at `at`. Returns false if they are not wanted.
  virtual bool results(const cdr::Decoder& at) = 0;
  // Called when the attempt has ended. exception belongs to Failed, and is nullptr otherwise. The observer may
  // replace the exception, or take it away if it calls Invocation::send_elsewhere(). An exception thrown here becomes
  // the outcome of the invocation.
  virtual void ends(Invocation& invocation, End how, std::unique_ptr<CORBA::Exception>& exception) = 0;
};

// Belongs to one ORB, and lives as long as the ORB. Called by many threads at once.
class ClientInterception {
 public:
  virtual ~ClientInterception() = default;
  // Makes the observer of an invocation, at its beginning.
  virtual std::unique_ptr<InvocationObserver> observe(Invocation& invocation) = 0;
};

// --- The log of calls and their answers (docs/guide/logging.md). Part of the feature call_log. ---
//
// If an ORB's log level is debug or more, its calls are not plain and have an InvocationObserver. Calls of other ORBs
// are not affected.

// Logs calls, and passes each step on to inner, which may be nullptr. The result is never destroyed, as calls may
// outlast their ORB's parts.
CALLIS_OPTIONAL ClientInterception* log_calls(ClientInterception* inner);

}  // namespace callis::orb
