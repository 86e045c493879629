// SPDX-License-Identifier: Apache-2.0
// ReferenceTemplate: the object reference template of an object adapter (CORBA 3.0.3, 21.5.3): a value that makes
// references to the adapter's objects, in the adapter's process or wherever it has been sent to.
#pragma once
#include <callis/idl/AdapterTemplate.h>
#include <callis/orb/base/counted.h>
#include <callis/orb/core/interception.h>

namespace callis::poa {
class Adapter;
class Registry;
}  // namespace callis::poa

namespace callis::interceptors {

class ReferenceTemplate final : public OBV_callis::interceptors::AdapterTemplate,
                                public CORBA::DefaultValueRefCountBase,
                                private orb::AdapterNotes {
 public:
  ReferenceTemplate();  // to be read into
  // Makes the template of an adapter that has its tag. components: what interceptors add to its references.
  ReferenceTemplate(poa::Adapter& adapter, const char* orb_id, const char* server_id,
                    const orb::AdapterNotes& components);

  // Raises BAD_INV_ORDER for a template without its state. Any thread may call.
  CORBA::Object_ptr make_object(const char* repository_id, const PortableInterceptor::ObjectId& id) override;
  char* server_id() override { return CORBA::string_dup(of_server()); }
  char* orb_id() override { return CORBA::string_dup(of_orb()); }
  PortableInterceptor::AdapterName* adapter_name() override {
    return new PortableInterceptor::AdapterName(of_adapter());
  }
  CORBA::ValueBase* _copy_value() override { return new ReferenceTemplate(*this); }

 private:
  ReferenceTemplate(const ReferenceTemplate&);
  ~ReferenceTemplate() override;
  void complete(orb::ReferencePtr& made) const override;

  // The registry that has made the template: keys of its references may need a seal. nullptr in a template that has
  // been received.
  const orb::Counted<poa::Registry> registry_{};
};

// Returns the adapter's name, from "RootPOA" on.
PortableInterceptor::AdapterName name_of(const poa::Adapter& adapter);

// Lets processes read templates that others send.
bool use_templates();

}  // namespace callis::interceptors
