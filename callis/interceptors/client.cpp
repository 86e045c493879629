// SPDX-License-Identifier: Apache-2.0
// The client's side (CORBA 3.0.3, 21.3.5 and 21.3.13): each attempt of a call is a request to interceptors.
//
//   send_request, in order ──→ attempt ──→ receive_reply / _exception / _other, in reverse, of those whose
//                                          send_request has returned
#include <callis/interceptors/exceptions.h>
#include <callis/interceptors/flow.h>
#include <callis/interceptors/orb_interceptors.h>
#include <callis/ior/iiop_profile.h>
#include <callis/orb/base/policy_management.h>
#include <callis/orb/client/invocation.h>
#include <callis/orb/core/object_of.h>
#include <callis/orb/endpoint/endpoint.h>
#include <optional>

namespace callis::interceptors {
namespace {

namespace PI = PortableInterceptor;

constexpr Points kSendRequest = 1, kReceiveReply = 2, kReceiveException = 4, kReceiveOther = 8, kClientPoints = 15;
constexpr Points kClientEnds = kReceiveReply | kReceiveException | kReceiveOther;
// Table 21-1. send_poll belongs to calls that callis does not have.
constexpr Validity kClientValidity = {
    .parameters = kSendRequest | kReceiveReply,
    .declarations = kClientPoints,
    .operation_context = kClientPoints,
    .result = kReceiveReply,
    .sync_scope = kClientPoints,
    .ended = kClientEnds,
    .other = kReceiveOther,
    .request_context = kClientPoints,
};

class ClientInfo final : public virtual PI::ClientRequestInfo, public CommonInfo {
 public:
  ClientInfo(OrbInterceptors& all, orb::Invocation& call)
      : CommonInfo(all.core(), all.slots, kClientValidity, all.next_request_id(), call.operation().name),
        target_(&call.first()), body_(call.body()), tells_policies_(call.terms().tell != nullptr) {
    goes(call.target(), call.target().preferred());
    response_expected_ = call.expects_reply();
    sync_scope_ = call.operation().oneway ? call.terms().sync_scope : orb::SyncScope::Target;
  }
  // Tells where the results of a reply begin, for as long as interceptors are told of the reply.
  void results(const cdr::Decoder* at) { results_ = at; }
  // path: of to's paths().
  void goes(orb::Reference& to, std::size_t path) {
    effective_ = orb::ReferencePtr(&to);
    const auto paths = to.paths();
    profile_ = path < paths.size() ? paths[path].profile : kNoProfile;
  }

  CORBA::Object_ptr target() override {
    check(kClientPoints);
    return orb::make_object(*target_);
  }
  CORBA::Object_ptr effective_target() override {
    check(kClientPoints);
    return orb::make_object(*effective_);
  }
  IOP::TaggedProfile* effective_profile() override {
    check(kClientPoints);
    const ior::TaggedProfile& p = profile();
    auto result = std::make_unique<IOP::TaggedProfile>();
    result->tag = p.tag;
    fill(result->profile_data, p.data);
    return result.release();
  }
  CORBA::Any* received_exception() override {
    check(kReceiveException);
    return any_of(*exception_);
  }
  char* received_exception_id() override {
    check(kReceiveException);
    return CORBA::string_dup(exception_->_rep_id());
  }
  IOP::TaggedComponent* get_effective_component(IOP::ComponentId id) override {
    const std::unique_ptr<IOP::TaggedComponentSeq> all(get_effective_components(id));
    return new IOP::TaggedComponent((*all)[0]);
  }
  IOP::TaggedComponentSeq* get_effective_components(IOP::ComponentId id) override;
  CORBA::Policy_ptr get_request_policy(CORBA::PolicyType type) override {
    check(kClientPoints);
    const CORBA::Object_var object = orb::make_object(*target_);
    return object->_get_policy(type);
  }
  void add_request_service_context(const IOP::ServiceContext& context, CORBA::Boolean replace) override {
    check(kSendRequest);
    request_contexts_.add(context, replace, core_.limits(), ContextList::kUsualOwn + tells_policies_);
  }

