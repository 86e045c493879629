// SPDX-License-Identifier: Apache-2.0
// call(): one invocation from the first byte to the outcome, for stubs of every kind. It chooses where to go,
// follows forwards, keeps the deadline and turns what goes wrong into system exceptions.
//
// A request is sent again only when it is certain that it has not been executed: nothing of it was handed
// over, or the server closed the connection in good order (CloseConnection) or answered with a forward.
#pragma once
#include <callis/cdr/decoder.h>
#include <callis/cdr/encoder.h>
#include <callis/classic/exception.h>
#include <callis/orb/client/reference.h>

namespace callis::marshal {
class OperationPlans;
}

namespace callis::orb {

// The arguments and results of one call. Faults go into encoder and decoder.
class CallBody {
 public:
  // May be called several times: a request may have to go elsewhere.
  virtual void encode(cdr::Encoder& to) = 0;
  // On a fault, what was decoded so far is freed.
  virtual void decode(cdr::Decoder& from) = 0;
  // nullptr when the operation does not raise it.
  virtual std::unique_ptr<CORBA::UserException> decode_exception(std::string_view repository_id,
                                                                 cdr::Decoder& from) = 0;

  // The operation's tables; nullptr where they do not tell its parameters.
  virtual const marshal::OperationPlans* plans() const { return nullptr; }

 protected:
  ~CallBody() = default;
};

struct CallOperation {
  std::string_view name;
  bool oneway = false;     // without results; what is waited for is the ORB's SyncScope
  // The same for every call of this operation and for no other, ever: the header of the last request can
  // then serve again. nullptr for names made at run time.
  const void* identity = nullptr;
};

// Throws system exceptions and the operation's user exceptions.
void call(Reference& target, const CallOperation& operation, CallBody& body);

}  // namespace callis::orb
