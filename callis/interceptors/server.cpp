// SPDX-License-Identifier: Apache-2.0
// The server's side (CORBA 3.0.3, 21.3.7 to 21.3.9 and 21.3.14): between the ORB core and the object adapter.
//
//   receive_request_service_contexts ──→ adapter finds the servant ──→ receive_request ──→ servant
//                                                                                             │
//        send_reply / _exception / _other, in reverse, of those whose first point has returned ←┘
//
// Everything happens on the thread of the upcall. The ending points are called when the outcome is known, before it
// is marshaled.
#include <callis/giop/request.h>
#include <callis/interceptors.h>
#include <callis/interceptors/adapter_facts.h>
#include <callis/interceptors/exceptions.h>
#include <callis/interceptors/flow.h>
#include <callis/interceptors/server.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/core/object_of.h>
#include <callis/poa/adapter/adapter.h>
#include <callis/poa/dispatch/dispatch.h>
#include <callis/poa/dispatch/operation_lookup.h>
#include <callis/poa/servant/dynamic_servant.h>
#include <callis/poa/servant/skeleton.h>
#include <optional>
#include <thread>

namespace callis::interceptors {
namespace {

namespace PI = PortableInterceptor;

constexpr Points kContexts = 1, kRequest = 2, kReply = 4, kException = 8, kOther = 16, kServerPoints = 31;
constexpr Points kServerEnds = kReply | kException | kOther, kFound = kServerPoints & ~kContexts;
// Table 21-2
constexpr Validity kServerValidity = {
    .parameters = kRequest | kReply,
    .declarations = kFound,
    .operation_context = kRequest | kReply,
    .result = kReply,
    .sync_scope = kServerPoints,
    .ended = kServerEnds,
    .other = kOther,
    .request_context = kServerPoints,
};

// A user exception of which only the id is known.
class Named final : public CORBA::UserException {
 public:
  explicit Named(std::string id) : id_(std::make_shared<const std::string>(std::move(id))) {}
  [[noreturn]] void _raise() const override { throw *this; }
  const char* _name() const noexcept override { return "UserException"; }
  const char* _rep_id() const noexcept override { return id_->c_str(); }
  CORBA::Exception* _duplicate() const override { return new Named(*this); }

 private:
  std::shared_ptr<const std::string> id_;
};

class ServerInfo final : public virtual PI::ServerRequestInfo, public CommonInfo {
 public:
  ServerInfo(OrbInterceptors& all, const orb::ServerRequest& request)
      : CommonInfo(all.core(), all.slots, kServerValidity, all.next_request_id(), request.operation()), all_(all),
        request_(request) {
    response_expected_ = request.response_expected();
    if (const giop::RequestHeader* const h = request.header()) {
      request_contexts_.keep(h->contexts);
      if (h->response == giop::ResponseFlags::WithServer) sync_scope_ = orb::SyncScope::Server;
    }
    if (!response_expected_) sync_scope_ = orb::SyncScope::Transport;
  }
  void found(const poa::Target& target, poa::Adapter& adapter, const marshal::OperationPlans* plans,
             cdr::Decoder& arguments) {
    target_ = &target;
    adapter_ = &adapter;
    plans_ = plans;
    arguments_ = &arguments;
  }
  // A servant without tables tells its operation.
  void told(const orb::DynamicOperation* operation) { dynamic_ = operation; }
  // Called when the operation's arguments are about to be read.
  void goes_on() {
    target_ = nullptr;
    arguments_ = nullptr;
  }
  bool is_oneway() const { return plans_->oneway; }
  // frame: the servant has returned, and its results are in the frame.
  void served(const void* frame) { frame_ = frame; }