 private:
  static constexpr std::size_t kNoProfile = ~std::size_t{0};
  const ior::TaggedProfile& profile() const {
    if (profile_ == kNoProfile)
      orb::raise<CORBA::IMP_LIMIT>(orb::omg(1), CORBA::COMPLETED_NO, "no profile that can be used");
    return effective_->ior().profiles[profile_];
  }

  const marshal::OperationPlans* plans() const override { return body_.plans(); }
  const orb::DynamicOperation* dynamic() const override { return dynamic_cast<const orb::DynamicOperation*>(&body_); }
  cdr::Decoder arguments_at(Encoded& made) override {
    return made.made_by([this](cdr::Encoder& e) { body_.encode(e); }, orb::Step::Encode);
  }
  cdr::Decoder results_at(Encoded&) override { return *results_; }
  orb::Step step_of_arguments() const override { return orb::Step::Encode; }
  orb::Step step_of_results() const override { return orb::Step::DecodeReply; }

  const orb::ReferencePtr target_;
  orb::CallBody& body_;  // of the call, which is over when no point is
  const bool tells_policies_;
  const cdr::Decoder* results_ = nullptr;
  orb::ReferencePtr effective_;
  std::size_t profile_ = kNoProfile;
};

IOP::TaggedComponentSeq* ClientInfo::get_effective_components(IOP::ComponentId id) {
  check(kClientPoints);
  const ior::TaggedProfile& p = profile();
  const Limits& limits = core_.limits();
  auto result = std::make_unique<IOP::TaggedComponentSeq>();
  if (p.tag == ior::kInternetProfile || p.tag == ior::kUiopProfile) {
    const auto read = p.tag == ior::kUiopProfile ? ior::parse_uiop(p.data, limits) : ior::parse_iiop(p.data, limits);
    if (read)
      for (const ior::TaggedComponent& c : read->components) {
        if (c.tag != id) continue;
        const CORBA::ULong n = result->length();
        result->length(n + 1);
        (*result)[n].tag = c.tag;
        fill((*result)[n].component_data, c.data);
      }
  }
  if (result->length() == 0) orb::raise<CORBA::BAD_PARAM>(orb::omg(28), CORBA::COMPLETED_NO, "no such component");
  return result.release();
}

// Returns whether the call stays in this ORB, as far as is known before there is a connection.
bool is_local(orb::Reference& to) {
  const auto paths = to.paths();
  return !paths.empty() && paths[to.preferred()].endpoint->is_own();
}

// One attempt, and the interceptors' decisions about it.
class AttemptFlow final : private Flow {
 public:
  AttemptFlow(OrbInterceptors& all, orb::Invocation& call, const Slots& slots)
      : AttemptFlow(all, call, new ClientInfo(all, call)) {
    mine_->slots() = slots;
  }

  // Returns false if the request is not to be sent; outcome() then says what happens instead.
  bool start();
  std::span<giop::ServiceContext> contexts() {
    info_.set_point(CommonInfo::kNowhere);
    return info_.request_contexts().to_send(orb::InvocationObserver::kOwnPlaces);
  }
  void goes(orb::Reference& to, const orb::Path& path) {
    mine_->goes(to, static_cast<std::size_t>(&path - to.paths().data()));
  }
  void came(const giop::ServiceContexts& list) { mine_->reply_contexts().keep(list); }
  bool results(const cdr::Decoder& at) {
    set_reply();
    mine_->results(&at);
    tell_all();
    mine_->results(nullptr);
    return end_ == End::Reply;
  }
  void failed(std::unique_ptr<CORBA::Exception> e) { fail(std::move(e)); }
  void forwarded(orb::Reference& to) {
    const CORBA::Object_var forward = orb::make_object(to);
    set_other(PI::LOCATION_FORWARD, forward.in());
  }
  void again() { set_other(PI::TRANSPORT_RETRY, nullptr); }
  // Tells the interceptors that have not been told, and does as they want: sends the invocation elsewhere, or returns
  // an exception.
  std::unique_ptr<CORBA::Exception> outcome();

