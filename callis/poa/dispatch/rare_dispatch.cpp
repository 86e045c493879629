// SPDX-License-Identifier: Apache-2.0
// Requests that only adapters with other policies than the root's meet: ServantLocators, forwards, one thread at a
// time.
#include <callis/giop/reply.h>
#include <callis/orb/client/reference.h>
#include <callis/poa/adapter/adapter.h>
#include <callis/poa/adapter/main_thread_turn.h>
#include <callis/poa/adapter/turn.h>
#include <callis/poa/dispatch/operation_lookup.h>
#include <callis/poa/dispatch/rare_dispatch.h>
#include <callis/poa/dispatch/target.h>
#include <callis/poa/servant/minor_codes.h>
#include <callis/poa/servant/skeleton.h>
#include <optional>
#include <utility>

CALLIS_PROVIDE(rare_dispatch);

namespace callis::poa {

bool send_forward(orb::ServerRequest& request, const CORBA::UserException& e) {
  const auto* forward = dynamic_cast<const PortableServer::ForwardRequest*>(&e);
  if (!forward) return false;
  const CORBA::Object_ptr to = forward->forward_reference.in();
  const orb::Reference* reference = to ? to->_callis_reference() : nullptr;
  if (reference) request.location_forward(reference->ior());
  else answer<CORBA::OBJ_ADAPTER>(request, kNilForward, CORBA::COMPLETED_NO);
  return true;
}

namespace {

// The question to a ServantLocator, and its answer.
struct Preinvoked {
  Adapter& adapter;
  PortableServer::ServantLocator& locator = adapter.on_demand()->locator();
  PortableServer::ServantLocator::Cookie cookie = nullptr;
  PortableServer::ObjectId_var id = nullptr;
  std::string operation = {};
  PortableServer::Servant servant = nullptr;
};

// A request to the servant that a ServantLocator has given. postinvoke() is called when the servant is done, before
// anybody hears of the outcome. A system exception of postinvoke() becomes the outcome, which the ending interception
// points are told. Results are written afterwards; they are not the servant's any more.
class Located final : public orb::RequestBefore {
 public:
  Located(orb::ServerRequest& inner, orb::Upcall& upcall, const Preinvoked& asked)
      : RequestBefore(inner), upcall_(upcall), preinvoked_(asked) {}

  // Calls postinvoke(), unless that has been done.
  void settle() {
    if (std::exchange(settled_, true)) return;
    upcall_.set_servant(nullptr);
    failed_ = !call_up(
        inner_, CORBA::COMPLETED_MAYBE,
        [this] {
          const Preinvoked& a = preinvoked_;
          a.locator.postinvoke(a.id.in(), &a.adapter, a.operation.c_str(), a.cookie, a.servant);
        },
        [](const CORBA::UserException&) { return false; });
  }
  // Puts itself between the engine and the servant, so that what is called after the operation finds it settled. The
  // result takes the place of op. Not for compiled operations.
  const SkeletonOperation* stand_before(Target& target, const SkeletonOperation& op) {
    self_ = std::exchange(target.self, this);
    thunk_ = op.thunk;
    return &operation_.emplace(&run, op.op, op.name);
  }

  cdr::Encoder& reply() override {
    settle();
    return failed_ ? scratch() : inner_.reply();
  }
  cdr::Encoder& user_exception(const char* repository_id) override {
    settle();
    return failed_ ? scratch() : inner_.user_exception(repository_id);
  }
  void system_exception(const CORBA::SystemException& e) override {
    settle();
    if (!failed_) inner_.system_exception(e);
  }
  void location_forward(const ior::Ior& to) override {
    settle();
    if (!failed_) inner_.location_forward(to);
  }

 private:
  static void run(void* self, void* frame) {
    auto& located = *static_cast<Located*>(self);
    located.thunk_(located.self_, frame);
    located.settle();
  }
  cdr::Encoder& scratch() {
    scratch_bytes_.clear();
    return scratch_.emplace(scratch_bytes_);
  }