  CORBA::Any* sending_exception() override {
    check(kException);
    return any_of(*exception_);
  }
  transport::Peer client() const {
    check(kServerPoints);
    const transport::Peer* const client = request_.client();
    return client ? *client : transport::Peer();
  }
  char* server_id() override {
    check(kFound);
    return CORBA::string_dup(core_.options().server_id.c_str());
  }
  char* orb_id() override {
    check(kFound);
    return CORBA::string_dup(core_.options().orb_id.c_str());
  }
  PI::AdapterName* adapter_name() override { return new PI::AdapterName(name_of(adapter())); }
  PI::ObjectId* object_id() override {
    const ByteView id = adapter().id_in(request_.object_key());
    auto octets = std::make_unique<PI::ObjectId>();
    fill(*octets, id);
    return octets.release();
  }
  CORBA::OctetSeq* adapter_id() override {
    const PortableServer::ObjectId_var id = adapter().id();
    auto octets = std::make_unique<CORBA::OctetSeq>();
    fill(*octets, {reinterpret_cast<const Byte*>(id->get_buffer()), id->length()});
    return octets.release();
  }
  char* target_most_derived_interface() override {
    return CORBA::string_dup(target().skeleton->repository_ids[0]);
  }
  CORBA::Policy_ptr get_server_policy(CORBA::PolicyType type) override {
    check(kServerPoints);
    if (!adapter_) not_available();
    const auto* const facts = static_cast<const AdapterFacts*>(adapter_->notes());
    return facts ? facts->policy(type) : AdapterFacts(all_, {}).policy(type);
  }
  void set_slot(PI::SlotId id, const CORBA::Any& data) override {
    check(kServerPoints);
    interceptors::set_slot(slots_, space_.count(), id, data);
  }
  CORBA::Boolean target_is_a(const char* id) override { return target().servant->_is_a(id); }
  void add_reply_service_context(const IOP::ServiceContext& context, CORBA::Boolean replace) override {
    check(kServerPoints);
    reply_contexts_.add(context, replace, core_.limits());
  }

 private:
  // Raises NO_RESOURCES if no adapter has been found (21.3.14, note 3).
  poa::Adapter& adapter() const {
    check(kFound);
    if (!adapter_) not_available();
    return *adapter_;
  }
  // The servant may be gone afterwards.
  const poa::Target& target() const {
    check(kRequest);
    return *target_;
  }

  const marshal::OperationPlans* plans() const override { return plans_; }
  const orb::DynamicOperation* dynamic() const override { return dynamic_; }
  cdr::Decoder arguments_at(Encoded& made) override {
    if (arguments_) return *arguments_;
    if (dynamic_)
      return made.made_by([this](cdr::Encoder& e) { dynamic_->encode_arguments(e); }, orb::Step::EncodeReply);
    return made.made_by([this](cdr::Encoder& e) { marshal::encode(*plans_->server_request, frame_, e); },
                        orb::Step::EncodeReply);
  }
  cdr::Decoder results_at(Encoded& made) override {
    if (dynamic_)
      return made.made_by([this](cdr::Encoder& e) { dynamic_->encode_results(e); }, orb::Step::EncodeReply);
    return made.made_by([this](cdr::Encoder& e) { marshal::encode(*plans_->server_reply, frame_, e); },
                        orb::Step::EncodeReply);
  }
  orb::Step step_of_arguments() const override {
    return arguments_ ? orb::Step::DecodeRequest : orb::Step::EncodeReply;
  }
  orb::Step step_of_results() const override { return orb::Step::EncodeReply; }

  OrbInterceptors& all_;
  const orb::ServerRequest& request_;
  const poa::Target* target_ = nullptr;
  poa::Adapter* adapter_ = nullptr;
  const marshal::OperationPlans* plans_ = nullptr;
  const orb::DynamicOperation* dynamic_ = nullptr;
  cdr::Decoder* arguments_ = nullptr;
  const void* frame_ = nullptr;
};

// Stands in for the servant and its operation, to hear of the frame.
struct Upcall {
  void* self;
  poa::Thunk thunk;
  poa::SkeletonOperation operation;  // run() with this as servant
  class Intercepted& request;

  static void run(void* self, void* frame);
};

// A request on its way to the adapter, and its outcome on the way back.
class Intercepted final : public orb::RequestBefore, public orb::DynamicPoints, private Flow {
 public:
  Intercepted(OrbInterceptors& all, orb::ServerRequest& inner)
      : Intercepted(all, inner, new ServerInfo(all, inner)) {}

  void run(orb::RequestHandler& adapter);
  // These are called on the servant's thread, before and after the servant. found() returns false if the servant is
  // not to be called.
  bool found(poa::Target& target, poa::Adapter& adapter, const poa::SkeletonOperation*& op);
  void served(const void* frame);
  void left();
  bool receive(const orb::DynamicOperation* operation) override;
  void gone() override { mine_->told(nullptr); }