 private:
  AttemptFlow(OrbInterceptors& all, orb::Invocation& call, ClientInfo* info)
      : Flow(info), all_(all), call_(call), hearing_(all.client.hearing(is_local(call.target()))), mine_(info) {}

  void tell_all() {
    const SlotSpace::Exchange scope(all_.slots, own_);
    finish();
  }
  void call_ending_point(std::size_t i, End end) override;

  OrbInterceptors& all_;
  orb::Invocation& call_;
  const InterceptorList<PI::ClientRequestInterceptor>::Hearing& hearing_;
  ClientInfo* const mine_;
  Slots own_;  // the interceptors' thread scope
};

bool AttemptFlow::start() {
  const SlotSpace::Exchange scope(all_.slots, own_);
  for (; started_ < hearing_.size(); ++started_) {
    info_.set_point(kSendRequest);
    if (!passes([this] { hearing_[started_]->send_request(mine_); })) return false;
  }
  return true;
}

std::unique_ptr<CORBA::Exception> AttemptFlow::outcome() {
  tell_all();
  if (end_ == End::Exception) return std::move(exception_);
  if (elsewhere_) call_.send_elsewhere(std::move(elsewhere_));
  return nullptr;
}

// One invocation: an AttemptFlow after the other.
class Observer final : public orb::InvocationObserver {
 public:
  explicit Observer(OrbInterceptors& all) : all_(all) {
    if (all.slots.count() != 0) of_client_ = all.slots.of_thread();
  }
  ~Observer() override { leave(); }

  void begins(orb::Invocation& call) override {
    attempt_.emplace(all_, call, of_client_);
    if (!attempt_->start()) {
      std::unique_ptr<CORBA::Exception> e = attempt_->outcome();
      attempt_.reset();
      if (!e) return;
      e->_raise();
      __builtin_unreachable();  // GCC forgets that a virtual function does not return
    }
    contexts = attempt_->contexts();
    before_ = note_own_call(nullptr);  // of a call whose values make this one
    noted_ = true;
  }
  void goes(orb::Reference& to, const orb::Path& path) override {
    note_own_call(path.endpoint->is_own() ? &all_.core() : nullptr);
    attempt_->goes(to, path);
  }
  void came(const giop::ServiceContexts& list) override { attempt_->came(list); }
  bool results(const cdr::Decoder& at) override { return attempt_->results(at); }
  void ends(orb::Invocation& call, End how, std::unique_ptr<CORBA::Exception>& e) override {
    leave();
    switch (how) {
      case End::Replied: break;
      case End::Failed: attempt_->failed(std::move(e)); break;
      case End::Forwarded: attempt_->forwarded(call.target()); break;
      case End::Again: attempt_->again(); break;
    }
    e = attempt_->outcome();
    attempt_.reset();
  }

 private:
  void leave() {
    if (std::exchange(noted_, false)) note_own_call(before_);
  }

  OrbInterceptors& all_;
  Slots of_client_;
  std::optional<AttemptFlow> attempt_;
  const orb::Core* before_ = nullptr;
  bool noted_ = false;
};

void AttemptFlow::call_ending_point(std::size_t i, End end) {
  PI::ClientRequestInterceptor& interceptor = *hearing_[i];
  switch (end) {
    case End::Reply: info_.set_point(kReceiveReply); return interceptor.receive_reply(mine_);
    case End::Exception: info_.set_point(kReceiveException); return interceptor.receive_exception(mine_);
    case End::Other: info_.set_point(kReceiveOther); return interceptor.receive_other(mine_);
  }
}

}  // namespace

std::unique_ptr<orb::InvocationObserver> OrbInterceptors::observe(orb::Invocation&) {
  return std::make_unique<Observer>(*this);
}

}  // namespace callis::interceptors
