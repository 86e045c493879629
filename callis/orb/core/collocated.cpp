// SPDX-License-Identifier: Apache-2.0
// Calls to objects of the caller's own ORB, in three ways.
#include <callis/base/arena.h>
#include <callis/base/buffer.h>
#include <callis/classic/made_exceptions.h>
#include <callis/marshal/crossing.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/client/call_terms.h>
#include <callis/orb/context/upcall.h>
#include <callis/orb/core/collocated.h>
#include <callis/orb/server/server.h>
#include <optional>
#include <utility>

CALLIS_PROVIDE(collocation);

namespace callis::orb {
namespace {

// A thread's memory of its last calls, by reference and operation.
struct alignas(64) Remembered {
  std::uint64_t serial = 0;  // of the reference; 0: nothing
  const void* identity = nullptr;
  DirectAgain again = nullptr;
  Collocation way = Collocation::Marshaled;
  bool direct = false;       // the memo, and again, belong to direct calls; else to calls through the adapter
  ServerRequest::Memo memo;  // the findings of one kind of call do not suit the other
};
constexpr std::size_t kRemembered = 16;
// Stands on the heap from a thread's first call on: memory of threads is scarce if a program loads callis as a
// plugin. Before, all threads have this common object, to which nothing is written.
constinit Remembered nothing[kRemembered] = {};
constinit thread_local Remembered* remembered __attribute__((tls_model("initial-exec"))) = nothing;

struct RememberedOfThread {
  ~RememberedOfThread() {
    if (remembered != nothing) delete[] std::exchange(remembered, nothing);
  }
};

// The place at which such calls are remembered.
inline Remembered& place_of(const Reference& target, const void* identity) {
  Remembered* at = &remembered[(target.serial() ^ reinterpret_cast<std::uintptr_t>(identity) >> 4) % kRemembered];
  asm("" : "+r"(at));  // so that the address is not worked out again at each use
  return *at;
}

// Throws std::bad_alloc.
[[gnu::noinline]] Remembered& learn(const Reference& target, const void* identity, RequestHandler& handler,
                                    ByteView key) {
  const Collocation way = handler.collocation(key);
  if (remembered == nothing) {
    static thread_local const RememberedOfThread of_thread;
    static_cast<void>(&of_thread);
    remembered = new Remembered[kRemembered];
  }
  Remembered& r = place_of(target, identity);
  r = {target.serial(), identity, nullptr, way, false, {}};
  return r;
}

// The place of this call, knowing the adapter's way.
inline Remembered& remember(Reference& target, const void* identity, RequestHandler& handler, ByteView key) {
  Remembered& r = place_of(target, identity);
  if (r.serial == target.serial() && r.identity == identity) [[likely]] return r;
  return learn(target, identity, handler, key);
}

// Buffers of a call; a thread keeps one for each depth of its nesting.
struct Scratch {
  static constexpr std::size_t kKeep = 64u << 10;
  Buffer request, reply;
  Arena arena;
  std::unique_ptr<Scratch> next;
};
thread_local std::unique_ptr<Scratch> unused;

class ScratchScope final {
 public:
  ScratchScope() : mine_(std::move(unused)) {
    if (!mine_) mine_ = std::make_unique<Scratch>();
    else unused = std::move(mine_->next);
  }
  ~ScratchScope() {
    for (Buffer* b : {&mine_->request, &mine_->reply}) {
      b->shrink(Scratch::kKeep);
      b->clear();
    }
    mine_->arena.reset();
    mine_->next = std::move(unused);
    unused = std::move(mine_);
  }
  ScratchScope(const ScratchScope&) = delete;
  ScratchScope& operator=(const ScratchScope&) = delete;
  Scratch& operator*() const { return *mine_; }

 private:
  std::unique_ptr<Scratch> mine_;
};

class Request final : public ServerRequest {
 public:
  enum class Outcome { Reply, UserException, SystemException, Forward };

  Request(const CallOperation& operation, ByteView key, cdr::Decoder& arguments, Buffer& out, Memo* memo)
      : ServerRequest({operation.name, key, arguments, !operation.oneway, false, memo}), out_(out) {}

  cdr::Encoder& reply() override { return start(Outcome::Reply); }
  cdr::Encoder& user_exception(const char* repository_id) override {
    cdr::Encoder& e = start(Outcome::UserException);
    e.put_string(repository_id);
    return e;
  }
  void system_exception(const CORBA::SystemException& x) override {
    start(Outcome::SystemException);
    exception.reset(CORBA::SystemException::_downcast(x._duplicate()));
  }
  void location_forward(const ior::Ior& to) override {
    start(Outcome::Forward);
    forward = to;
  }
  // The bytes of the reply are whole now.
  Fault finish() {
    if (!encoder_) return Fault::None;
    encoder_->finish();
    return encoder_->fault();
  }

  Outcome outcome = Outcome::Reply;
  std::unique_ptr<CORBA::SystemException> exception;
  ior::Ior forward;

 private:
  cdr::Encoder& start(Outcome o) {
    outcome = o;
    encoder_.reset();
    out_.clear();
    encoder_.emplace(out_);
    return *encoder_;
  }

