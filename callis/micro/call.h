// SPDX-License-Identifier: Apache-2.0
// call(): one invocation from the first byte to the outcome. It tries the reference's addresses in turn, follows
// forwards, keeps the deadline, and turns failures into system exceptions.
//
// A request is sent again only if it certainly has not been executed: nothing of it was handed over, or the server
// sent CloseConnection or a forward.
#pragma once
#include <callis/base/feature.h>
#include <callis/cdr/decoder.h>
#include <callis/cdr/encoder.h>
#include <callis/classic/exception.h>
#include <callis/micro/reference.h>
#include <memory>
#include <string_view>

CALLIS_FEATURE(micro_calls);

namespace callis::micro {

// The arguments and results of one call. Faults go into encoder and decoder.
class Body {
 public:
  // May be called several times.
  virtual void encode(cdr::Encoder& to) = 0;
  // On a fault, all decoded parts are freed.
  virtual void decode(cdr::Decoder& from) = 0;
  // Returns nullptr if the operation does not raise that exception.
  virtual std::unique_ptr<CORBA::UserException> decode_exception(std::string_view repository_id,
                                                                 cdr::Decoder& from) = 0;

 protected:
  ~Body() = default;
};

// Throws system exceptions and the operation's user exceptions.
void call(orb::Reference& target, std::string_view operation, bool oneway, Body& body);

// _is_a and _non_existent: a string in or nothing, a boolean out.
bool ask(orb::Reference& target, std::string_view operation, const char* argument);

// The function by which CORBA::Object's members ask; nullptr until the program narrows a reference to an interface.
// So a server that calls nobody is linked without calls. The feature micro_calls sets it, too.
using Ask = decltype(&ask);
extern Ask asker;

}  // namespace callis::micro
