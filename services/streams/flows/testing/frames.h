// SPDX-License-Identifier: Apache-2.0
// What receivers of tests have got.
#pragma once
#include <callis/base/testing/soon.h>
#include <services/streams/flows/frame.h>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace callis::streams::testing {

inline ByteView view(const std::string& s) { return {reinterpret_cast<const Byte*>(s.data()), s.size()}; }

using callis::testing::soon;

class Frames final : public FrameReceiver {
 public:
  void receive(const Frame& frame) override {
    const std::lock_guard lock(mutex_);
    all_.emplace_back(frame.data.begin(), frame.data.end());
    timestamps_.push_back(frame.timestamp);
    changed_.notify_all();
  }
  void ended(const char* why) override {
    const std::lock_guard lock(mutex_);
    ended_ = why;
    changed_.notify_all();
  }
  // Waits for so many frames. What there is then.
  std::vector<std::string> wait(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::seconds(20), [&] { return all_.size() >= count; });
    return all_;
  }
  // Waits for the end: why; empty: it has not come.
  std::string wait_for_end() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::seconds(20), [&] { return !ended_.empty(); });
    return ended_;
  }
  std::vector<std::uint32_t> timestamps() {
    const std::lock_guard lock(mutex_);
    return timestamps_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> all_;
  std::vector<std::uint32_t> timestamps_;
  std::string ended_;
};

}  // namespace callis::streams::testing
