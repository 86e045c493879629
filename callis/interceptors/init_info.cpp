// SPDX-License-Identifier: Apache-2.0
// ORBInitializer and ORBInitInfo (CORBA 3.0.3, 21.7), and PortableInterceptor::Current.
#include <callis/interceptors/minor_codes.h>
#include <callis/interceptors/orb_interceptors.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/core/initial.h>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace callis::interceptors {
namespace {

namespace PI = PortableInterceptor;
using orb::Core;

// The initializers of the process. They are never let go: ORBs may be made until the process ends.
struct Initializers {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<PI::ORBInitializer_var> list;
  // ORBs that are being made, and the threads that make them.
  std::vector<std::pair<const Core*, std::thread::id>> making;

  bool is_making_elsewhere(const Core& core) const {
    for (const auto& [c, thread] : making)
      if (c == &core) return thread != std::this_thread::get_id();
    return false;
  }
};
Initializers& initializers() {
  static auto* const all = new Initializers;
  return *all;
}

// Good for one ORB_init.
class InitInfo final : public PI::ORBInitInfo_3_1 {
 public:
  InitInfo(Core& core, OrbInterceptors& all, std::span<char*> arguments) : core_(&core), all_(&all) {
    for (const char* a : arguments)
      if (a) arguments_.emplace_back(a);
  }
  enum class Stage { PreInit, PostInit, Over };
  void set_stage(Stage stage) { stage_ = stage; }

  CORBA::StringSeq* arguments() override {
    check();
    auto list = std::make_unique<CORBA::StringSeq>();
    list->length(static_cast<CORBA::ULong>(arguments_.size()));
    for (CORBA::ULong i = 0; i < list->length(); ++i) (*list)[i] = arguments_[i].c_str();
    return list.release();
  }
  char* orb_id() override {
    check();
    return core_->id();
  }
  IOP::CodecFactory_ptr codec_factory() override {
    check();
    const CORBA::Object_var object = core_->resolve_initial_references("CodecFactory");
    return IOP::CodecFactory::_narrow(object.in());
  }
  void register_initial_reference(const char* id, CORBA::Object_ptr object) override {
    check();
    if (!object) orb::raise<CORBA::BAD_PARAM>(orb::omg(27), CORBA::COMPLETED_NO, "nil reference");
    try {
      core_->register_initial_reference(id, object);
    } catch (const CORBA::ORB::InvalidName&) {
      throw InvalidName();
    }
  }
  CORBA::Object_ptr resolve_initial_references(const char* id) override {
    check();
    if (stage_ == Stage::PreInit)
      orb::raise<CORBA::BAD_INV_ORDER>(orb::omg(14), CORBA::COMPLETED_NO, "before post_init");
    try {
      return core_->resolve_initial_references(id);
    } catch (const CORBA::ORB::InvalidName&) {
      throw InvalidName();
    }
  }
  void add_client_request_interceptor(PI::ClientRequestInterceptor_ptr interceptor) override {
    check();
    all_->client.add(interceptor);
  }
  void add_server_request_interceptor(PI::ServerRequestInterceptor_ptr interceptor) override {
    check();
    all_->server.add(interceptor);
  }
  void add_ior_interceptor(PI::IORInterceptor_ptr interceptor) override {
    check();
    all_->ior.add(interceptor);
  }
  void add_client_request_interceptor_with_policy(PI::ClientRequestInterceptor_ptr interceptor,
                                                  const CORBA::PolicyList& policies) override {
    check();
    all_->client.add(interceptor, processing_mode(policies));
  }
  void add_server_request_interceptor_with_policy(PI::ServerRequestInterceptor_ptr interceptor,
                                                  const CORBA::PolicyList& policies) override {
    check();
    all_->server.add(interceptor, processing_mode(policies));
  }
  // IOR interceptors hear of no calls, whatever the mode.
  void add_ior_interceptor_with_policy(PI::IORInterceptor_ptr interceptor,
                                       const CORBA::PolicyList& policies) override {
    check();
    all_->ior.add(interceptor, processing_mode(policies));
  }
  PI::SlotId allocate_slot_id() override {
    check();
    return all_->slots.allocate();
  }
  void register_policy_factory(CORBA::PolicyType type, PI::PolicyFactory_ptr factory) override {
    check();
    all_->register_policy_factory(type, factory);
  }

 private:
  void check() const {
    if (stage_ == Stage::Over)
      orb::raise<CORBA::OBJECT_NOT_EXIST>(0, CORBA::COMPLETED_NO, "an ORBInitInfo after ORB_init");
  }

