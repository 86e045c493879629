// SPDX-License-Identifier: Apache-2.0
// One inbound request between the ORB core, which reads and writes messages, and an object adapter, which finds the
// servant. It lives on the stack of the thread that serves the connection. Nothing in it may be kept after handle()
// returns.
#pragma once
#include <callis/base/bytes.h>
#include <callis/cdr/decoder.h>
#include <callis/cdr/encoder.h>
#include <callis/orb/options/demultiplexing.h>
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

  // The question, and who asks it.
  struct Asked {
    std::string_view operation;  // the name from the peer, as sent
    ByteView object_key;
    cdr::Decoder& arguments;     // its context() is the ORB core
    bool response_expected = true;
    // Whether the request came over a connection that this ORB has opened. Only adapters with the BidirectionalPolicy
    // BOTH serve such a request, and it has no memo.
    bool comes_back = false;
    Memo* memo = nullptr;        // nullptr if nothing can be noted
    const giop::RequestHeader* header = nullptr;  // as it came, if there is a message
    const transport::Peer* client = nullptr;      // nullptr for calls from within this process
  };
  const Asked& asked() const { return asked_; }
  std::string_view operation() const { return asked_.operation; }
  ByteView object_key() const { return asked_.object_key; }
  cdr::Decoder& arguments() const { return asked_.arguments; }
  bool response_expected() const { return asked_.response_expected; }
  bool comes_back() const { return asked_.comes_back; }
  Memo* memo() const { return asked_.memo; }
  const giop::RequestHeader* header() const { return asked_.header; }
  const transport::Peer* client() const { return asked_.client; }

  // --- The answer ---

  // Sets the service contexts of a reply that is begun afterwards. They must be valid until handle() has returned.
  virtual void set_reply_contexts(const giop::ServiceContext* /*first*/, std::size_t /*count*/) {}
  // Each of these begins the reply, and the last call counts (a body that failed half-way is dropped). Without a call
  // the reply is normal and empty. The bytes of a oneway's reply are dropped.
  virtual cdr::Encoder& reply() = 0;                               // then encode results
  virtual cdr::Encoder& user_exception(const char* repository_id) = 0;  // then encode members
  virtual void system_exception(const CORBA::SystemException& e) = 0;
  virtual void location_forward(const ior::Ior& to) = 0;

 protected:
  // The parts of asked outlive the request.
  explicit ServerRequest(const Asked& asked) : asked_(asked) {}
  ~ServerRequest() = default;
  ServerRequest(const ServerRequest&) = delete;
  ServerRequest& operator=(const ServerRequest&) = delete;

 private:
  const Asked asked_;
};

// A request that stands before another request, asks the same, and hears the answer first.
class RequestBefore : public ServerRequest {
 public:
  void set_reply_contexts(const giop::ServiceContext* first, std::size_t count) override {
    inner_.set_reply_contexts(first, count);
  }
  cdr::Encoder& reply() override { return inner_.reply(); }
  cdr::Encoder& user_exception(const char* repository_id) override { return inner_.user_exception(repository_id); }
  void system_exception(const CORBA::SystemException& e) override { inner_.system_exception(e); }
  void location_forward(const ior::Ior& to) override { inner_.location_forward(to); }

 protected:
  explicit RequestBefore(ServerRequest& inner) : ServerRequest(inner.asked()), inner_(inner) {}
  RequestBefore(ServerRequest& inner, const Asked& asked) : ServerRequest(asked), inner_(inner) {}
  ~RequestBefore() = default;

  ServerRequest& inner_;
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
