// SPDX-License-Identifier: Apache-2.0
// The phase of an ORB, and its parts' shutdown.
#include <callis/base/blocking_scope.h>
#include <callis/base/peer_memory.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/base/pins.h>
#include <callis/orb/context/orb_context.h>
#include <callis/orb/context/upcall.h>

namespace callis::orb {

constinit thread_local Upcall* Upcall::innermost_ __attribute__((tls_model("initial-exec"))) = nullptr;

bool Upcall::inside(const OrbContext& orb) noexcept {
  for (const Upcall* u = innermost_; u; u = u->outer_)
    if (u->orb_ == &orb) return true;
  return false;
}

OrbContext::OrbContext(Options&& options) : options_(std::move(options)), upcalls_(limits().max_dispatches) {
  for (std::size_t i = 0; i < MessageSource::kKinds; ++i) sources_[i] = {this, static_cast<MessageSource::From>(i)};
  if (limits().max_memory_bytes != 0) PeerMemory::set_limit(limits().max_memory_bytes);
  prepare_pins();  // while the process has few threads: with many, the kernel takes 10 ms and more
}

OrbContext::~OrbContext() = default;

// An upcall that runs while the ORB stops may still call.
void OrbContext::check_stopping() const {
  const Phase p = phase_.load(std::memory_order_acquire);
  if (p == Phase::Running || (p == Phase::Stopping && Upcall::orb_of_upcall())) return;
  raise<CORBA::BAD_INV_ORDER>(omg(4), CORBA::COMPLETED_NO, "the ORB has been shut down");
}

bool OrbContext::find_named(ByteView key) {
  ior::Ior ignored;
  return named_.load(std::memory_order_acquire)->find(key, ignored);
}

bool OrbContext::wait_until(TimePoint when) {
  const BlockingScope blocked;
  std::unique_lock lock(phase_mutex_);
  const auto stopping = [this] { return phase_.load(std::memory_order_relaxed) != Phase::Running; };
  if (when != TimePoint::max()) return !phase_changed_.wait_until(lock, when, stopping);
  phase_changed_.wait(lock, stopping);
  return false;
}

void OrbContext::add(std::unique_ptr<OrbPart> part) {
  const std::lock_guard lock(phase_mutex_);
  part->next_ = std::move(parts_);
  parts_ = std::move(part);
}

void OrbContext::stop_parts() {
  OrbPart *from, *to;
  {
    const std::lock_guard lock(phase_mutex_);
    from = parts_.get();
    to = std::exchange(stopped_, from);
  }
  for (; from != to; from = from->next_.get()) from->stop();
}

void OrbContext::end_parts() {
  std::unique_ptr<OrbPart> parts;
  {
    const std::lock_guard lock(phase_mutex_);
    parts = std::move(parts_);
    stopped_ = nullptr;
  }
  for (OrbPart* p = parts.get(); p; p = p->next_.get()) p->end();
}

}  // namespace callis::orb
