// SPDX-License-Identifier: Apache-2.0
// Endpoint: one address that calls go to, with its idle connections.
//
// A call has a connection for itself: checkout() gives one, checkin() takes it back. Each thread finds the connection
// it used last in a place of its own (ConnectionPlace); other idle connections stand in a list behind a mutex. A
// connection whose last request was a oneway is kept for the thread that sent it, so that one thread's requests
// arrive in the order sent. The reservation lapses after kReservation.
//
// If connections are shared (Sharing), calls get lanes (shared_endpoint.h). checkout() and checkin() do not know
// lanes; find() and give_back() serve both.
#pragma once
#include <callis/base/result.h>
#include <callis/orb/base/orb_features.h>
#include <callis/orb/endpoint/client_connection.h>
#include <callis/orb/options/transport.h>
#include <array>
#include <atomic>
#include <mutex>
#include <vector>

namespace callis::orb {

// A number for the calling thread, from 1.
extern constinit thread_local std::uint32_t t_thread_number __attribute__((tls_model("initial-exec")));
std::uint32_t new_thread_number() noexcept;
inline std::uint32_t thread_number() noexcept {
  const std::uint32_t mine = t_thread_number;
  return mine != 0 ? mine : new_thread_number();
}

class IdleWatch;
class SharedEndpoint;
class SharedPool;

// The rules for sharing connections to one address.
struct Sharing {
  bool always = false;           // every call shares; otherwise only calls for which no connection is left
  std::uint32_t most = 0;        // most connections; 0: any number of unshared connections, or one shared connection
  std::chrono::microseconds spin{0};  // see Stream::set_spin()
};

// The properties that a connection's calls have in common. Calls of another identity use other connections.
struct EndpointIdentity {
  EndpointAddress address;
  // The code sets that the first request of a connection tells the server; both 0 if the server takes them for
  // granted.
  std::uint32_t char_code_set = 0, wchar_code_set = 0;

  // "tcp:10.1.2.3:4711", followed by the code sets if they are told.
  std::string text() const;
  bool same_code_sets(const EndpointIdentity& o) const {
    return char_code_set == o.char_code_set && wchar_code_set == o.wchar_code_set;
  }
};

class Endpoint final {
 public:
  // The limits must outlive the endpoint. fragment_bytes, flusher: see ClientConnection. watch looks after its idle
  // connections, and may be nullptr.
  Endpoint(EndpointIdentity identity, const Limits& limits, std::size_t fragment_bytes,
           OnewayFlusher* flusher = nullptr, const Sharing& sharing = {}, IdleWatch* watch = nullptr);
  ~Endpoint();
  Endpoint(const Endpoint&) = delete;
  Endpoint& operator=(const Endpoint&) = delete;

  const EndpointIdentity& identity() const { return identity_; }
  // EndpointIdentity::text(), for people and as a key.
  const std::string& name() const { return name_; }
  // Whether the endpoint is the caller's ORB itself.
  bool is_own() const { return own_; }
  void set_own() { own_ = true; }  // before others have it

  // Returns an idle connection that looks alive, or nullptr. It may have a place in the endpoint, which must outlive
  // that. now, here and below, is the time, and may be behind by a tick.
  std::unique_ptr<ClientConnection> checkout(TimePoint now) {
    const std::uint32_t me = thread_number();
    std::unique_ptr<ClientConnection> c;
    // A reserved connection that was pushed out of its thread's place may be ours.
    if (reserved_in_list_.load(std::memory_order_relaxed) == 0) [[likely]] {
      c.reset(places_[me % kPlaces].take());
      if (c && (c->reserved_for == 0 || c->reserved_for == me) && now - c->last_used <= kTrust) [[likely]] return c;
    }
    return checkout_slowly(std::move(c), now);
  }
  // The wishes of a call about its connection.
  struct Wish {
    bool fresh = false;  // newly opened
    bool alone = false;  // no other call is under way on it
  };
  // Returns an existing connection, idle or shared; nullptr if there is none.
  std::unique_ptr<ClientConnection> find(const Wish& wish, TimePoint now);
  // Opens a connection, or returns a lane.
  Result<std::unique_ptr<ClientConnection>> connect(const Wish& wish, TimePoint now, Deadline deadline);
  // Opens a stream for another user.
  Result<std::unique_ptr<transport::Stream>> open_stream(Deadline deadline) const;
  // Takes back the result of find() or connect(), as checkin() does.
  void give_back(std::unique_ptr<ClientConnection> c, TimePoint now);
  void checkin(std::unique_ptr<ClientConnection> c, TimePoint now) {
    if (!c->finish()) [[unlikely]] return;
    c->last_used = now;
    if (ConnectionPlace* const place = c->place()) [[likely]] place->put_back(c.release());
    else settle(std::move(c));
    // close_idle(true) has the other half, a barrier for all threads: either close_idle() finds the connection, or we
    // find the endpoint closed.
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (state_.load(std::memory_order_relaxed) != State::Open) [[unlikely]] checked_in_late();
  }
  // Closes connections that have been idle for long; the server has closed most of them, too.
  void close_old(TimePoint now);
  // Closes idle connections; with dead_only, just the connections that the server has closed. Returns their number.
  std::size_t close_unneeded(bool dead_only, TimePoint now);
  // Closes idle connections that the server has closed, or has said CloseConnection on.
  void close_ended();
  // Closes all idle connections; connections checked in later are closed too when `for_good`.
  void close_idle(bool for_good);
  std::size_t idle() const;
  // See EndpointDirectory's functions of the same names.
  CALLIS_OPTIONAL void lock_for_fork();
  CALLIS_OPTIONAL void unlock_after_fork();
  CALLIS_OPTIONAL void go_on_in_child();
  // nullptr if connections are never shared.
  SharedPool* shared() const;

 private:
  friend class SharedEndpoint;

  static constexpr std::size_t kPlaces = 8;  // by thread
  static constexpr Duration kReservation{10'000};
  static constexpr Duration kKeepIdle{60'000};
  static constexpr Duration kTrust{10};  // idle no longer than this: not looked at before use

  std::unique_ptr<ClientConnection> checkout_slowly(std::unique_ptr<ClientConnection> c, TimePoint now);
  void settle(std::unique_ptr<ClientConnection> c);
  void checked_in_late();
  // counted: kept as long as the connection.
  Result<std::unique_ptr<ClientConnection>> connect_exclusive(Deadline deadline,
                                                              std::shared_ptr<void> counted = nullptr);
  bool fit(ClientConnection& c, TimePoint now) const;
  std::unique_ptr<ClientConnection> take_any(TimePoint now);
  std::unique_ptr<ClientConnection> take_from_list_locked(TimePoint now);
  void put_in_list(std::unique_ptr<ClientConnection> c);
  void put_in_list_locked(std::unique_ptr<ClientConnection> c);
  struct Unneeded;
  std::size_t close(const Unneeded& unneeded);

  const EndpointIdentity identity_;
  const std::string name_;
  bool own_ = false;
  const Limits& limits_;
  const std::size_t fragment_bytes_;
  OnewayFlusher* const flusher_;
  IdleWatch* const watch_;
  std::array<ConnectionPlace, kPlaces> places_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<ClientConnection>> list_;
  std::atomic<std::uint32_t> reserved_in_list_{0};  // changed under mutex_
  // OpenWithBarrier: the system has no barrier for all threads, so that each thread makes its own.
  enum class State : std::uint8_t { Open, OpenWithBarrier, Closed };
  std::atomic<State> state_;
  const Sharing sharing_;
  const std::unique_ptr<SharedEndpoint> shared_;
};

}  // namespace callis::orb
