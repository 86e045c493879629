// SPDX-License-Identifier: Apache-2.0
// ObjectIds: the operations of PortableServer::POA on ids of the user's choice and on references without objects, and
// the conversions between servants, ids and references (CORBA 3.3 part 1, 15.3.9). In programs with the feature
// object_ids, every adapter has this part.
#pragma once
#include <callis/base/feature.h>
#include <callis/poa/servant/poa.h>
#include <memory>
#include <optional>

CALLIS_FEATURE(object_ids);

namespace callis::poa {

class Adapter;
class Registry;

class ObjectIds final {
  using Servant = PortableServer::Servant;
  using ObjectId = PortableServer::ObjectId;

 public:
  // The adapter deletes the result, as it does its other parts.
  CALLIS_OPTIONAL static ObjectIds* make(Adapter& adapter);

  CALLIS_OPTIONAL ObjectId* id_of_adapter();
  CALLIS_OPTIONAL void activate_object_with_id(const ObjectId& id, Servant servant);
  CALLIS_OPTIONAL CORBA::Object_ptr create_reference(const char* repository_id);
  CALLIS_OPTIONAL CORBA::Object_ptr create_reference_with_id(const ObjectId& id, const char* repository_id);
  CALLIS_OPTIONAL ObjectId* servant_to_id(Servant servant);
  CALLIS_OPTIONAL CORBA::Object_ptr servant_to_reference(Servant servant);
  CALLIS_OPTIONAL Servant reference_to_servant(CORBA::Object_ptr reference);
  CALLIS_OPTIONAL ObjectId* reference_to_id(CORBA::Object_ptr reference);
  CALLIS_OPTIONAL Servant id_to_servant(const ObjectId& id);

 private:
  explicit ObjectIds(Adapter& adapter);

  // Called under the registry's lock.
  void check_system_id(ByteView id) const;
  // The slot of the servant's only object, or of a new activation if the policies allow one. count is the servant's.
  std::optional<std::uint32_t> slot_of(Servant servant, PortableServer::ServantBase_var& count);

  Adapter& adapter_;
  Registry& registry_;  // the adapter's
};

}  // namespace callis::poa
