// SPDX-License-Identifier: Apache-2.0
// Link: the connection to NATS, which the library opens again by itself, and what is asked over it.
#pragma once
#include <services/events/durable/jetstream.h>
#include <services/events/durable/nats_library.h>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>

namespace callis::events {

class Link final : public std::enable_shared_from_this<Link> {
 public:
  // changed: called on a thread of the library's when the connection is there again; must not wait.
  static std::shared_ptr<Link> open(const JetStreamOptions& options, std::function<void()> changed);
  ~Link();
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  const NatsLibrary& nats() const { return nats_; }
  natsConnection* connection() const { return connection_; }
  jsCtx* js() const { return js_; }
  bool connected() const { return nats_.natsConnection_Status(connection_) == NATS_CONN_STATUS_CONNECTED; }
  // Waits until it is connected, or so long.
  void wait_connected(std::chrono::milliseconds longest);
  // No callback comes any more.
  void close();
  // "nats://a:4222, nats://b:4222", without passwords.
  const std::string& where() const { return where_; }

  // Asks until the answer is NATS_OK, or one of the server's that asking again does not change, or
  // JetStreamOptions::wait is over: throws JournalFailed. `ask` returns the status, and sets the code of an error of
  // JetStream's. Returns 0, or that code where it is `expected`.
  jsErrCode ask(const std::string& what, jsErrCode expected, const std::function<natsStatus(jsErrCode&)>& ask);
  // How long one attempt waits for its answer.
  std::chrono::milliseconds attempt() const;

  // "Timeout: ..." of the last call of this thread.
  std::string text_of(natsStatus status) const;

 private:
  struct Callbacks;
  Link(const JetStreamOptions& options, std::function<void()> changed);
  void connect();
  void came_back();

  const NatsLibrary& nats_;
  const JetStreamOptions options_;
  const std::function<void()> changed_;
  const std::string where_;
  std::atomic<bool> closing_{false};
  natsConnection* connection_ = nullptr;
  jsCtx* js_ = nullptr;
  std::mutex mutex_;
  std::condition_variable is_back_;
};

}  // namespace callis::events
