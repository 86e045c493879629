// SPDX-License-Identifier: Apache-2.0
// An InvocationObserver that logs, in front of the interceptors' observer if there is one.
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <callis/orb/client/client_interception.h>
#include <callis/orb/client/invocation.h>
#include <callis/orb/diagnostics/log_texts.h>
#include <array>
#include <atomic>

CALLIS_PROVIDE(call_log);

namespace callis::orb {
namespace {

class LogObserver final : public InvocationObserver {
 public:
  explicit LogObserver(std::unique_ptr<InvocationObserver> inner) : inner_(std::move(inner)) { contexts = own_; }

  void begins(Invocation& invocation) override {
    began_ = Clock::steady().now();
    what_ = concat({invocation.operation().name, "()"});
    if (!inner_) return;
    inner_->begins(invocation);
    contexts = inner_->contexts;
  }
  void goes(Reference& to, const Path& path) override {
    what_ = concat({what_, " of ", short_key(path.object_key), " at ", path.endpoint->name()});
    log(LogLevel::Debug, {"call ", what_});
    if (inner_) inner_->goes(to, path);
  }
  void came(const giop::ServiceContexts& list) override {
    if (inner_) inner_->came(list);
  }
  bool results(const cdr::Decoder& at) override { return !inner_ || inner_->results(at); }
  void ends(Invocation& invocation, End how, std::unique_ptr<CORBA::Exception>& exception) override {
    std::string outcome = how == End::Forwarded ? "forwarded"
                          : how == End::Again   ? "not processed, goes again"
                          : !exception          ? (invocation.expects_reply() ? "ok" : "sent, no reply is waited for")
                                                : outcome_of(*exception);
    log(LogLevel::Debug, {"answer to ", what_, ": ", outcome, ", ", time_since(began_)});
    if (inner_) inner_->ends(invocation, how, exception);
  }

 private:
  const std::unique_ptr<InvocationObserver> inner_;
  std::array<giop::ServiceContext, kOwnPlaces> own_;
  TimePoint began_{};
  std::string what_;
};

class LogInterception final : public ClientInterception {
 public:
  explicit LogInterception(ClientInterception* inner) : inner_(inner), next_(all.load(std::memory_order_relaxed)) {
    while (!all.compare_exchange_weak(next_, this, std::memory_order_acq_rel)) {
    }
  }
  std::unique_ptr<InvocationObserver> observe(Invocation& invocation) override {
    return std::make_unique<LogObserver>(inner_ ? inner_->observe(invocation) : nullptr);
  }

 private:
  static constinit std::atomic<LogInterception*> all;

  ClientInterception* const inner_;
  LogInterception* next_;
};
constinit std::atomic<LogInterception*> LogInterception::all{nullptr};

}  // namespace

ClientInterception* log_calls(ClientInterception* inner) { return new LogInterception(inner); }

}  // namespace callis::orb