  cdr::Encoder& reply() override {
    if (!over_) {
      set_reply();
      end();
    }
    return sent_ ? scratch() : inner_.reply();
  }
  cdr::Encoder& user_exception(const char* repository_id) override {
    if (!over_) {
      fail(std::make_unique<Named>(repository_id));
      end();
    }
    return sent_ ? scratch() : inner_.user_exception(repository_id);
  }
  // After a reply this is the failure to write the results, or an exception of a servant locator. Interceptors have
  // been told of the reply.
  void system_exception(const CORBA::SystemException& e) override {
    if (over_) {
      if (!sent_) inner_.system_exception(e);
      return;
    }
    fail(std::unique_ptr<CORBA::Exception>(e._duplicate()));
    end();
  }
  void location_forward(const ior::Ior& to) override {
    if (over_) return;
    const auto reference = orb::ReferencePtr::adopt(new orb::Reference(all_.core(), ior::Ior(to)));
    const CORBA::Object_var object = orb::make_object(*reference);
    set_other(PI::LOCATION_FORWARD, object.in());
    end();
  }

 private:
  Intercepted(OrbInterceptors& all, orb::ServerRequest& inner, ServerInfo* info)
      : RequestBefore(inner), Flow(info), all_(all),
        hearing_(all.server.hearing(take_own_call(all.core()))), mine_(info) {}

  bool call_receive_request();
  void end();
  void call_ending_point(std::size_t i, End end) override;
  cdr::Encoder& scratch() {
    scratch_bytes_.clear();
    return scratch_.emplace(scratch_bytes_);
  }

  OrbInterceptors& all_;
  const InterceptorList<PI::ServerRequestInterceptor>::Hearing& hearing_;
  ServerInfo* const mine_;
  Slots of_thread_;        // thread scope of this request, or what the thread had before
  const std::thread::id server_ = std::this_thread::get_id();
  Slots of_other_thread_;  // the same of the servant's, where that is the main thread
  std::optional<SlotSpace::Exchange> on_other_thread_;
  bool in_adapter_ = false;
  bool over_ = false;  // the ending points have been called
  bool sent_ = false;  // the end, by us; it is settled
  std::optional<Upcall> upcall_;
  std::optional<poa::Target> dynamic_target_;  // its servant tells of the arguments itself
  Buffer scratch_bytes_;   // for what is not sent
  std::optional<cdr::Encoder> scratch_;
};

void Intercepted::run(orb::RequestHandler& adapter) {
  const SlotSpace::Exchange scope(all_.slots, of_thread_);
  bool passed = true;
  for (; passed && started_ < hearing_.size(); started_ += passed) {
    info_.set_point(kContexts);
    passed = passes([this] { hearing_[started_]->receive_request_service_contexts(mine_); });
  }
  info_.set_point(CommonInfo::kNowhere);
  if (passed) {
    if (all_.slots.count() != 0) all_.slots.of_thread() = info_.slots();
    in_adapter_ = true;
    adapter.handle(*this);
    if (over_) return;
    set_reply();
  }
  end();
}

bool Intercepted::found(poa::Target& target, poa::Adapter& adapter, const poa::SkeletonOperation*& op) {
  if (all_.slots.count() != 0 && std::this_thread::get_id() != server_) {
    of_other_thread_ = info_.slots();
    on_other_thread_.emplace(all_.slots, of_other_thread_);
  }
  if (!op) op = poa::find_operation(*target.skeleton, operation(), adapter.operation_lookup());
  // Compiled skeletons have no tables.
  const bool described = op && !marshal::OperationView(*target.skeleton->unit, op->op).compiled();
  const marshal::OperationPlans* const plans =
      described ? marshal::operation_plans(*target.skeleton->unit, op->op) : nullptr;
  if (!op && dynamic_cast<poa::DynamicServant*>(target.servant)) {
    dynamic_target_ = target;
    mine_->found(*dynamic_target_, adapter, nullptr, arguments());
    return true;
  }
  mine_->found(target, adapter, plans, arguments());
  if (call_receive_request()) {
    if (plans) {
      upcall_.emplace(Upcall{target.self, op->thunk, {&Upcall::run, op->op, op->name}, *this});
      target.self = &*upcall_;
      op = &upcall_->operation;
    }
    return true;
  }
  end();
  on_other_thread_.reset();
  return false;
}

bool Intercepted::call_receive_request() {
  bool passed = true;
  for (std::size_t i = 0; passed && i < hearing_.size(); ++i) {
    info_.set_point(kRequest);
    passed = passes([&] { hearing_[i]->receive_request(mine_); });
  }
  info_.set_point(CommonInfo::kNowhere);
  mine_->goes_on();
  return passed;
}

bool Intercepted::receive(const orb::DynamicOperation* operation) {
  mine_->told(operation);
  if (call_receive_request()) return true;
  end();
  return false;
}

void Upcall::run(void* self, void* frame) {
  const Upcall& upcall = *static_cast<const Upcall*>(self);
  upcall.thunk(upcall.self, frame);
  upcall.request.served(frame);
}

void Intercepted::served(const void* frame) {
  mine_->served(frame);
  // The frame of a oneway is gone when left() is called.
  if (mine_->is_oneway() || !response_expected()) left();
}

void Intercepted::left() {
  if (!over_) {  // a oneway
    set_reply();
    end();
    if (!sent_ && response_expected()) (void)inner_.reply();  // with the contexts
  }
  on_other_thread_.reset();
}

// Calls the ending points. Sends an outcome that they have changed; otherwise the adapter's answer goes on.
void Intercepted::end() {
  over_ = true;
  if (in_adapter_ && all_.slots.count() != 0) info_.slots() = all_.slots.of_thread();
  finish();
  if (!info_.reply_contexts().empty()) {
    const std::span<const giop::ServiceContext> added = info_.reply_contexts().to_send(0);
    inner_.set_reply_contexts(added.data(), added.size());
  }
  const auto* const system = end_ == End::Exception ? CORBA::SystemException::_downcast(exception_.get()) : nullptr;
  sent_ = system || end_ == End::Other;
  if (system) inner_.system_exception(*system);
  else if (sent_) inner_.location_forward(forward_->_callis_reference()->ior());
}

void Intercepted::call_ending_point(std::size_t i, End end) {
  PI::ServerRequestInterceptor& interceptor = *hearing_[i];
  switch (end) {
    case End::Reply: info_.set_point(kReply); return interceptor.send_reply(mine_);
    case End::Exception: info_.set_point(kException); return interceptor.send_exception(mine_);
    case End::Other: info_.set_point(kOther); return interceptor.send_other(mine_);
  }
}

// Handles requests in front of an object adapter.
class Handler final : public orb::RequestHandler {
 public:
  Handler(OrbInterceptors& all, orb::RequestHandler& adapter) : all_(all), adapter_(adapter) {}

