// SPDX-License-Identifier: Apache-2.0
// The root adapter of an ORB and the current request's, as initial references.
#include <callis/base/all_features.h>
#include <callis/marshal/handlers.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/context/bidirectional_giop.h>
#include <callis/orb/core/core.h>
#include <callis/orb/core/initial.h>
#include <callis/orb/core/interception.h>
#include <callis/orb/core/object_of.h>
#include <callis/poa/api/initial.h>
#include <callis/poa/dispatch/dispatch.h>
#include <callis/poa/dispatch/operation_lookup.h>
#include <callis/poa/dispatch/sealed_keys.h>
#include <utility>

CALLIS_WANT_FEATURES(poa);

namespace callis::poa {
namespace {

class CoreReferences final : public References {
 public:
  explicit CoreReferences(orb::Core& core) : core_(&core) {}
  CORBA::Object_ptr make(std::string_view type_id, ByteView key, const orb::AdapterNotes* notes,
                         const orb::AdapterNotes* policies) override {
    orb::ReferencePtr made = core_->make_reference(type_id, key);
    if (policies) policies->complete(made);
    if (notes) notes->complete(made);
    return orb::make_object(*made);
  }
  ByteView own_key(CORBA::Object_ptr reference) override { return core_->own_key(reference); }
  void go_bidirectional() override {
    if (orb::BidirectionalGiop* const both = CALLIS_HAS(bidirectional) ? orb::make_bidirectional(*core_) : nullptr)
      both->add_adapter();
  }
  orb::Interception* interception() override { return core_->interception(); }

 private:
  const orb::Counted<orb::Core> core_;
};

Adapter* counted_root(Registry& registry) {
  Registry::Guard guard(registry);
  return duplicate_local(registry.root);
}

std::unique_ptr<References> references_of(orb::Core& core) {
  std::unique_ptr<References> references(new CoreReferences(core));
  if (core.options().unguessable_keys) seal_references(references);
  return references;
}

// Holds the adapter of one ORB until shutdown. All stand in one list, the newest first.
class Installed final : public orb::OrbPart {
 public:
  Installed(orb::Core& core, const Registry::Options& options)
      : core_(core), registry_(new Registry(references_of(core), options)),
        opener_(core.options().unguessable_keys ? open_seals(dispatcher_, registry_->references()) : nullptr) {
    const std::lock_guard lock(mutex);
    next_ = std::exchange(first, this);
  }
  ~Installed() override {
    const std::lock_guard lock(mutex);
    Installed** at = &first;
    while (*at != this) at = &(*at)->next_;
    *at = next_;
  }
  void stop() override { registry_->stop_holding(); }
  void end() override {
    core_.adapter_access().shut();
    const classic::ReferenceVar<Adapter> root(counted_root(*registry_));
    if (root.in()) root.in()->destroy(true, false);
  }

  Adapter* make_root() { return Adapter::make_root(*registry_); }
  orb::RequestHandler* handler() { return opener_ ? opener_.get() : &dispatcher_; }
  // Of the oldest that has one, with a count; or nullptr.
  static Adapter* oldest_root() {
    const std::lock_guard lock(mutex);
    Adapter* oldest = nullptr;
    for (Installed* i = first; i; i = i->next_) {
      Adapter* root = counted_root(*i->registry_);
      if (root) CORBA::release(std::exchange(oldest, root));
    }
    return oldest;
  }

 private:
  static constinit std::mutex mutex;
  static constinit Installed* first;

  orb::Core& core_;
  const orb::Counted<Registry> registry_;
  Dispatcher dispatcher_{*registry_};
  const std::unique_ptr<orb::RequestHandler> opener_;
  Installed* next_;
};
constinit std::mutex Installed::mutex;
constinit Installed* Installed::first = nullptr;

CORBA::Object_ptr make_root_adapter(orb::Core& core) {
  if (!(core.options().demultiplexing == orb::Demultiplexing{}) && !CALLIS_HAS(lookups))
    orb::throw_without_feature("lookups");
  if (core.options().unguessable_keys && !CALLIS_HAS(unguessable_keys))
    orb::throw_without_feature("unguessable_keys");
  core.listen();
  Registry::Options options;
  options.hold_timeout = core.limits().call_timeout;
  options.max_held = core.limits().max_dispatches;
  options.collocation = core.options().collocation;
  options.demultiplexing = core.options().demultiplexing;
  options.main_thread = &core.main_thread();
  auto installed = std::make_unique<Installed>(core, options);
  classic::ReferenceVar<Adapter> root(installed->make_root());
  core.set_handler(installed->handler());
  core.add(std::move(installed));
  return root._retn();
}

CALLIS_INSTALLER void install() { orb::register_initial_factory("RootPOA", &make_root_adapter); }

}  // namespace

extern const char root_adapter_is_there;  // as callis/poa/servant/servant.h has it
const char root_adapter_is_there = 0;

Adapter* default_root() {
  Adapter* const root = CALLIS_HAS(default_adapter) ? root_of_default_orb() : nullptr;
  return root ? root : Installed::oldest_root();
}

}  // namespace callis::poa
