// SPDX-License-Identifier: Apache-2.0
// The choice among the shared connections to one address for a call, and the opening of another.
#include <callis/orb/endpoint/endpoint.h>
#include <callis/orb/endpoint/shared_pool.h>
#include <algorithm>

namespace callis::orb {

SharedPool::SharedPool(std::size_t most, Opener opener) : opener_(std::move(opener)), places_(most) {}

SharedPool::~SharedPool() = default;

// The calling thread's.
SharedPool::Place& SharedPool::place() { return places_[thread_number() % places_.size()]; }

SharedPool::Shared SharedPool::at(const Place& p) const {
  std::lock_guard lock(mutex_);
  return p.connection;
}

// No call can begin there any more.
void SharedPool::forget(Place& p, const Shared& connection) {
  std::lock_guard lock(mutex_);
  if (p.connection == connection) p.connection.reset();
}

SharedPool::Connection SharedPool::find(bool alone, TimePoint now) {
  if (!alone) {
    Place& p = place();
    const Shared connection = at(p);
    Connection c = connection ? connection->take(false, now) : nullptr;
    if (connection && !c) forget(p, connection);
    return c;
  }
  for (const Shared& s : connections())
    if (Connection c = s->take(true, now)) return c;
  return nullptr;
}

Result<SharedPool::Connection> SharedPool::open(bool alone, TimePoint now, Deadline deadline) {
  if (alone) return open_alone(now, deadline);
  Place& p = place();
  std::unique_lock lock(mutex_);
  for (const std::uint64_t before = p.failures;;) {
    if (const Shared s = p.connection) {
      lock.unlock();
      if (Connection c = s->take(false, now)) return c;
      lock.lock();
      if (p.connection == s) p.connection.reset();
      continue;
    }
    if (p.failures != before && failed_for_all(p, deadline)) return Error(p.failure);
    if (!p.opening) break;
    if (deadline.is_never()) opened_.wait(lock);
    else if (opened_.wait_until(lock, deadline.time()) == std::cv_status::timeout && p.opening)
      return Error{Fault::ConnectTimeout, 0, "another thread has not connected yet"};
  }
  p.opening = true;
  struct Opening {  // ends with the lock held, even if the opener throws
    SharedPool& pool;
    Place& place;
    std::unique_lock<std::mutex>& lock;
    ~Opening() {
      if (!lock.owns_lock()) lock.lock();
      place.opening = false;
      pool.opened_.notify_all();
    }
  } opening{*this, p, lock};
  lock.unlock();
  Result<Shared> made{Error{Fault::OutOfMemory, 0, {}}};
  Connection c;
  try {
    made = opener_(deadline);
    if (made) c = made.value()->take(false, now);
  } catch (const std::bad_alloc&) {
  } catch (const std::exception& e) {  // no thread to read, or another need of the opener failed
    made = Error{Fault::TransportFailed, 0, e.what()};
  }
  lock.lock();
  if (!made) {
    ++p.failures;
    p.failure = made.error();
  } else if (!closed_) {
    p.connection = made.value();
  }
  if (!made) return made.error();
  if (!c) return Error{Fault::ConnectRefused, 0, "closed at once"};
  return c;
}

// Not only for the thread that tried, whose time may have been up before that of the others.
bool SharedPool::failed_for_all(const Place& p, Deadline deadline) const {
  const bool timed_out = p.failure.fault == Fault::ConnectTimeout || p.failure.fault == Fault::DeadlinePassed;
  return !timed_out || deadline.passed();
}

Result<SharedPool::Connection> SharedPool::open_alone(TimePoint now, Deadline deadline) {
  Result<Shared> made = opener_(deadline);
  if (!made) return made.error();
  Connection c = made.value()->take(true, now);
  if (!c) return Error{Fault::ConnectRefused, 0, "closed at once"};
  std::lock_guard lock(mutex_);
  std::erase_if(beyond_, [](const Shared& s) { return s->over(); });
  if (!closed_) beyond_.push_back(std::move(made).value());
  return c;
}

std::size_t SharedPool::close_unused(TimePoint since) {
  std::vector<Shared> closed;  // outside the lock
  std::lock_guard lock(mutex_);
  for (Place& p : places_)
    if (p.connection && p.connection->unused_since(since)) closed.push_back(std::move(p.connection));
  std::erase_if(beyond_, [&](Shared& s) {
    if (!s->over() && !s->unused_since(since)) return false;
    closed.push_back(std::move(s));
    return true;
  });
  return closed.size();
}

void SharedPool::close_ended() {
  std::vector<Shared> ended = connections();
  std::erase_if(ended, [](const Shared& s) { return !s->over_by_now(); });
  const std::lock_guard lock(mutex_);
  const auto has_ended = [&](const Shared& s) { return s && std::ranges::find(ended, s) != ended.end(); };
  for (Place& p : places_)
    if (has_ended(p.connection)) p.connection.reset();
  std::erase_if(beyond_, has_ended);
}

void SharedPool::close_all(bool for_good) {
  std::vector<Shared> closed;
  std::lock_guard lock(mutex_);
  closed_ |= for_good;
  for (Place& p : places_) closed.push_back(std::move(p.connection));
  closed.insert(closed.end(), beyond_.begin(), beyond_.end());
  beyond_.clear();
}

std::vector<SharedPool::Shared> SharedPool::connections() const {
  std::lock_guard lock(mutex_);
  std::vector<Shared> all = beyond_;
  for (const Place& p : places_)
    if (p.connection) all.push_back(p.connection);
  return all;
}

}  // namespace callis::orb
