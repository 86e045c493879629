// SPDX-License-Identifier: Apache-2.0
// Object::_get_component() and _get_interface(), in a file of their own: few programs ask.
#include <callis/orb/base/stub.h>
#include <callis/orb/client/call.h>
#include <callis/orb/core/interface_def.h>
#include <callis/orb/core/object_of.h>
#include <memory>

namespace callis::orb {
namespace {

// The body of a call that sends nothing and gets a reference (CORBA 3.3 part 2, 9.4.2).
class Question final : public CallBody {
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

constexpr const char kComponent[] = "_component", kInterface[] = "_interface";

CORBA::Object_ptr ask(CORBA::Object_ptr object, const char* operation) {
  Question question;
  call(reference_of(object), {operation, false, operation}, question);
  return question.answer();
}

}  // namespace
}  // namespace callis::orb

namespace CORBA::inline callis_orb {

Object_ptr Object::_get_component() { return callis::orb::ask(this, callis::orb::kComponent); }

InterfaceDef_ptr Object::_get_interface() {
  // The server says that its answer is an InterfaceDef; only use shows whether this is true.
  const Object_var answer = callis::orb::ask(this, callis::orb::kInterface);
  return InterfaceDef::_unchecked_narrow(answer.in());
}

}  // namespace CORBA::inline callis_orb
