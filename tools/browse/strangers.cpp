// SPDX-License-Identifier: Apache-2.0
#include <sys/socket.h>
#include <tools/browse/strangers.h>
#include <algorithm>

namespace callis::tools {

void Strangers::come(const void* connection, int socket) {
  const std::lock_guard guard(mutex_);
  if (waiting_.size() >= kMostStrangers) {
    ::shutdown(waiting_.front().socket, SHUT_RDWR);
    waiting_.pop_front();
  }
  waiting_.push_back({connection, socket});
}

void Strangers::leave(const void* connection) {
  const std::lock_guard guard(mutex_);
  const auto found = std::find_if(waiting_.begin(), waiting_.end(),
                                  [&](const Stranger& s) { return s.connection == connection; });
  if (found != waiting_.end()) waiting_.erase(found);
}

}  // namespace callis::tools