  Core* const core_;
  OrbInterceptors* const all_;
  std::vector<std::string> arguments_;
  Stage stage_ = Stage::PreInit;
};

// Takes the ORB off the list of ORBs that are being made.
struct Making {
  const Core& core;
  ~Making() {
    Initializers& all = initializers();
    const std::lock_guard lock(all.mutex);
    std::erase_if(all.making, [this](const auto& m) { return m.first == &core; });
    all.changed.notify_all();
  }
};

void initialize(Core& core, std::span<char*> arguments) {
  const Making making{core};
  OrbInterceptors* const mine = interceptors_of(core);
  if (!mine) return;  // there was no initializer when it was begun
  std::vector<PI::ORBInitializer_var> list;
  {
    const std::lock_guard lock(initializers().mutex);
    list = initializers().list;
  }
  auto* const info = new InitInfo(core, *mine, arguments);
  const PI::ORBInitInfo_var counted = info;
  try {
    for (const auto& i : list) i.in()->pre_init(info);
    info->set_stage(InitInfo::Stage::PostInit);
    for (const auto& i : list) i.in()->post_init(info);
  } catch (...) {
    info->set_stage(InitInfo::Stage::Over);
    core.destroy();
    throw;
  }
  info->set_stage(InitInfo::Stage::Over);
  mine->finish();
}

// The hook of other libraries, which is called after ours.
constinit std::atomic<orb::PrepareOrb> prepare_others{nullptr};

void prepare_ours(Core& core, orb::OrbStage stage, std::span<char*> arguments) {
  Initializers& all = initializers();
  switch (stage) {
    case orb::OrbStage::Begun: {
      const std::lock_guard lock(all.mutex);
      if (all.list.empty()) return;
      core.set_interception(std::make_unique<OrbInterceptors>(core));
      all.making.emplace_back(&core, std::this_thread::get_id());
      return;
    }
    case orb::OrbStage::New: return initialize(core, arguments);
    case orb::OrbStage::Known: {
      std::unique_lock lock(all.mutex);
      return all.changed.wait(lock, [&] { return !all.is_making_elsewhere(core); });
    }
  }
}

void prepare(Core& core, orb::OrbStage stage, std::span<char*> arguments) {
  prepare_ours(core, stage, arguments);
  if (const orb::PrepareOrb others = prepare_others.load(std::memory_order_acquire)) others(core, stage, arguments);
}

// Sets the hook once. A hook that is set later calls this one.
void prepare_orbs() {
  static const bool done = [] {
    prepare_others.store(orb::set_prepare_orb(&prepare), std::memory_order_release);
    return true;
  }();
  static_cast<void>(done);
}

// The calling thread's slots with one ORB. Any thread may call.
class ThreadCurrent final : public PI::Current {
 public:
  explicit ThreadCurrent(Core& core) : core_(&core) {}
  CORBA::Any* get_slot(PI::SlotId id) override {
    const SlotSpace& space = checked();
    return interceptors::get_slot(space.count() != 0 ? space.of_thread() : Slots(), space.count(), id);
  }
  void set_slot(PI::SlotId id, const CORBA::Any& data) override {
    const SlotSpace& space = checked();
    if (space.count() == 0) throw PI::InvalidSlot();
    interceptors::set_slot(space.of_thread(), space.count(), id, data);
  }

 private:
  // Raises BAD_INV_ORDER inside initializers.
  const SlotSpace& checked() const {
    static const SlotSpace none;
    const OrbInterceptors* const all = interceptors_of(*core_);
    if (!all) return none;
    if (!all->is_finished())
      orb::raise<CORBA::BAD_INV_ORDER>(orb::omg(14), CORBA::COMPLETED_NO, "slots before ORB_init is over");
    return all->slots;
  }

  const orb::Counted<Core> core_;
};

CORBA::Object_ptr make_current(Core& core) { return new ThreadCurrent(core); }

}  // namespace

bool use_current() { return orb::register_initial_factory("PICurrent", &make_current); }

}  // namespace callis::interceptors

namespace PortableInterceptor::inline callis_orb {

void register_orb_initializer(ORBInitializer_ptr initializer) {
  using namespace callis::interceptors;
  if (!initializer) callis::orb::raise<CORBA::BAD_PARAM>(kNilInterceptor, CORBA::COMPLETED_NO, "a nil initializer");
  Initializers& all = initializers();
  const std::lock_guard lock(all.mutex);
  all.list.emplace_back(ORBInitializer::_duplicate(initializer));
  prepare_orbs();
}

}  // namespace PortableInterceptor::inline callis_orb
