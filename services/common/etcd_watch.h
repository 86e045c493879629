// SPDX-License-Identifier: Apache-2.0
// The stream of an etcd's changes, read by a thread: whole revisions in order, over whichever endpoint there is.
#pragma once
#include <callis/base/thread.h>
#include <services/common/etcd_client.h>
#include <services/common/store.h>
#include <condition_variable>

namespace callis::services::etcd {

struct Watched {
  std::string all;   // the prefix of all keys of the store
  std::string data;  // that of its pairs, which it is told without
  std::string last;  // the key that every transaction puts
};

class Watch final {
 public:
  // etcd sends up to a thousand revisions at once to who is behind.
  static constexpr std::size_t kMostMessageBytes = 64u << 20, kMostMessageValues = 1'000'000;

  // Starts the thread. Throws StoreFailed if the system has none.
  Watch(Client& client, Watched what, Revision from, Watcher& watcher);
  // When it returns the watcher is not called any more.
  ~Watch();

 private:
  friend struct WatchCallbacks;
  void run();
  // One stream, until it ends.
  void stream(const std::string& endpoint);
  // Takes one message of the stream. Returns false to end the stream.
  bool take(std::string_view line);
  void tell(const Json& events);
  // After etcd has compacted what is missing.
  void start_anew();
  bool stopped();

  Client& client_;
  const Watched what_;
  Watcher& watcher_;
  Revision from_;
  bool connected_ = true, compacted_ = false, good_ = false;  // of the thread
  std::string buffer_;

  std::mutex mutex_;
  std::condition_variable changed_;
  bool stop_ = false;
  int socket_ = -1;  // of the stream: shut down from outside to end it
  Thread thread_;
};

}  // namespace callis::services::etcd
