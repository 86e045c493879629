// SPDX-License-Identifier: Apache-2.0
// Four writers in a process of their own (testing/writers_main.cpp), and what must be true of their store whenever
// the process, or a member of etcd, was killed.
//
// Writer T's transaction N puts T/a = N, T/b = N and T/log/N, and erases T/log/(N-8). It says "T N" when the store
// has acknowledged it.
#pragma once
#include <services/common/testing/reading.h>
#include <sys/types.h>
#include <array>

namespace callis::services::testing {

inline constexpr int kWriters = 4;
inline constexpr std::uint64_t kLogged = 8;

class Writers final {
 public:
  explicit Writers(const std::string& where);
  ~Writers();
  Writers(const Writers&) = delete;
  Writers& operator=(const Writers&) = delete;

  // Waits until so many further transactions were acknowledged, by all writers together. Returns false if the process
  // has ended.
  bool read_acknowledged(int count);
  // Without a word to it; then what it had said is read to the end.
  void kill();
  // The greatest acknowledged number of each.
  const std::array<std::uint64_t, kWriters>& acknowledged() const { return acknowledged_; }

 private:
  bool read_line();

  pid_t process_ = -1;
  int from_ = -1;
  std::string buffer_;
  std::array<std::uint64_t, kWriters> acknowledged_{};
};

// Empty: no acknowledged change is lost, and none is there by half. Otherwise what is wrong.
std::string fault_in(Store& store, const std::array<std::uint64_t, kWriters>& acknowledged);

// Returns how many kills to make: `few`, or the number in the environment's CALLIS_KILLS.
int kills(int few);

}  // namespace callis::services::testing
