// SPDX-License-Identifier: Apache-2.0
// Leases of one process: etcd erases their keys when the process has died, or does not reach etcd any more.
#pragma once
#include <callis/base/thread.h>
#include <services/common/etcd_client.h>
#include <services/common/store.h>
#include <condition_variable>

namespace callis::services::etcd {

class Leases final {
 public:
  // How long the traces of commits stay, for a lost answer to be found out. It is longer than any commit takes.
  static constexpr std::chrono::seconds kTraceLife{120};

  // instance_key: where announce() puts its text.
  Leases(Client& client, std::string instance_key, Duration deadline);
  // Gives the leases back, if etcd can be reached at once.
  ~Leases();

  // Returns the lease of traces, which is granted at the first call. Throws StoreFailed.
  std::uint64_t traces();
  // The lease has gone. The next call of traces() asks for another.
  void forget_traces(std::uint64_t lease);
  void announce(const std::string& text);

 private:
  std::uint64_t grant(std::chrono::seconds life);
  void put_instance(const std::string& text);
  void start();  // the thread, with the lock held
  void keep();
  // 0: it is there; 1: it has gone; 2: nobody knows.
  int renew(std::uint64_t lease);

  Client& client_;
  const std::string instance_key_;
  const Duration deadline_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t traces_ = 0, instance_ = 0;
  std::string text_;
  bool started_ = false, stop_ = false;
  Thread thread_;
};

}  // namespace callis::services::etcd
