// SPDX-License-Identifier: Apache-2.0
// One inbound request between the ORB core, which reads and writes messages, and an object adapter, which finds the
// servant. It lives on the stack of the thread that serves the connection. Nothing in it may be kept after handle()
// returns.
#pragma once
#include <callis/base/bytes.h>
#include <callis/cdr/decoder.h>
#include <callis/cdr/encoder.h>
#include <callis/orb/options/demultiplexing.h>
#include <span>
#include <string_view>

namespace CORBA::inline callis_orb {
class SystemException;
class Object;
}

namespace callis::ior {
struct Ior;
}

namespace callis::transport {
struct Peer;
}

namespace callis::marshal {
class OperationPlans;
}

namespace callis::giop {
struct RequestHeader;
struct ServiceContext;
struct SystemExceptionBody;
}

namespace callis::orb {

class ServerRequest {
 public:
  // The adapter's note about an earlier request on the same connection with the same key and operation. It saves the
  // search for the target. Only the adapter reads it, except owner, which says who made the note; nullptr if nobody
  // did.
  struct Memo {
    const void* owner = nullptr;
    void* object = nullptr;
    const void* operation = nullptr;
    std::uint32_t generation = 0;
    const marshal::OperationPlans* flat = nullptr;  // of the operation, if handle_flat() may serve it
  };
  // nullptr if nothing can be noted.
  Memo* memo() const { return memo_; }
  // Whether the request came over a connection that this ORB has opened. Only adapters with the BidirectionalPolicy
  // BOTH serve such a request, and it has no memo.
  bool comes_back() const { return comes_back_; }

  // The name from the peer, as sent.
  virtual std::string_view operation() const = 0;
  virtual ByteView object_key() const = 0;
  virtual bool response_expected() const = 0;
  virtual cdr::Decoder& arguments() = 0;  // its context() is the ORB core

  // The header as it came, if there is a message; else nullptr.
  virtual const giop::RequestHeader* header() const { return nullptr; }
  // The peer at the other end of the connection; nullptr for calls from within this process. Valid until handle()
  // returns.
  virtual const transport::Peer* client() const { return nullptr; }
  // Sets the service contexts of a reply that is begun afterwards. They must be valid until handle() has returned.
  virtual void set_reply_contexts(std::span<const giop::ServiceContext> /*contexts*/) {}

  // Each of these begins the reply, and the last call counts (a body that failed half-way is dropped). Without a call
  // the reply is normal and empty. The bytes of a oneway's reply are dropped.
  virtual cdr::Encoder& reply() = 0;                               // then encode results
  virtual cdr::Encoder& user_exception(const char* repository_id) = 0;  // then encode members
  virtual void system_exception(const CORBA::SystemException& e) = 0;
  virtual void location_forward(const ior::Ior& to) = 0;

 protected:
  explicit ServerRequest(Memo* memo = nullptr, bool comes_back = false) : memo_(memo), comes_back_(comes_back) {}
  ~ServerRequest() = default;

 private:
  Memo* const memo_;
  const bool comes_back_;
};

// A two-way request that is like an earlier one, except for its id, its object's key and its arguments. Like a
// ServerRequest it lives on a stack.
class FlatRequest {
 public:
  static constexpr std::size_t kMostReplyBytes = 512;

  const ServerRequest::Memo& memo;
  const ByteView object_key;
  const ByteView arguments;  // the message's body, aligned to 8, in our byte order
  const std::uint32_t request_id;
  Buffer& out;  // the reply is appended as a whole message; there is room for kMostReplyBytes

  // Lets f give an answer other than results. Called while an exception is handled.
  virtual void answer(void (*f)(void* context, ServerRequest& request) noexcept, void* context) noexcept = 0;

 protected:
  FlatRequest(const ServerRequest::Memo& m, ByteView key, ByteView body, std::uint32_t id, Buffer& to)
      : memo(m), object_key(key), arguments(body), request_id(id), out(to) {}
  ~FlatRequest() = default;
};

struct DirectCall;

// The answer to a LocateRequest. Ask: no answer yet, only the application can tell. Failed: the answer is a system
// exception.
enum class Locate : unsigned char { Unknown, Here, Forward, Ask, Failed };

// An object adapter. Called by many threads at once.
class RequestHandler {
 public:
  virtual ~RequestHandler() = default;
  // Must not throw; every outcome goes into the request.
  virtual void handle(ServerRequest& request) noexcept = 0;
  // The same for a request whose memo has `flat`. Returns false, and has done nothing, if it must go by handle().
  virtual bool handle_flat(FlatRequest& /*request*/) noexcept { return false; }
  // Makes no upcalls. Returns Unknown, Here, Ask, or Forward, which also sets forward.
  virtual Locate locate(ByteView object_key, ior::Ior& forward) noexcept = 0;
  // Called after Ask, inside an Upcall. Makes upcalls like a request _non_existent. Failed also sets failure.
  virtual Locate ask(ByteView /*object_key*/, bool /*comes_back*/, ior::Ior& /*forward*/,
                     giop::SystemExceptionBody& /*failure*/) noexcept {
    return Locate::Unknown;
  }
  // The collocation of this ORB's object with that key.
  virtual Collocation collocation(ByteView /*object_key*/) noexcept { return Collocation::Marshaled; }
  // Makes a direct call. Returns false, and has done nothing, if the call must go through handle(). Throws the
  // exceptions for the operation's caller.
  virtual bool call_directly(const DirectCall& /*call*/) { return false; }
};

}  // namespace callis::orb
