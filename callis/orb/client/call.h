// SPDX-License-Identifier: Apache-2.0
// call(): one invocation from the first byte to the outcome, for stubs of every kind. It chooses the address, follows
// forwards, keeps the deadline and turns failures into system exceptions.
//
// A request is sent again only if it certainly has not been executed: nothing of it was handed over, or the server
// sent CloseConnection or a forward.
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
  // May be called several times, since a request may have to go elsewhere.
  virtual void encode(cdr::Encoder& to) = 0;
  // On a fault, all decoded parts are freed.
  virtual void decode(cdr::Decoder& from) = 0;
  // Returns nullptr if the operation does not raise that exception.
  virtual std::unique_ptr<CORBA::UserException> decode_exception(std::string_view repository_id,
                                                                 cdr::Decoder& from) = 0;

  // The operation's tables; nullptr if they do not describe its parameters.
  virtual const marshal::OperationPlans* plans() const { return nullptr; }

 protected:
  ~CallBody() = default;
};

struct CallOperation {
  std::string_view name;
  bool oneway = false;     // without results; the ORB's SyncScope decides how long a call waits
  // The same for every call of this operation, and never used for another operation. So the header of the last
  // request can be used again. nullptr for names made at run time.
  const void* identity = nullptr;
};

// Throws system exceptions and the operation's user exceptions.
void call(Reference& target, const CallOperation& operation, CallBody& body);
// Throw the exception for arguments or results that cannot be passed. f: the fault of encoding or decoding.
[[noreturn]] void bad_arguments(const CallOperation& operation, Fault f);
[[noreturn]] void bad_results(const CallOperation& operation, Fault f);

}  // namespace callis::orb
