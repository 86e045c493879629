// SPDX-License-Identifier: Apache-2.0
// A TCP proxy in front of one endpoint. It loses answers on demand: the request has passed, and the client's
// connection ends before the answer comes.
#pragma once
#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace callis::services::testing {

class LossyProxy final {
 public:
  explicit LossyProxy(int to_port);
  ~LossyProxy();
  LossyProxy(const LossyProxy&) = delete;
  LossyProxy& operator=(const LossyProxy&) = delete;

  int port() const { return port_; }
  // Loses so many answers to requests with this path.
  void lose(const std::string& path, int answers);
  int lost() const { return lost_; }

 private:
  void accept_all();
  void serve(int client);
  bool shall_lose(const std::string& request);

  const int to_port_;
  int port_ = 0, listener_ = -1;
  std::mutex mutex_;
  std::string path_;
  int to_lose_ = 0;
  std::atomic<int> lost_{0};
  std::atomic<bool> stop_{false};
  std::vector<std::thread> threads_;
  std::thread acceptor_;
};

}  // namespace callis::services::testing
