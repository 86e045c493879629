// SPDX-License-Identifier: Apache-2.0
// The watch over upcalls that last, and the handing over of their connections.
#include <callis/base/clock.h>
#include <callis/base/log.h>
#include <callis/base/result.h>
#include <callis/orb/server/pool.h>
#include <callis/orb/server/running_upcall.h>
#include <callis/orb/server/server.h>
#include <callis/orb/server/upcall_watch.h>

CALLIS_PROVIDE(upcall_watch);

namespace callis::orb {
namespace {

constexpr Duration kBetweenLooks{10};
constexpr int kQuietLooks = 10;  // before it sleeps
// An upcall has begun before the first look that sees it. Looks after that one, before its connection is handed over.
constexpr std::uint32_t kLooks = 1, kLooksAtOneway = 100;

}  // namespace

// --- The upcall ---

void RunningUpcall::show_to(Owner& owner, UpcallWatch& watch) {
  owner_ = &owner;
  watch_ = &watch;
  sleeps_ = &watch.sleeps();
  watch.add(*this);
}

bool RunningUpcall::is_handed_over() noexcept {
  const std::lock_guard lock(handing_over_);  // until it has been, or could not be
  return state_.exchange(kNone, std::memory_order_acquire) == kNone;
}

// Nothing when no upcall runs. The watch may find that the one it has seen has ended and another one begun: then that
// one's connection is handed over, early.
void RunningUpcall::hand_over() noexcept {
  const std::lock_guard lock(handing_over_);
  if (refused_) return;
  const std::uint32_t state = state_.exchange(kNone, std::memory_order_acq_rel);
  if (state == kNone || owner_->hand_over(behind_)) return;
  refused_ = true;
  state_.store(state, std::memory_order_release);
}

bool RunningUpcall::look() noexcept {
  std::uint32_t state = state_.load(std::memory_order_seq_cst);
  if (state == kNone) return false;
  if ((state & kSeen) == 0) {
    looks_ = 0;
    looks_wanted_ = (state & kAnswered) != 0 ? kLooks : kLooksAtOneway;
    (void)state_.compare_exchange_strong(state, state | kSeen, std::memory_order_relaxed);
  } else if (++looks_ == looks_wanted_) {
    hand_over();
  }
  return true;
}

// --- The watch ---

std::unique_ptr<UpcallWatch> UpcallWatch::create() {
  std::unique_ptr<UpcallWatch> watch(new UpcallWatch());
  UpcallWatch* const w = watch.get();
  const int error = w->thread_.start({"callis-watch"}, [w] { w->run(); });
  if (error == 0) return watch;
  log_failed("no thread to watch upcalls", error);
  return nullptr;
}

UpcallWatch::~UpcallWatch() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void UpcallWatch::add(RunningUpcall& upcall) {
  const std::lock_guard lock(mutex_);
  upcall.next_ = first_;
  if (first_) first_->previous_ = &upcall;
  first_ = &upcall;
}

void UpcallWatch::remove(RunningUpcall& upcall) {
  const std::lock_guard lock(mutex_);
  (upcall.previous_ ? upcall.previous_->next_ : first_) = upcall.next_;
  if (upcall.next_) upcall.next_->previous_ = upcall.previous_;
}

void UpcallWatch::wake() noexcept {
  if (!sleeps_.exchange(false, std::memory_order_seq_cst)) return;
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
}

// With the mutex.
bool UpcallWatch::look() {
  bool any = false;
  for (RunningUpcall* u = first_; u; u = u->next_) any |= u->look();
  return any;
}

void UpcallWatch::run() {
  std::unique_lock lock(mutex_);
  for (int quiet = 0; !ending_;) {
    quiet = look() ? 0 : quiet + 1;
    if (quiet < kQuietLooks) {
      changed_.wait_for(lock, kBetweenLooks, [this] { return ending_; });
      continue;
    }
    // Whoever shows an upcall asks afterwards whether the watch sleeps: one of the two sees the other.
    sleeps_.store(true, std::memory_order_seq_cst);
    quiet = 0;
    if (look()) sleeps_.store(false, std::memory_order_seq_cst);
    else changed_.wait(lock, [this] { return ending_ || !sleeps_.load(std::memory_order_relaxed); });
  }
}

// --- Handing over ---

ServerConnection* hand_over(Server& server, std::unique_ptr<transport::Stream>& stream, Conversation& conversation,
                            ByteView rest) noexcept {
  Pool* pool = nullptr;
  try {
    pool = server.pool();
  } catch (const std::bad_alloc&) {}
  if (!pool) return nullptr;
  std::unique_ptr<transport::Stream> taken = server.take(stream);
  if (!taken) return nullptr;
  if (ServerConnection* const c = pool->take_in_upcall(taken, conversation, rest)) return c;
  server.give_back(stream, std::move(taken));
  return nullptr;
}

}  // namespace callis::orb
