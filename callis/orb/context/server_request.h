// SPDX-License-Identifier: Apache-2.0
// One inbound request between the ORB core, which reads and writes messages, and an object adapter, which
// finds the servant. Lives on the stack of the thread that serves the connection; nothing in it may be
// kept after handle() returns.
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
  // What the adapter noted about an earlier request on the same connection with the same key and operation, so
  // as not to look for its target again. Its own business but for owner: who noted it; nullptr: nobody.
  struct Memo {
    const void* owner = nullptr;
    void* object = nullptr;
    const void* operation = nullptr;
    std::uint32_t generation = 0;
    const marshal::OperationPlans* flat = nullptr;  // of the operation, where handle_flat() may serve it
  };
  // nullptr where nothing is noted.
  Memo* memo() const { return memo_; }
  // Whether the request came over a connection that this ORB has opened. Only adapters with the BidirectionalPolicy
  // BOTH serve such a request, and it has no memo.
  bool comes_back() const { return comes_back_; }

  // From the peer, as sent.
  virtual std::string_view operation() const = 0;
  virtual ByteView object_key() const = 0;
  virtual bool response_expected() const = 0;
  virtual cdr::Decoder& arguments() = 0;  // its context() is the ORB core

  // As it came, where there is a message; else nullptr.
  virtual const giop::RequestHeader* header() const { return nullptr; }
  // Who is at the other end of the connection; nullptr for calls from within this process. As long as handle().
  virtual const transport::Peer* client() const { return nullptr; }
  // What goes along with a reply that is begun after this; to last until handle() has returned.
  virtual void set_reply_contexts(std::span<const giop::ServiceContext> /*contexts*/) {}

  // The reply: at most one of these, and the last one called counts (a body that failed half-way is
  // dropped). Nothing called means an empty normal reply. On oneways the bytes go nowhere.
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

// A request of which all is known from an earlier one but its id, its object's key and its arguments, and that waits
// for its results. As ServerRequest it lives on a stack.
class FlatRequest {
 public:
  static constexpr std::size_t kMostReplyBytes = 512;

  const ServerRequest::Memo& memo;
  const ByteView object_key;
  const ByteView arguments;  // the message's body, aligned to 8, in our byte order
  const std::uint32_t request_id;
  Buffer& out;  // the reply is appended to it, a whole message; there is room for kMostReplyBytes

  // Has f give another answer than results, while an exception is handled.
  virtual void answer(void (*f)(void* context, ServerRequest& request) noexcept, void* context) noexcept = 0;

 protected:
  FlatRequest(const ServerRequest::Memo& m, ByteView key, ByteView body, std::uint32_t id, Buffer& to)
      : memo(m), object_key(key), arguments(body), request_id(id), out(to) {}
  ~FlatRequest() = default;
};

struct DirectCall;

// What a LocateRequest is answered with. Ask: nothing yet, only the application can tell. Failed: by a system
// exception.
enum class Locate : unsigned char { Unknown, Here, Forward, Ask, Failed };

// An object adapter. Called by many threads at once.
class RequestHandler {
 public:
  virtual ~RequestHandler() = default;
  // Must not throw; every outcome goes into the request.
  virtual void handle(ServerRequest& request) noexcept = 0;
  // The same for a request whose memo has `flat`. Returns false, and has done nothing, where it must go by handle().
  virtual bool handle_flat(FlatRequest& /*request*/) noexcept { return false; }
  // Without upcalls: Unknown, Here, Forward and then forward is set, or Ask.
  virtual Locate locate(ByteView object_key, ior::Ior& forward) noexcept = 0;
  // After Ask: by upcalls, as a request _non_existent makes them, inside an Upcall. Failed: then failure is set.
  virtual Locate ask(ByteView /*object_key*/, bool /*comes_back*/, ior::Ior& /*forward*/,
                     giop::SystemExceptionBody& /*failure*/) noexcept {
    return Locate::Unknown;
  }
  // How the object with that key, of this ORB, is to be called from within.
  virtual Collocation collocation(ByteView /*object_key*/) noexcept { return Collocation::Marshaled; }
  // Makes a direct call. Returns false, and has done nothing, when the call must go through handle(). Throws what the
  // caller of the operation is to catch.
  virtual bool call_directly(const DirectCall& /*call*/) { return false; }
};

}  // namespace callis::orb
