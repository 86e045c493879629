// SPDX-License-Identifier: Apache-2.0
// Object::_get_component(), in a file of its own: few programs ask.
#include <callis/orb/base/object.h>
#include <callis/orb/core/object_of.h>
#include <callis/orb/core/reference_question.h>

namespace callis::orb {
namespace {

constexpr const char kComponent[] = "_component";

}  // namespace
}  // namespace callis::orb

namespace CORBA::inline callis_orb {

Object_ptr Object::_get_component() {
  using callis::orb::kComponent;
  callis::orb::ReferenceQuestion question;
  callis::orb::call(callis::orb::reference_of(this), {kComponent, false, kComponent}, question);
  return question.answer();
}

}  // namespace CORBA::inline callis_orb