  Buffer& out_;
  std::optional<cdr::Encoder> encoder_;
};

[[noreturn]] void raise(const CORBA::Exception& e) {
  e._raise();
  __builtin_unreachable();  // GCC forgets that a virtual function does not return
}

[[noreturn]] void raise_user_exception(CallBody& body, const CallOperation& operation, cdr::Decoder& d) {
  const std::string id(d.get_string());
  const auto e = d.ok() ? body.decode_exception(id, d) : nullptr;
  if (!d.ok()) bad_results(operation, d.fault());
  if (!e) classic::raise<CORBA::UNKNOWN>(omg(1), CORBA::COMPLETED_YES, id);
  raise(*e);
}

// The ORB counts the call: shutdown waits for it.
struct InServer {
  Server& server;
  const bool entered;
  explicit InServer(Server& s) : server(s), entered(s.enter()) {}
  ~InServer() {
    if (entered) server.leave();
  }
  InServer(const InServer&) = delete;
  InServer& operator=(const InServer&) = delete;
};

}  // namespace

bool call_through_adapter(Reference& target, const Path& path, const CallOperation& operation, CallBody& body) {
  OrbContext& orb = target.orb();
  const InServer in_server(orb.server());
  RequestHandler* const handler = orb.handler();
  if (!in_server.entered || !handler || orb.is_named(path.object_key)) return false;
  Remembered& known = remember(target, operation.identity, *handler, path.object_key);
  if (known.way == Collocation::Marshaled) return false;

  const ScratchScope scope;
  Scratch& scratch = *scope;
  {
    cdr::Encoder e(scratch.request);
    body.encode(e);
    e.finish();
    if (e.fault() != Fault::None) bad_arguments(operation, e.fault());
  }
  cdr::Budget budget = cdr::Budget::of(orb.limits(), scratch.request.size());
  cdr::Decoder arguments(scratch.request.view(), kNativeOrder, budget);
  arguments.set_context(orb.own_source());
  arguments.set_arena(&scratch.arena);
  // A copy: the upcall may make calls that take the thread's place.
  ServerRequest::Memo memo = known.direct ? ServerRequest::Memo{} : known.memo;
  Request request(operation, path.object_key, arguments, scratch.reply, operation.identity ? &memo : nullptr);
  {
    const Upcall upcall(orb);
    handler->handle(request);
  }
  if (known.serial == target.serial() && known.identity == operation.identity) {
    known.direct = false;
    known.again = nullptr;
    known.memo = memo;
  }
  if (request.outcome == Request::Outcome::Forward) {
    auto next = ReferencePtr::adopt(new Reference(orb, std::move(request.forward)));
    if (next->paths().empty())
      classic::raise<CORBA::INV_OBJREF>(kBadForward, CORBA::COMPLETED_NO,
                                        "forwarded to a reference without usable profile");
    target.set_forward(std::move(next));
    return false;
  }
  if (operation.oneway) return true;
  const Fault f = request.finish();
  if (f != Fault::None) throw_fault(f, operation.name, Step::EncodeReply);
  if (request.outcome == Request::Outcome::SystemException) raise(*request.exception);
  cdr::Budget reply_budget = cdr::Budget::of(orb.limits(), scratch.reply.size());
  cdr::Decoder results(scratch.reply.view(), kNativeOrder, reply_budget);
  results.set_context(orb.own_source());
  if (request.outcome == Request::Outcome::UserException) raise_user_exception(body, operation, results);
  body.decode(results);
  if (!results.ok()) bad_results(operation, results.fault());
  return true;
}

namespace {

// unit: nullptr when the crossing is known.
[[gnu::noinline]] bool call_noted(Reference& target, const Path& path, const marshal::Unit* unit, std::uint32_t op,
                                  const marshal::OperationPlans& plans, void* frame) {
  OrbContext& orb = target.orb();
  if (!orb.own_calls_are_plain() || t_call_policies) return false;
  const AdapterAccess::Visit visit(orb.adapter_access());
  RequestHandler* const handler = visit.handler();
  if (!handler) return false;
  Remembered& known = remember(target, &plans, *handler, path.object_key);
  if (known.way != Collocation::Direct || orb.is_named(path.object_key)) return false;
  const marshal::Crossing* const crossing =
      unit ? marshal::crossing_of(*unit, op, plans) : marshal::known_crossing(plans);
  if (!crossing) return false;
  if (!known.direct) known.memo = {};
  known.direct = true;
  const Upcall upcall(&orb, Upcall::Direct());
  return handler->call_directly({path.object_key, plans, *crossing, frame, known.memo, known.again, *handler});
}

[[gnu::noinline]] void invoke_own_first(Reference& target, const Path& path, const marshal::Unit& unit,
                                        std::uint32_t op, const marshal::OperationPlans& plans, void* frame) {
  if (!call_noted(target, path, &unit, op, plans, frame)) invoke_by_message(target, plans, frame);
}

}  // namespace

void invoke_own_noted(Reference& target, const Path& path, const marshal::OperationPlans& plans, void* frame) {
  if (!call_noted(target, path, nullptr, 0, plans, frame)) invoke_by_message(target, plans, frame);
}

// Nothing is kept over a call here, so that no register has to be saved.
void invoke_own(Reference& target, const Path& path, const marshal::Unit& unit, std::uint32_t op,
                const marshal::OperationPlans& plans, void* frame) {
  const Remembered& known = place_of(target, &plans);
  const bool same = known.serial == target.serial() && known.identity == &plans;
  if (same && known.way != Collocation::Direct) return invoke_by_message(target, plans, frame);
  if (!same || !known.direct) [[unlikely]] return invoke_own_first(target, path, unit, op, plans, frame);
  if (!known.again || !target.orb().own_calls_are_alike() || t_call_policies) [[unlikely]]
    return invoke_own_noted(target, path, plans, frame);
  known.again(target, path, plans, frame, known.memo);
}

}  // namespace callis::orb
