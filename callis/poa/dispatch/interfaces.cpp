// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/base/errors.h>
#include <callis/orb/base/stub.h>
#include <callis/orb/client/call.h>
#include <callis/orb/core/core.h>
#include <callis/orb/core/object_of.h>
#include <callis/poa/dispatch/dispatch.h>
#include <callis/poa/dispatch/pseudo.h>
#include <callis/poa/servant/skeleton.h>

CALLIS_PROVIDE(interfaces);

namespace callis::poa {

namespace {

constexpr const char kLookupId[] = "lookup_id";

// A repository id in, a reference out (CORBA 3.0.3, 10.5.6.1).
class LookupId final : public orb::CallBody {
 public:
  explicit LookupId(const char* id) : id_(id) {}
  CORBA::Object_ptr answer() { return answer_._retn(); }

  void encode(cdr::Encoder& to) override { to.put_string(id_); }
  void decode(cdr::Decoder& from) override { answer_ = orb::get_object(from); }
  std::unique_ptr<CORBA::UserException> decode_exception(std::string_view, cdr::Decoder&) override { return nullptr; }

 private:
  const char* const id_;
  CORBA::Object_var answer_;
};

}  // namespace

CORBA::Object_ptr interface_in_repository(CORBA::ORB& orb, const char* repository_id) {
  CORBA::Object_var repository;
  LookupId lookup(repository_id);
  try {
    repository = orb.resolve_initial_references("InterfaceRepository");
    if (repository.in()) orb::call(orb::reference_of(repository.in()), {kLookupId, false, kLookupId}, lookup);
  } catch (const CORBA::UserException&) {  // InvalidName
  } catch (const CORBA::SystemException& e) {
    orb::raise<CORBA::INTF_REPOS>(orb::omg(1), CORBA::COMPLETED_NO,
                                  std::string("the Interface Repository does not answer: ") + e.what());
  }
  if (!repository.in())
    orb::raise<CORBA::INTF_REPOS>(orb::omg(1), CORBA::COMPLETED_NO, "there is no Interface Repository");
  CORBA::Object_ptr found = lookup.answer();
  if (!found) orb::raise<CORBA::INTF_REPOS>(orb::omg(2), CORBA::COMPLETED_NO, repository_id);
  return found;
}

void answer_interface(const Target& object, orb::ServerRequest& request) {
  orb::OrbContext* const context = orb::orb_of(request.arguments());
  if (!context) return answer_standard(request, classic::Standard::INTF_REPOS, orb::omg(1), CORBA::COMPLETED_NO);
  const CORBA::Object_var found =
      interface_in_repository(orb::Core::of(*context), object.skeleton->repository_ids[0]);
  orb::put_reference(request.reply(), found.in());
}

}  // namespace callis::poa
