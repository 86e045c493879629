// SPDX-License-Identifier: Apache-2.0
// What a program gets by including callis/imr.h: the options, and an IORInterceptor for the ORBs that have them.
// This file does without that header: where callis is a shared library, programs that do not include it have none of
// this.
#include <callis/imr/initialization.h>
#include <callis/imr/leading.h>
#include <callis/imr/option_list.h>
#include <callis/imr/registration.h>
#include <callis/interceptors.h>
#include <callis/orb/core/interception.h>
#include <callis/orb/core/object_of.h>
#include <callis/orb/options/added_options.h>
#include <callis/portable_server.h>
#include <atomic>
#include <memory>
#include "Leading.h"

namespace callis::imr {
namespace {

namespace PI = PortableInterceptor;

ImrOptions& options_of_thread() {
  static thread_local const std::unique_ptr<ImrOptions> options(new ImrOptions);
  return *options;
}
// The ORB that the calling thread makes.
constinit thread_local orb::Core* t_making = nullptr;
constinit std::atomic<orb::PrepareOrb> prepare_others{nullptr};

void* values(bool anew) {
  ImrOptions& options = options_of_thread();
  if (anew) options = {};
  return &options;
}

class Factory final : public OBV_callis::imr::Leading, public CORBA::DefaultValueRefCountBase {
 public:
  Factory(PI::ObjectReferenceFactory* direct, std::shared_ptr<Registration> registration)
      : OBV_callis::imr::Leading(direct), registration_(std::move(registration)) {}
  CORBA::Object_ptr make_object(const char* repository_id, const PI::ObjectId& id) override {
    const CORBA::Object_var made = direct()->make_object(repository_id, id);
    const orb::ReferencePtr leads =
        lead(orb::reference_of(made.in()), registration_->repository(), registration_->server_id());
    return orb::make_object(*leads);
  }

 private:
  ~Factory() override = default;
  const std::shared_ptr<Registration> registration_;
};

bool is_persistent(PI::IORInfo_ptr info) {
  const CORBA::Policy_var policy = info->get_effective_policy(PortableServer::LIFESPAN_POLICY_ID);
  const PortableServer::LifespanPolicy_var lifespan = PortableServer::LifespanPolicy::_narrow(policy.in());
  return lifespan.in() && lifespan->value() == PortableServer::PERSISTENT;
}

class Interceptor final : public PI::IORInterceptor_3_0 {
 public:
  explicit Interceptor(std::shared_ptr<Registration> registration) : registration_(std::move(registration)) {}
  char* name() override { return CORBA::string_dup("callis.imr"); }
  void destroy() override {}
  void establish_components(PI::IORInfo_ptr) override {}
  void components_established(PI::IORInfo_ptr info) override {
    if (!is_persistent(info)) return;
    const PI::ObjectReferenceFactory_var direct = info->current_factory();
    const PI::ObjectReferenceFactory_var leading = new Factory(direct.in(), registration_);
    info->current_factory(leading.in());
    registration_->serves(CORBA::String_var(info->manager_id()).in(), info->state() == PI::ACTIVE);
  }
  void adapter_manager_state_changed(const char* id, PI::AdapterState state) override {
    if (state == PI::ACTIVE) registration_->manager_is_active(id);
  }
  void adapter_state_changed(const PI::ObjectReferenceTemplateSeq&, PI::AdapterState) override {}

 private:
  const std::shared_ptr<Registration> registration_;
};

class Initializer final : public PI::ORBInitializer {
 public:
  void pre_init(PI::ORBInitInfo_ptr) override {}
  void post_init(PI::ORBInitInfo_ptr info) override {
    const ImrOptions options = options_of_thread();
    if (options.repository.empty() || !t_making) return;
    const PI::IORInterceptor_var interceptor =
        new Interceptor(std::make_shared<Registration>(*t_making, options));
    info->add_ior_interceptor(interceptor.in());
  }
};

// The initializers are run by those that were there before, at the stage New.
void prepare_orb(orb::Core& core, orb::OrbStage stage, std::span<char*> arguments) {
  struct Making {
    explicit Making(orb::Core& core) : before(t_making) { t_making = &core; }
    ~Making() { t_making = before; }
    orb::Core* const before;
  } making(core);
  if (const orb::PrepareOrb others = prepare_others.load(std::memory_order_acquire)) others(core, stage, arguments);
}

}  // namespace

ImrOptions& ImrOptions::of_this_thread() { return options_of_thread(); }

bool use() {
  static const bool used_before = [] {
    static orb::AddedOptions added{kOptionList, &values};
    orb::AddedOptions::add(added);
    const PI::ORBInitializer_var initializer = new Initializer;
    PI::register_orb_initializer(initializer.in());
    prepare_others.store(orb::set_prepare_orb(&prepare_orb), std::memory_order_release);
    return true;
  }();
  return used_before;
}

}  // namespace callis::imr
