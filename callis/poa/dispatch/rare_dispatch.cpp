// SPDX-License-Identifier: Apache-2.0
// Requests that only adapters with other policies than the root's meet: ServantLocators, forwards, one thread at a
// time.
#include <callis/giop/reply.h>
#include <callis/orb/reference/reference.h>
#include <callis/poa/adapter/adapter.h>
#include <callis/poa/adapter/main_thread_turn.h>
#include <callis/poa/adapter/turn.h>
#include <callis/poa/dispatch/rare_dispatch.h>
#include <callis/poa/dispatch/target.h>
#include <callis/poa/servant/minor_codes.h>
#include <callis/poa/servant/skeleton.h>

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

void serve_by_locator(Adapter& adapter, UpcallScope& upcall, orb::ServerRequest& request) {
  using namespace PortableServer;
  ServantLocator& locator = adapter.on_demand()->locator();
  ServantLocator::Cookie cookie = nullptr;
  ObjectId_var id;
  std::string operation;
  Servant servant = nullptr;
  const auto forward = [&](const CORBA::UserException& e) { return send_forward(request, e); };
  if (!call_up(
          request, CORBA::COMPLETED_NO,
          [&] {
            id = new_object_id(adapter.id_in(request.object_key()));
            operation = request.operation();
            servant = locator.preinvoke(id.in(), &adapter, operation.c_str(), cookie);
          },
          forward))
    return;
  if (!servant) return answer<CORBA::OBJ_ADAPTER>(request, orb::omg(7), CORBA::COMPLETED_NO);
  upcall.set_servant(servant);
  const Target target{servant, servant->_callis_self(), &servant->_callis_skeleton()};
  run_rarely(watch_of_targets(), target, adapter, nullptr, request);
  upcall.set_servant(nullptr);
  call_up(
      request, CORBA::COMPLETED_MAYBE,
      [&] { locator.postinvoke(id.in(), &adapter, operation.c_str(), cookie, servant); },
      [](const CORBA::UserException&) { return false; });
}

namespace {

// What the application is asked for a LocateRequest: the request _non_existent, whose answer is kept.
class Question final : public orb::ServerRequest {
 public:
  Question(ByteView key, bool comes_back, ior::Ior& forward, giop::SystemExceptionBody& failure)
      : ServerRequest(nullptr, comes_back), key_(key), forward_(forward), failure_(failure),
        no_arguments_(ByteView(), kNativeOrder, budget_) {}

  std::string_view operation() const override { return "_non_existent"; }
  ByteView object_key() const override { return key_; }
  bool response_expected() const override { return true; }
  cdr::Decoder& arguments() override { return no_arguments_; }

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

  const ByteView key_;
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

void serve_in_turn(Registry& registry, Slot* slot, const SkeletonOperation* op, orb::ServerRequest& request) {
  if (orb::MainThread* const thread = slot->adapter->main_thread()) {
    if (!run_on(*thread, [&] { serve_found(registry, slot, op, request); })) refuse(request, Refusal::Destroying);
    return;
  }
  const Turn turn(slot->adapter->serial());
  serve_found(registry, slot, op, request);
}

}  // namespace callis::poa
