// SPDX-License-Identifier: Apache-2.0
#include <callis/rt/lanes/lane_growth.h>

namespace callis::rt {

LaneGrowth::LaneGrowth(std::uint32_t now, std::uint32_t most, std::function<bool()> make)
    : most_(most), make_(std::move(make)), threads_(now), ended_(now >= most) {
  (void)::sem_init(&wanted_, 0, 0);  // fails for values above SEM_VALUE_MAX alone
}

LaneGrowth::~LaneGrowth() {
  stop();
  wait();
  (void)::sem_destroy(&wanted_);
}

int LaneGrowth::start(const pthread_attr_t* attributes) {
  if (ended_.load(std::memory_order_seq_cst)) return 0;
  return thread_.start({"callis-grow", false, attributes}, [this] { run(); });
}

// The look at woken_ is not to be taken before the caller's change of busy_: run() looks the other way round.
void LaneGrowth::wake() noexcept {
  if (ended_.load(std::memory_order_seq_cst) || woken_.exchange(true, std::memory_order_seq_cst)) return;
  (void)::sem_post(&wanted_);
}

bool LaneGrowth::is_wanted() const noexcept {
  return busy_.load(std::memory_order_seq_cst) >= threads() && !ended_.load(std::memory_order_seq_cst);
}

void LaneGrowth::run() {
  while (!ended_.load(std::memory_order_seq_cst)) {
    woken_.store(false, std::memory_order_seq_cst);
    while (is_wanted()) {
      if (make_()) threads_.fetch_add(1, std::memory_order_seq_cst);
      else ended_.store(true, std::memory_order_seq_cst);
      if (threads() >= most_) ended_.store(true, std::memory_order_seq_cst);
    }
    if (ended_.load(std::memory_order_seq_cst)) return;
    while (::sem_wait(&wanted_) != 0) {}  // a signal came
  }
}

void LaneGrowth::stop() noexcept {
  ended_.store(true, std::memory_order_seq_cst);
  (void)::sem_post(&wanted_);
}

void LaneGrowth::wait() noexcept {
  if (thread_.joinable()) thread_.join();
}

}  // namespace callis::rt
