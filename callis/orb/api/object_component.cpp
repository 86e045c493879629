// SPDX-License-Identifier: Apache-2.0
// Object::_get_component(), in a file of its own: few programs ask.
#include <callis/orb/client/call.h>
#include <callis/orb/core/object_of.h>
#include <callis/orb/object/object.h>
#include <callis/orb/object/stub.h>

namespace callis::orb {
namespace {

// Nothing in, a reference out.
class ComponentQuestion final : public CallBody {
 public:
  CORBA::Object_ptr answer() { return answer_._retn(); }

  void encode(cdr::Encoder&) override {}
  void decode(cdr::Decoder& from) override { answer_ = get_object(from); }
  std::unique_ptr<CORBA::UserException> decode_exception(std::string_view, cdr::Decoder&) override {
    return nullptr;
  }

 private:
  CORBA::Object_var answer_;
};

constexpr const char kComponent[] = "_component";

}  // namespace
}  // namespace callis::orb

namespace CORBA {

Object_ptr Object::_get_component() {
  using callis::orb::kComponent;
  callis::orb::ComponentQuestion question;
  callis::orb::call(callis::orb::reference_of(this), {kComponent, false, kComponent}, question);
  return question.answer();
}

}  // namespace CORBA
