// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/context/upcall.h>
#include <callis/poa/adapter/adapter.h>
#include <services/common/numbered_objects.h>
#include <sys/random.h>
#include <charconv>

namespace callis::services {

std::string_view request_id() {
  const orb::Upcall* const upcall = orb::Upcall::innermost_entered();
  if (!upcall) throw CORBA::BAD_INV_ORDER(0, CORBA::COMPLETED_NO, "outside of a request");
  const ByteView id = upcall->adapter()->id_in(upcall->key());
  return {reinterpret_cast<const char*>(id.data()), id.size()};
}

std::string digits_of(std::uint64_t number) {
  std::string out(16, '0');
  for (std::size_t i = 16; i-- != 0; number >>= 4) out[i] = "0123456789abcdef"[number & 15];
  return out;
}

std::optional<std::uint64_t> number_of(std::string_view digits) {
  if (digits.size() != 16) return {};
  std::uint64_t out = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + 16, out, 16);
  if (error != std::errc() || end != digits.data() + 16) return {};
  return out;
}

std::uint64_t new_number() {
  std::uint64_t number = 0;
  if (::getrandom(&number, sizeof number, 0) != static_cast<ssize_t>(sizeof number))
    throw CORBA::NO_RESOURCES(0, CORBA::COMPLETED_NO, "the system has no random number");
  return number;
}

PortableServer::POA_var make_adapter(PortableServer::POA_ptr parent, const char* name, bool persistent,
                                     PortableServer::ServantBase* servant) {
  const PortableServer::Servant_var<PortableServer::ServantBase> owned = servant;
  const PortableServer::POAManager_var manager = parent->the_POAManager();
  CORBA::PolicyList policies;
  policies.length(5);
  policies[0] = parent->create_lifespan_policy(persistent ? PortableServer::PERSISTENT : PortableServer::TRANSIENT);
  policies[1] = parent->create_id_assignment_policy(PortableServer::USER_ID);
  policies[2] = parent->create_servant_retention_policy(PortableServer::NON_RETAIN);
  policies[3] = parent->create_request_processing_policy(PortableServer::USE_DEFAULT_SERVANT);
  policies[4] = parent->create_id_uniqueness_policy(PortableServer::MULTIPLE_ID);
  PortableServer::POA_var out = parent->create_POA(name, manager.in(), policies);
  out->set_servant(owned.in());
  return out;
}

CORBA::Object_ptr make_reference(PortableServer::POA_ptr adapter, std::uint64_t number, const char* repository_id) {
  const PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId(digits_of(number).c_str());
  return adapter->create_reference_with_id(id.in(), repository_id);
}

}  // namespace callis::services
