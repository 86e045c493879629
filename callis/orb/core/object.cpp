// SPDX-License-Identifier: Apache-2.0
// The members of CORBA::Object.
#include <callis/orb/client/call.h>
#include <callis/orb/core/core.h>
#include <callis/orb/core/object_of.h>
#include <cstring>

namespace callis::orb {
namespace {

class PlainObject final : public CORBA::Object {
 public:
  explicit PlainObject(Reference& r) : CORBA::Object(&r) {}
};

// The pseudo-operations that travel as requests: a string in or nothing, a boolean out.
class BooleanQuestion final : public CallBody {
 public:
  explicit BooleanQuestion(const char* argument = nullptr) : argument_(argument) {}
  bool answer() const { return answer_; }

  void encode(cdr::Encoder& to) override {
    if (argument_) to.put_string(argument_);
  }
  void decode(cdr::Decoder& from) override { answer_ = from.get_boolean(); }
  std::unique_ptr<CORBA::UserException> decode_exception(std::string_view, cdr::Decoder&) override {
    return nullptr;
  }

 private:
  const char* const argument_;
  bool answer_ = false;
};

constexpr const char kIsA[] = "_is_a";
constexpr const char kNonExistent[] = "_non_existent";
constexpr const char* kObjectId = "IDL:omg.org/CORBA/Object:1.0";
constexpr const char* kLocalObjectId = "IDL:omg.org/CORBA/LocalObject:1.0";

bool same_place(Reference& a, Reference& b) {
  for (const Path& p : a.paths())
    for (const Path& q : b.paths())
      if (p.endpoint == q.endpoint && std::ranges::equal(p.object_key, q.object_key)) return true;
  return false;
}

std::uint32_t hash_bytes(ByteView bytes) {
  std::uint32_t h = 2166136261u;  // FNV-1a
  for (Byte b : bytes) h = (h ^ b) * 16777619u;
  return h;
}

}  // namespace

CORBA::Object_ptr make_object(Reference& reference) { return new PlainObject(reference); }

}  // namespace callis::orb

namespace CORBA::inline callis_orb {

using callis::orb::reference_of;

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
  if (!repository_id) callis::classic::raise<BAD_PARAM>(0, COMPLETED_NO, "null repository id");
  if (std::strcmp(repository_id, callis::orb::kObjectId) == 0) return true;
  callis::orb::Reference& r = reference_of(this);
  if (!r.ior().type_id.empty() && r.ior().type_id == repository_id) return true;
  callis::orb::BooleanQuestion question(repository_id);
  callis::orb::call(r, {callis::orb::kIsA, false, callis::orb::kIsA}, question);
  return question.answer();
}

Boolean Object::_non_existent() {
  callis::orb::BooleanQuestion question;
  try {
    callis::orb::call(reference_of(this), {callis::orb::kNonExistent, false, callis::orb::kNonExistent}, question);
  } catch (const OBJECT_NOT_EXIST&) {
    return true;
  }
  return question.answer();
}

Boolean Object::_is_equivalent(Object_ptr other) {
  if (other == this) return true;
  if (!other || !reference_ || !other->_callis_reference()) return false;
  callis::orb::Reference& theirs = *other->_callis_reference();
  return reference_ == &theirs || reference_->ior().profiles == theirs.ior().profiles ||
         callis::orb::same_place(*reference_, theirs);
}

ULong Object::_hash(ULong maximum) {
  if (maximum == 0 || !reference_) return 0;
  const auto paths = reference_->paths();
  return paths.empty() ? 0 : callis::orb::hash_bytes(paths[0].object_key) % maximum;
}

ORB_ptr Object::_get_orb() {
  return reference_ ? ORB::_duplicate(&callis::orb::Core::of(reference_->orb())) : nullptr;
}

}  // namespace CORBA::inline callis_orb

namespace callis::orb {

CORBA::Boolean LocalOperations::_is_a(const char* repository_id) {
  if (!repository_id) classic::raise<CORBA::BAD_PARAM>(0, CORBA::COMPLETED_NO, "null repository id");
  return std::strcmp(repository_id, kObjectId) == 0 || std::strcmp(repository_id, kLocalObjectId) == 0;
}

CORBA::ULong LocalOperations::_hash(CORBA::ULong maximum) {
  if (maximum == 0) return 0;
  const CORBA::Object* self = this;
  return static_cast<CORBA::ULong>(reinterpret_cast<std::uintptr_t>(self) >> 4) % maximum;
}

}  // namespace callis::orb
