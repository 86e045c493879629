// SPDX-License-Identifier: Apache-2.0
// What the server saw: upcalls counted, wrong arguments noted. Shared by all servants; any thread.
#pragma once
#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace interop {

class Journal {
 public:
  void upcall() { ++upcalls_; }
  std::uint32_t upcalls() const { return upcalls_; }

  // Keeps the first hundred failures.
  void expect(bool good, const char* operation, const std::string& what) {
    if (good) return;
    const std::lock_guard lock(mutex_);
    if (failures_.size() < 100) failures_.push_back(std::string("server: ") + operation + ": " + what);
  }
  std::vector<std::string> failures() const {
    const std::lock_guard lock(mutex_);
    return failures_;
  }

 private:
  std::atomic<std::uint32_t> upcalls_{0};
  mutable std::mutex mutex_;
  std::vector<std::string> failures_;
};

}  // namespace interop
