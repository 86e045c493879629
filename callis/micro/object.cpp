// SPDX-License-Identifier: Apache-2.0
// The members of CORBA::Object. Those that the profile has not got raise NO_IMPLEMENT.
#include <callis/micro/call.h>
#include <callis/micro/orb.h>
#include <callis/orb/base/errors.h>
#include <algorithm>
#include <cstring>

namespace callis::micro {
namespace {

bool ask_or_throw(orb::Reference& object, std::string_view operation, const char* argument) {
  if (!asker) orb::throw_without_feature("micro_calls");
  return asker(object, operation, argument);
}

bool same_place(const orb::Reference& a, const orb::Reference& b) {
  return visit_places(a.ior(), a.orb().limits(), [&](const Place& p) {
    return visit_places(b.ior(), a.orb().limits(), [&](const Place& q) {
      return p.address == q.address && std::ranges::equal(p.key, q.key);
    });
  });
}

}  // namespace

constinit Ask asker = nullptr;

}  // namespace callis::micro

namespace CORBA::inline callis_orb {

Object::Object(callis::orb::Reference* reference) noexcept : reference_(reference) {
  if (reference_) reference_->add_ref();
}

Object::~Object() {
  if (reference_) reference_->release();
}

const char* Object::_interface_repository_id() const noexcept {
  return reference_ ? reference_->ior().type_id.c_str() : "";
}

Boolean Object::_is_a(const char* repository_id) {
  if (!repository_id) callis::classic::throw_bad_param("null repository id");
  if (std::strcmp(repository_id, "IDL:omg.org/CORBA/Object:1.0") == 0) return true;
  if (!reference_) return std::strcmp(repository_id, "IDL:omg.org/CORBA/LocalObject:1.0") == 0;
  const std::string& own = reference_->ior().type_id;
  return (!own.empty() && own == repository_id) || callis::micro::ask_or_throw(*reference_, "_is_a", repository_id);
}

Boolean Object::_non_existent() {
  if (!reference_) return false;
  try {
    return callis::micro::ask_or_throw(*reference_, "_non_existent", nullptr);
  } catch (const OBJECT_NOT_EXIST&) {
    return true;
  }
}

Boolean Object::_is_equivalent(Object_ptr other) {
  if (other == this) return true;
  callis::orb::Reference* const theirs = callis::micro::reference_or_null(other);
  if (!theirs || !reference_) return false;
  return reference_ == theirs || reference_->ior().profiles == theirs->ior().profiles ||
         callis::micro::same_place(*reference_, *theirs);
}

ULong Object::_hash(ULong maximum) {
  if (maximum == 0) return 0;
  if (!reference_) return static_cast<ULong>(reinterpret_cast<std::uintptr_t>(this) >> 4) % maximum;
  ULong h = 2166136261u;  // FNV-1a
  callis::micro::Place place;
  if (callis::micro::first_place(reference_->ior(), reference_->orb().limits(), place))
    for (const callis::Byte b : place.key) h = (h ^ b) * 16777619u;
  return h % maximum;
}

ORB_ptr Object::_get_orb() { return reference_ ? ORB::_duplicate(&reference_->orb()) : nullptr; }

}  // namespace CORBA::inline callis_orb
