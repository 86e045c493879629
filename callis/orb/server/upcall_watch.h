// SPDX-License-Identifier: Apache-2.0
// UpcallWatch: a thread ("callis-watch") that looks at the upcalls of connections with a thread each, and has those
// that last handed over (running_upcall.h). It looks every 10 ms while there are upcalls, and sleeps when there have
// been none for 100 ms. Part of the feature pool.
#pragma once
#include <callis/base/bytes.h>
#include <callis/base/feature.h>
#include <callis/base/thread.h>
#include <callis/transport/transport.h>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>

CALLIS_FEATURE(upcall_watch);

namespace callis::orb {

class RunningUpcall;
class Server;
class ServerConnection;
struct Conversation;

class UpcallWatch final {
 public:
  // nullptr, and logged, when there is no thread for it.
  CALLIS_OPTIONAL static std::unique_ptr<UpcallWatch> create();
  // Nothing is watched any more.
  CALLIS_OPTIONAL ~UpcallWatch();
  UpcallWatch(const UpcallWatch&) = delete;
  UpcallWatch& operator=(const UpcallWatch&) = delete;

  CALLIS_OPTIONAL void add(RunningUpcall& upcall);
  CALLIS_OPTIONAL void remove(RunningUpcall& upcall);

  // True while the watch sleeps. A thread reads it after it has shown its upcall, and calls wake() when it is true.
  const std::atomic<bool>& sleeps() const { return sleeps_; }
  CALLIS_OPTIONAL void wake() noexcept;

 private:
  UpcallWatch() = default;
  void run();
  bool look();

  std::atomic<bool> sleeps_{false};
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  RunningUpcall* first_ = nullptr;
  bool ending_ = false;
  Thread thread_;
};

// The pool goes on with a connection whose thread is inside an upcall. stream: the server's, of that connection.
// rest: what has come behind the request. nullptr, with nothing taken, when the pool cannot. As
// Pool::take_in_upcall().
CALLIS_OPTIONAL ServerConnection* hand_over(Server& server, std::unique_ptr<transport::Stream>& stream,
                                            Conversation& conversation, ByteView rest) noexcept;

}  // namespace callis::orb
