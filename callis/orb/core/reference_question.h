// SPDX-License-Identifier: Apache-2.0
// The body of a call that sends nothing and gets a reference: _component and _interface (CORBA 3.3 part 2, 9.4.2).
// Used for one call, by one thread. orb::call() throws the call's exceptions.
#pragma once
#include <callis/orb/base/object.h>
#include <callis/orb/base/stub.h>
#include <callis/orb/client/call.h>
#include <memory>
#include <string_view>

namespace callis::orb {

class ReferenceQuestion final : public CallBody {
 public:
  // The caller owns a count; nil if the server's answer is nil.
  CORBA::Object_ptr answer() { return answer_._retn(); }

  void encode(cdr::Encoder&) override {}
  void decode(cdr::Decoder& from) override { answer_ = get_object(from); }
  std::unique_ptr<CORBA::UserException> decode_exception(std::string_view, cdr::Decoder&) override {
    return nullptr;
  }

 private:
  CORBA::Object_var answer_;
};

}  // namespace callis::orb