  void handle(orb::ServerRequest& request) noexcept override {
    if (!all_.is_finished() || all_.server.empty()) return adapter_.handle(request);
    try {
      Intercepted(all_, request).run(adapter_);
    } catch (...) {  // no memory
      request.system_exception(
          CORBA::NO_MEMORY(orb::own(Fault::OutOfMemory), CORBA::COMPLETED_MAYBE));
    }
  }
  orb::Locate locate(ByteView key, ior::Ior& forward) noexcept override { return adapter_.locate(key, forward); }
  orb::Locate ask(ByteView key, bool comes_back, ior::Ior& forward,
                  giop::SystemExceptionBody& failure) noexcept override {
    return adapter_.ask(key, comes_back, forward, failure);
  }
  orb::Collocation collocation(ByteView key) noexcept override { return adapter_.collocation(key); }
  bool call_directly(const orb::DirectCall& call) override { return adapter_.call_directly(call); }

 private:
  OrbInterceptors& all_;
  orb::RequestHandler& adapter_;
};

bool target_found(orb::ServerRequest& request, poa::Target& target, poa::Adapter& adapter,
                  const poa::SkeletonOperation*& op) {
  auto* const intercepted = dynamic_cast<Intercepted*>(&request);
  return !intercepted || intercepted->found(target, adapter, op);
}
void target_left(orb::ServerRequest& request) {
  if (auto* const intercepted = dynamic_cast<Intercepted*>(&request)) intercepted->left();
}
constinit poa::TargetWatch target_watch = {&target_found, &target_left};

}  // namespace

std::unique_ptr<orb::RequestHandler> make_handler(OrbInterceptors& all, orb::RequestHandler& adapter) {
  poa::add_target_watch(target_watch);
  return std::make_unique<Handler>(all, adapter);
}

transport::Peer client_of(PI::ServerRequestInfo_ptr info) {
  const auto* const ours = dynamic_cast<const ServerInfo*>(info);
  if (!ours) orb::raise<CORBA::BAD_PARAM>(0, CORBA::COMPLETED_NO, "client_of() of no request of this ORB");
  return ours->client();
}

}  // namespace callis::interceptors