  orb::Upcall& upcall_;
  const Preinvoked& preinvoked_;
  bool settled_ = false;
  bool failed_ = false;  // postinvoke() has thrown, which inner_ has been told
  void* self_ = nullptr;
  Thunk thunk_ = nullptr;
  std::optional<SkeletonOperation> operation_;
  Buffer scratch_bytes_;  // for bytes that are not sent
  std::optional<cdr::Encoder> scratch_;
};

// All watches, then the servant. The outcome is settled before a watch is told that the request has left.
void run_located(const TargetWatch* watch, Located& located, Target target, Adapter& adapter,
                 const SkeletonOperation* op, orb::ServerRequest& request) {
  if (!watch) {
    run_watched(nullptr, target, adapter, op, located);
    return located.settle();
  }
  if (!watch->found(request, target, adapter, op)) return located.settle();
  run_located(watch->next, located, target, adapter, op, request);
  watch->left(request);
}

void serve_located(Adapter& adapter, orb::Upcall& upcall, const Preinvoked& asked, orb::ServerRequest& request) {
  upcall.set_servant(asked.servant);
  Located located(request, upcall, asked);
  Target target{asked.servant, asked.servant->_callis_self(), &asked.servant->_callis_skeleton()};
  const SkeletonOperation* op = find_operation(*target.skeleton, request.operation(), adapter.operation_lookup());
  const bool compiled = op && marshal::OperationView(*target.skeleton->unit, op->op).compiled();
  if (op && !compiled) op = located.stand_before(target, *op);
  run_located(watch_of_targets(), located, target, adapter, op, request);
}

}  // namespace

void serve_by_locator(Adapter& adapter, orb::Upcall& upcall, orb::ServerRequest& request) {
  Preinvoked asked{adapter};
  const auto forward = [&](const CORBA::UserException& e) { return send_forward(request, e); };
  if (!call_up(
          request, CORBA::COMPLETED_NO,
          [&] {
            asked.id = new_object_id(adapter.id_in(request.object_key()));
            asked.operation = request.operation();
            const char* const name = asked.operation.c_str();
            asked.servant = asked.locator.preinvoke(asked.id.in(), &adapter, name, asked.cookie);
          },
          forward))
    return;
  if (!asked.servant) return answer<CORBA::OBJ_ADAPTER>(request, orb::omg(7), CORBA::COMPLETED_NO);
  serve_located(adapter, upcall, asked, request);
}

namespace {

// The question to the application for a LocateRequest: the request _non_existent, whose answer is kept.
class Question final : public orb::ServerRequest {
 public:
  Question(ByteView key, bool comes_back, ior::Ior& forward, giop::SystemExceptionBody& failure)
      : ServerRequest({"_non_existent", key, no_arguments_, true, comes_back}), forward_(forward), failure_(failure),
        no_arguments_(ByteView(), kNativeOrder, budget_) {}

  cdr::Encoder& reply() override {
    found_ = orb::Locate::Here;
    return begin();
  }
  cdr::Encoder& user_exception(const char*) override { return begin(); }  // the operation raises none
  void system_exception(const CORBA::SystemException& e) override {
    found_ = dynamic_cast<const CORBA::OBJECT_NOT_EXIST*>(&e) ? orb::Locate::Unknown : orb::Locate::Failed;
    failure_ = {e._rep_id(), e.minor(), static_cast<giop::Completion>(e.completed())};
  }
  void location_forward(const ior::Ior& to) override {
    found_ = orb::Locate::Forward;
    forward_ = to;
  }

  orb::Locate answer() {
    if (found_ == orb::Locate::Here && encoder_) encoder_->finish();
    const ByteView says = answer_.view();
    return found_ == orb::Locate::Here && !says.empty() && says[0] != 0 ? orb::Locate::Unknown : found_;
  }

 private:
  cdr::Encoder& begin() {
    encoder_.reset();
    answer_.clear();
    return encoder_.emplace(answer_);
  }

  ior::Ior& forward_;
  giop::SystemExceptionBody& failure_;
  orb::Locate found_ = orb::Locate::Here;
  cdr::Budget budget_{0, 0};
  cdr::Decoder no_arguments_;
  Buffer answer_;
  std::optional<cdr::Encoder> encoder_;
};

}  // namespace

orb::Locate ask_application(orb::RequestHandler& handler, ByteView object_key, bool comes_back, ior::Ior& forward,
                            giop::SystemExceptionBody& failure) noexcept {
  Question question(object_key, comes_back, forward, failure);
  handler.handle(question);
  return question.answer();
}

void serve_in_turn(Slot* slot, const SkeletonOperation* op, orb::ServerRequest& request) {
  if (orb::MainThread* const thread = slot->adapter->main_thread()) {
    if (!run_on(*thread, [&] { serve_found(slot, op, request); })) refuse(request, Refusal::Destroying);
    return;
  }
  const Turn turn(slot->adapter->serial());
  serve_found(slot, op, request);
}

}  // namespace callis::poa
