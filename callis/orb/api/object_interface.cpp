// SPDX-License-Identifier: Apache-2.0
// Object::_get_interface(), in a file of its own: few programs ask.
#include <callis/orb/api/interface_def.h>
#include <callis/orb/client/call.h>
#include <callis/orb/core/object_of.h>
#include <callis/orb/object/stub.h>

namespace callis::orb {
namespace {

// Nothing in, a reference out.
class InterfaceQuestion final : public CallBody {
 public:
  CORBA::Object_ptr answer() { return answer_.in(); }

  void encode(cdr::Encoder&) override {}
  void decode(cdr::Decoder& from) override { answer_ = get_object(from); }
  std::unique_ptr<CORBA::UserException> decode_exception(std::string_view, cdr::Decoder&) override { return nullptr; }

 private:
  CORBA::Object_var answer_;
};

constexpr const char kInterface[] = "_interface";

}  // namespace
}  // namespace callis::orb

namespace CORBA {

InterfaceDef_ptr Object::_get_interface() {
  using callis::orb::kInterface;
  callis::orb::InterfaceQuestion question;
  callis::orb::call(callis::orb::reference_of(this), {kInterface, false, kInterface}, question);
  // What the server says is an InterfaceDef; whether it is one shows when it is used.
  return InterfaceDef::_unchecked_narrow(question.answer());
}

}  // namespace CORBA
