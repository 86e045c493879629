// SPDX-License-Identifier: Apache-2.0
// Object::_get_interface(), in a file of its own: few programs ask.
#include <callis/orb/core/interface_def.h>
#include <callis/orb/core/object_of.h>
#include <callis/orb/core/reference_question.h>

namespace callis::orb {
namespace {

constexpr const char kInterface[] = "_interface";

}  // namespace
}  // namespace callis::orb

namespace CORBA::inline callis_orb {

InterfaceDef_ptr Object::_get_interface() {
  using callis::orb::kInterface;
  callis::orb::ReferenceQuestion question;
  callis::orb::call(callis::orb::reference_of(this), {kInterface, false, kInterface}, question);
  // The server says that its answer is an InterfaceDef; only use shows whether this is true.
  const Object_var answer = question.answer();
  return InterfaceDef::_unchecked_narrow(answer.in());
}

}  // namespace CORBA::inline callis_orb
