// SPDX-License-Identifier: Apache-2.0
// Connections that have not come through the gate yet. Everybody on this machine can open some, and keep them by a
// byte now and then: only the latest few stay, so that there is always a place for the user's browser.
#pragma once
#include <cstddef>
#include <deque>
#include <mutex>

namespace callis::tools {

inline constexpr std::size_t kMostStrangers = 16;  // a browser opens a few before it needs them

// Any thread.
class Strangers {
 public:
  // A connection has been accepted. Shuts down the socket of the oldest where there are kMostStrangers already: its
  // reader then finds the end, and closes it.
  void come(const void* connection, int socket);
  // It has come through the gate, or is over. Its socket must stay open until this has been called; what is not known
  // here does not matter.
  void leave(const void* connection);

 private:
  struct Stranger {
    const void* connection;
    int socket;
  };
  std::mutex mutex_;
  std::deque<Stranger> waiting_;  // the oldest first
};

}  // namespace callis::tools
