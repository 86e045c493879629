// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/core/core.h>
#include <callis/orb/core/initial.h>
#include <callis/orb/core/registered_references.h>
#include <tao/IORTable/IORTable.h>

namespace IORTable::inline callis_compat {

namespace {

using callis::orb::Core;
using callis::orb::RegisteredReferences;

// The ORB owns the table until destroy(), and the table the ORB: who keeps the table may call it afterwards, too.
class TableOfOrb final : public virtual Table, public virtual CORBA::LocalObject {
 public:
  explicit TableOfOrb(Core& core) : core_(&core) {}

  void bind(const char* object_key, const char* ior) override {
    const CORBA::Object_var object = core_->string_to_object(ior);
    try {
      RegisteredReferences::add(*core_, object_key, object.in());
    } catch (const CORBA::ORB::InvalidName&) {
      throw AlreadyBound();
    }
  }
  void rebind(const char* object_key, const char* ior) override {
    const CORBA::Object_var object = core_->string_to_object(ior);
    if (!RegisteredReferences::replace(*core_, object_key, object.in()))
      RegisteredReferences::add(*core_, object_key, object.in());
  }
  void unbind(const char* object_key) override {
    if (!RegisteredReferences::remove(*core_, object_key)) throw NotFound();
  }
  void set_locator(Locator_ptr) override {
    throw CORBA::NO_IMPLEMENT(0, CORBA::COMPLETED_NO, "IORTable::Locator: bind keys when their objects are made");
  }

 private:
  const callis::orb::Counted<Core> core_;
};

}  // namespace

bool use() {
  static const bool known = callis::orb::register_initial_factory(
      "IORTable", [](Core& core) -> CORBA::Object_ptr { return new TableOfOrb(core); });
  return known;
}

}  // namespace IORTable::inline callis_compat
