// SPDX-License-Identifier: Apache-2.0
#include <callis/messaging/bound_object.h>
#include <callis/messaging/make_policy.h>
#include <callis/orb/client/call.h>
#include <callis/orb/client/reference.h>
#include <callis/orb/core/object_of.h>
#include <callis/orb/endpoint/endpoint.h>
#include <algorithm>

namespace callis::messaging {

namespace {

constexpr char kIsA[] = "_is_a";

// Asks as CORBA::Object::_is_a does, but does not believe the type in the reference.
class IsA final : public orb::CallBody {
 public:
  explicit IsA(const char* id) : id_(id) {}
  void encode(cdr::Encoder& to) override { to.put_string(id_); }
  void decode(cdr::Decoder& from) override { answer = from.get_boolean(); }
  std::unique_ptr<CORBA::UserException> decode_exception(std::string_view, cdr::Decoder&) override { return nullptr; }

  bool answer = false;

 private:
  const char* const id_;
};

bool is_a(CORBA::Object_ptr object, const char* id) {
  IsA question(id);
  orb::call(orb::reference_of(object), {kIsA, false, kIsA}, question);
  return question.answer;
}

// Returns whether a peer has named an object of this ORB. The object would take the peer's calls for calls of this
// process.
bool leads_back(CORBA::Object_ptr object) {
  orb::Reference& reference = orb::reference_of(object);
  return reference.from() != orb::MessageSource::From::Self &&
         std::ranges::any_of(reference.paths(), [](const orb::Path& p) { return p.endpoint->is_own(); });
}

}  // namespace

CORBA::Object_ptr bound_object(CORBA::Object_ptr object, const char* is, const char* is_not) {
  if (leads_back(object)) return CORBA::Object::_nil();
  CORBA::PolicyList policies;
  policies.length(1);
  policies[0] = make_staying();
  CORBA::Object_var out = object->_set_policy_overrides(policies, CORBA::ADD_OVERRIDE);
  // The first answer binds the reference, so the second comes from the same object.
  if (!is_a(out.in(), is) || is_a(out.in(), is_not)) return CORBA::Object::_nil();
  return out._retn();
}

}  // namespace callis::messaging
