// SPDX-License-Identifier: Apache-2.0
// The idle connections to one address: by thread, in a list, reserved for what comes behind a one-way call.
#include <callis/base/text.h>
#include <callis/orb/endpoint/endpoint.h>
#include <callis/orb/endpoint/shared_pool.h>

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
                   OnewayFlusher* flusher, const Sharing& sharing)
    : identity_(std::move(identity)),
      name_(identity_.text()),
      limits_(limits),
      fragment_bytes_(fragment_bytes),
      flusher_(flusher),
      sharing_(sharing),
      shared_(CALLIS_HAS(sharing) && (sharing.always || sharing.most != 0) ? make_pool() : nullptr),
      exclusive_(shared_ ? std::make_shared<std::atomic<std::uint32_t>>(0) : nullptr) {}

Endpoint::~Endpoint() { close_idle(true); }

Result<std::unique_ptr<transport::Stream>> Endpoint::open_stream(Deadline deadline) const {
  auto stream = identity_.address.transport->connect(identity_.address, deadline);
  if (stream) stream.value()->set_spin(sharing_.spin);
  return stream;
}

// A connection may go to another thread only when no oneway of its last user can still be under way.
bool Endpoint::fit(ClientConnection& c, TimePoint now) const {
  const bool mine = c.reserved_for == 0 || c.reserved_for == thread_number();
  return mine || now - c.last_used > kReservation;
}

std::unique_ptr<ClientConnection> Endpoint::take_slot() {
  return std::unique_ptr<ClientConnection>(
      slots_[thread_number() % kSlots].exchange(nullptr, std::memory_order_acq_rel));
}

void Endpoint::put_in_list(std::unique_ptr<ClientConnection> c) {
  std::lock_guard lock(mutex_);
  if (c->reserved_for != 0) reserved_in_list_.fetch_add(1, std::memory_order_relaxed);
  list_.push_back(std::move(c));
}

// c: what was found in the slot, if it has been looked at.
std::unique_ptr<ClientConnection> Endpoint::checkout_slowly(std::unique_ptr<ClientConnection> c, TimePoint now) {
  for (;;) {
    if (c && !fit(*c, now)) put_in_list(std::move(c));
    if (!c) c = take_from_list(now);
    if (!c) c = take_slot();
    if (c && !fit(*c, now)) put_in_list(std::move(c));
    if (!c) c = take_from_slots(now);
    if (!c) return nullptr;
    if (now - c->last_used <= kTrust || c->alive()) return c;
    c.reset();  // closed by the server while idle: nothing was sent, so nothing is lost; the next one
    if (reserved_in_list_.load(std::memory_order_relaxed) == 0) c = take_slot();
  }
}

std::unique_ptr<ClientConnection> Endpoint::take_from_list(TimePoint now) {
  std::lock_guard lock(mutex_);
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
  if (c->reserved_for != 0) reserved_in_list_.fetch_sub(1, std::memory_order_relaxed);
  return c;
}

// The slots of the other threads, before another connection is opened.
std::unique_ptr<ClientConnection> Endpoint::take_from_slots(TimePoint now) {
  for (auto& slot : slots_) {
    std::unique_ptr<ClientConnection> c(slot.exchange(nullptr, std::memory_order_acq_rel));
    if (!c) continue;
    if (fit(*c, now)) return c;
    put_in_list(std::move(c));
  }
  return nullptr;
}

std::unique_ptr<ClientConnection> Endpoint::find(const Wish& wish, TimePoint now) {
  if (shared_) return find_shared(wish, now);
  return wish.fresh ? nullptr : checkout(now);
}

Result<std::unique_ptr<ClientConnection>> Endpoint::connect(const Wish& wish, TimePoint now, Deadline deadline) {
  return shared_ ? connect_shared(wish, now, deadline) : connect_exclusive(deadline);
}

void Endpoint::give_back(std::unique_ptr<ClientConnection> c, TimePoint now) {
  if (c->lane()) SharedConnection::give_back(std::move(c), now);
  else checkin(std::move(c), now);
}

Result<std::unique_ptr<ClientConnection>> Endpoint::connect_exclusive(Deadline deadline) {
  auto stream = open_stream(deadline);
  if (!stream) return stream.error();
  return std::make_unique<ClientConnection>(std::move(stream).value(), limits_, fragment_bytes_, 1, flusher_);
}

// before: what stood in the slot.
void Endpoint::checkin_slowly(ClientConnection* before) {
  if (before) put_in_list(std::unique_ptr<ClientConnection>(before));
  if (closed_.load(std::memory_order_acquire)) close_idle(false);  // closed in between
}

namespace {

// One type for both that close some, so that there is one erase_from_list().
struct Unneeded {
  TimePoint used_before;
  bool dead_only;
  bool operator()(ClientConnection& c) const { return c.last_used < used_before && !(dead_only && c.alive()); }
};

}  // namespace

void Endpoint::close_old(TimePoint now) {
  if (shared_) shared_->close_unused(now - kKeepIdle);
  put_all_in_list();
  erase_from_list(Unneeded{now - kKeepIdle, false});
}

std::size_t Endpoint::close_unneeded(bool dead_only, TimePoint now) {
  std::size_t closed = 0;
  if (shared_ && !dead_only) closed = shared_->close_unused(now);
  put_all_in_list();
  return closed + erase_from_list(Unneeded{TimePoint::max(), dead_only});
}

// A thread looks there, too.
void Endpoint::put_all_in_list() {
  for (auto& slot : slots_) {
    std::unique_ptr<ClientConnection> c(slot.exchange(nullptr, std::memory_order_acq_rel));
    if (c) put_in_list(std::move(c));
  }
}

template <class Predicate>
std::size_t Endpoint::erase_from_list(Predicate p) {
  std::lock_guard lock(mutex_);
  auto kept = list_.begin();
  for (auto& c : list_) {
    if (!p(*c)) {
      if (&c != &*kept) *kept = std::move(c);
      ++kept;
      continue;
    }
    if (c->reserved_for != 0) reserved_in_list_.fetch_sub(1, std::memory_order_relaxed);
    c.reset();
  }
  const auto erased = static_cast<std::size_t>(list_.end() - kept);
  list_.erase(kept, list_.end());
  return erased;
}

void Endpoint::close_idle(bool for_good) {
  if (for_good) closed_.store(true, std::memory_order_seq_cst);
  if (shared_) shared_->close_all(for_good);
  for (auto& slot : slots_) delete slot.exchange(nullptr, std::memory_order_seq_cst);
  std::lock_guard lock(mutex_);
  list_.clear();
  reserved_in_list_.store(0, std::memory_order_relaxed);
}

std::size_t Endpoint::idle() const {
  std::lock_guard lock(mutex_);
  std::size_t n = list_.size();
  for (const auto& slot : slots_) n += slot.load(std::memory_order_relaxed) != nullptr;
  return n;
}

}  // namespace callis::orb
