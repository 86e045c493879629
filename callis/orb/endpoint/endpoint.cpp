// SPDX-License-Identifier: Apache-2.0
// The idle connections to one address: by thread, in a list, reserved for the calls behind a one-way call.
#include <callis/base/text.h>
#include <callis/orb/base/pins.h>
#include <callis/orb/diagnostics/logged_stream.h>
#include <callis/orb/endpoint/endpoint.h>
#include <callis/orb/endpoint/idle_watch.h>
#include <callis/orb/endpoint/shared_endpoint.h>

namespace callis::orb {

constinit thread_local std::uint32_t t_thread_number __attribute__((tls_model("initial-exec"))) = 0;

std::uint32_t new_thread_number() noexcept {
  static std::atomic<std::uint32_t> last{0};
  return t_thread_number = last.fetch_add(1, std::memory_order_relaxed) + 1;
}

std::string EndpointIdentity::text() const {
  if (char_code_set == 0 && wchar_code_set == 0) return address.text();
  return concat({address.text(), " ", Decimal(char_code_set), "/", Decimal(wchar_code_set)});
}

Endpoint::Endpoint(EndpointIdentity identity, const Limits& limits, std::size_t fragment_bytes,
                   OnewayFlusher* flusher, const Sharing& sharing, IdleWatch* watch)
    : identity_(std::move(identity)),
      name_(identity_.text()),
      limits_(limits),
      fragment_bytes_(fragment_bytes),
      flusher_(flusher),
      watch_(watch),
      state_(has_heavy_barrier() ? State::Open : State::OpenWithBarrier),
      sharing_(sharing),
      shared_(CALLIS_HAS(sharing) && (sharing.always || sharing.most != 0) ? SharedEndpoint::make(*this) : nullptr) {}

Endpoint::~Endpoint() { close_idle(true); }

SharedPool* Endpoint::shared() const { return shared_ ? &shared_->pool() : nullptr; }

Result<std::unique_ptr<transport::Stream>> Endpoint::open_stream(Deadline deadline) const {
  auto stream = identity_.address.transport->connect(identity_.address, deadline);
  if (stream) stream.value()->set_spin(sharing_.spin);
  if (stream && CALLIS_HAS(logged_stream)) log_stream(stream.value(), Opened::Here);
  return stream;
}

// A connection may go to another thread only when no oneway of its last user can still be under way.
bool Endpoint::fit(ClientConnection& c, TimePoint now) const {
  const bool mine = c.reserved_for == 0 || c.reserved_for == thread_number();
  return mine || now - c.last_used > kReservation;
}

void Endpoint::put_in_list(std::unique_ptr<ClientConnection> c) {
  std::lock_guard lock(mutex_);
  put_in_list_locked(std::move(c));
}

void Endpoint::put_in_list_locked(std::unique_ptr<ClientConnection> c) {
  reserved_in_list_.fetch_add(c->reserved_for != 0, std::memory_order_relaxed);
  list_.push_back(std::move(c));
}

// c: the connection from the thread's place, if that has been looked at.
std::unique_ptr<ClientConnection> Endpoint::checkout_slowly(std::unique_ptr<ClientConnection> c, TimePoint now) {
  if (c) c->leave_place();
  if (c && !fit(*c, now)) put_in_list(std::move(c));
  for (;; c.reset()) {  // closed by the server while idle: nothing was sent, so nothing is lost; the next one
    if (!c) c = take_any(now);
    if (!c || now - c->last_used <= kTrust || c->alive()) return c;
  }
}

// From the list, or from a place, the thread's own first. All with the mutex, so that none is overlooked that the
// watch looks at.
std::unique_ptr<ClientConnection> Endpoint::take_any(TimePoint now) {
  const std::lock_guard lock(mutex_);
  if (std::unique_ptr<ClientConnection> c = take_from_list_locked(now)) return c;
  for (std::size_t i = 0; i < kPlaces; ++i) {
    std::unique_ptr<ClientConnection> c(places_[(thread_number() + i) % kPlaces].take_away());
    if (c && fit(*c, now)) return c;
    if (c) put_in_list_locked(std::move(c));
  }
  return nullptr;
}

std::unique_ptr<ClientConnection> Endpoint::take_from_list_locked(TimePoint now) {
  const std::uint32_t me = thread_number();
  std::size_t found = list_.size();
  for (std::size_t i = list_.size(); i-- > 0;) {  // the one used last first
    if (list_[i]->reserved_for == me) {
      found = i;
      break;
    }
    if (found == list_.size() && fit(*list_[i], now)) found = i;
  }
  if (found == list_.size()) return nullptr;
  auto c = std::move(list_[found]);
  list_.erase(list_.begin() + static_cast<std::ptrdiff_t>(found));
  reserved_in_list_.fetch_sub(c->reserved_for != 0, std::memory_order_relaxed);
  return c;
}

std::unique_ptr<ClientConnection> Endpoint::find(const Wish& wish, TimePoint now) {
  if (shared_) return shared_->find(wish, now);
  if (wish.fresh) return nullptr;
  std::unique_ptr<ClientConnection> c = checkout(now);
  if (c) c->leave_place();  // the call may last longer than the endpoint
  return c;
}

Result<std::unique_ptr<ClientConnection>> Endpoint::connect(const Wish& wish, TimePoint now, Deadline deadline) {
  return shared_ ? shared_->connect(wish, now, deadline) : connect_exclusive(deadline);
}

void Endpoint::give_back(std::unique_ptr<ClientConnection> c, TimePoint now) {
  if (c->lane()) SharedConnection::give_back(std::move(c), now);
  else checkin(std::move(c), now);
}

Result<std::unique_ptr<ClientConnection>> Endpoint::connect_exclusive(Deadline deadline,
                                                                      std::shared_ptr<void> counted) {
  auto stream = open_stream(deadline);
  if (!stream) return stream.error();
  std::shared_ptr<void> watched;
  if (watch_) watched = watch_->add(*stream.value(), *this);
  auto c = std::make_unique<ClientConnection>(std::move(stream).value(), limits_, fragment_bytes_, 1, flusher_);
  if (watched) c->keep(std::move(watched));
  if (counted) c->keep(std::move(counted));
  return c;
}

// Finds room for a connection without a place: the thread's place, whose connection goes to the list then.
void Endpoint::settle(std::unique_ptr<ClientConnection> c) {
  ClientConnection* before = nullptr;
  if (places_[thread_number() % kPlaces].put(c.get(), before)) {
    (void)c.release();
    c.reset(before);
  }
  if (c) put_in_list(std::move(c));
}

[[gnu::cold]] void Endpoint::checked_in_late() {
  full_fence();
  if (state_.load(std::memory_order_seq_cst) == State::Closed) close_idle(false);
}

struct Endpoint::Unneeded {
  TimePoint used_before;
  bool dead_only;
  [[gnu::noinline]] bool operator()(ClientConnection& c) const {
    return c.last_used < used_before && !(dead_only && c.alive());
  }
};

void Endpoint::close_old(TimePoint now) {
  if (shared_) shared_->pool().close_unused(now - kKeepIdle);
  close({now - kKeepIdle, false});
}

std::size_t Endpoint::close_unneeded(bool dead_only, TimePoint now) {
  std::size_t closed = 0;
  if (shared_ && !dead_only) closed = shared_->pool().close_unused(now);
  return closed + close({TimePoint::max(), dead_only});
}

void Endpoint::close_ended() {
  if (shared_) shared_->pool().close_ended();
  close({TimePoint::max(), true});
}

// Connections that stay have the same place afterwards. A thread whose connection is being looked at finds its place
// kept, waits for the mutex, and finds the connection then.
std::size_t Endpoint::close(const Unneeded& unneeded) {
  std::size_t closed = 0;
  {
    const std::lock_guard lock(mutex_);
    for (ConnectionPlace& place : places_) {
      std::unique_ptr<ClientConnection> c(place.take());
      if (!c) continue;
      if (unneeded(*c)) ++closed;  // its destructor leaves the place
      else place.put_back(c.release());
    }
    for (auto c = list_.begin(); c != list_.end();) {
      if (!unneeded(**c)) {
        ++c;
        continue;
      }
      reserved_in_list_.fetch_sub((*c)->reserved_for != 0, std::memory_order_relaxed);
      c = list_.erase(c);
      ++closed;
    }
  }
  full_fence();
  if (state_.load(std::memory_order_seq_cst) == State::Closed) close_idle(false);  // closed in between
  return closed;
}

void Endpoint::close_idle(bool for_good) {
  if (for_good) {
    state_.store(State::Closed, std::memory_order_seq_cst);
    heavy_barrier();  // see checkin()
  }
  if (shared_) shared_->pool().close_all(for_good);
  for (ConnectionPlace& place : places_) delete place.take_away();
  std::lock_guard lock(mutex_);
  list_.clear();
  reserved_in_list_.store(0, std::memory_order_relaxed);
}

std::size_t Endpoint::idle() const {
  std::lock_guard lock(mutex_);
  std::size_t n = list_.size();
  for (const ConnectionPlace& place : places_) n += place.has_connection();
  return n;
}

}  // namespace callis::orb
