// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/core.h>
#include <callis/orb/initial.h>
#include <callis/orb/object_of.h>
#include <callis/poa/current.h>
#include <callis/poa/dispatch.h>
#include <callis/poa/initial.h>

namespace callis::poa {
namespace {

class CoreReferences final : public References {
 public:
  explicit CoreReferences(orb::Core& core) : core_(&core) {}
  CORBA::Object_ptr make(std::string_view type_id, ByteView key) override {
    return orb::make_object(*core_->make_reference(type_id, key));
  }
  ByteView own_key(CORBA::Object_ptr reference) override { return core_->own_key(reference); }

 private:
  const orb::Counted<orb::Core> core_;
};

// Registries with a root, oldest first.
struct Roots {
  std::mutex mutex;
  std::vector<std::weak_ptr<Registry>> list;
};
Roots& roots() {
  static Roots* const all = new Roots;  // outlives every static object
  return *all;
}

Adapter* counted_root(Registry& registry) {
  Registry::Guard guard(registry);
  return duplicate_local(registry.root);
}

// What an ORB holds of its adapter until shutdown.
struct Installed {
  std::shared_ptr<Registry> registry;
  Dispatcher dispatcher{registry};
};

void shut_down(const std::shared_ptr<Registry>& registry) {
  const classic::ReferenceVar<Adapter> root(counted_root(*registry));
  if (root.in()) root.in()->destroy(true, false);
}

CORBA::Object_ptr make_root_adapter(orb::Core& core) {
  core.listen();
  Registry::Options options;
  options.hold_timeout = core.limits().call_timeout;
  options.max_held = core.limits().max_dispatches;
  const auto installed = std::make_shared<Installed>(
      Installed{std::make_shared<Registry>(std::make_unique<CoreReferences>(core), options)});
  classic::ReferenceVar<Adapter> root(Adapter::make_root(installed->registry));
  {
    const std::lock_guard lock(roots().mutex);
    std::erase_if(roots().list, [](const auto& r) { return r.expired(); });
    roots().list.push_back(installed->registry);
  }
  core.set_handler(&installed->dispatcher);
  core.at_stop([registry = installed->registry] { registry->stop_holding(); });
  core.at_shutdown([&core, installed] {
    core.set_handler(nullptr);
    shut_down(installed->registry);
  });
  return root._retn();
}

CORBA::Object_ptr make_current_of(orb::Core&) { return make_current(); }

[[maybe_unused]] const bool registered = orb::register_initial_factory("RootPOA", &make_root_adapter) &&
                                         orb::register_initial_factory("POACurrent", &make_current_of);

}  // namespace

Adapter* default_root() {
  const std::lock_guard lock(roots().mutex);
  for (const auto& weak : roots().list)
    if (const auto registry = weak.lock())
      if (Adapter* root = counted_root(*registry)) return root;
  return nullptr;
}

}  // namespace callis::poa
