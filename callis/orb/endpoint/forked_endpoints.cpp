// SPDX-License-Identifier: Apache-2.0
// Endpoints and fork(): the locks around it, and the connections that a child lets go. Part of the feature forks.
#include <callis/orb/endpoint/endpoint_directory.h>
#include <callis/orb/endpoint/shared_endpoint.h>
#include <callis/orb/endpoint/shared_pool.h>
#include <unistd.h>
#include <utility>

CALLIS_PROVIDE(forked_endpoints);

namespace callis::orb {

// --- EndpointDirectory: in the order in which others lock them, too ---

void EndpointDirectory::lock_for_fork() {
  mutex_.lock();
  endpoints_.for_each([](const std::string&, const std::shared_ptr<Endpoint>& e) { e->lock_for_fork(); });
  if (watch_) watch_->lock_for_fork();
  if (flusher_) flusher_->lock_for_fork();
}

void EndpointDirectory::unlock_after_fork() {
  if (flusher_) flusher_->unlock_after_fork();
  if (watch_) watch_->unlock_after_fork();
  endpoints_.for_each([](const std::string&, const std::shared_ptr<Endpoint>& e) { e->unlock_after_fork(); });
  mutex_.unlock();
}

void EndpointDirectory::go_on_in_child() {
  if (flusher_) flusher_->go_on_in_child();
  if (watch_) watch_->go_on_in_child();
  endpoints_.for_each([](const std::string&, const std::shared_ptr<Endpoint>& e) { e->go_on_in_child(); });
  mutex_.unlock();
}

// --- Endpoint ---

void Endpoint::lock_for_fork() {
  mutex_.lock();
  if (SharedPool* const pool = shared()) pool->lock_for_fork();
}

void Endpoint::unlock_after_fork() {
  if (SharedPool* const pool = shared()) pool->unlock_after_fork();
  mutex_.unlock();
}

void Endpoint::go_on_in_child() {
  if (SharedPool* const pool = shared()) pool->go_on_in_child();
  for (ConnectionPlace& place : places_)
    if (ClientConnection* const c = place.empty_in_child()) list_.emplace_back(c);
  for (const auto& c : list_) c->drop_held();
  list_.clear();
  reserved_in_list_.store(0, std::memory_order_relaxed);
  mutex_.unlock();
}

// --- SharedPool ---

void SharedPool::lock_for_fork() { mutex_.lock(); }
void SharedPool::unlock_after_fork() { mutex_.unlock(); }

// Threads of the parent may wait inside the connections and for a place: the connections are never destroyed here.
void SharedPool::go_on_in_child() {
  auto& kept = *new std::vector<Shared>(std::move(beyond_));
  for (Place& p : places_) {
    if (p.connection) kept.push_back(std::move(p.connection));
    p.opening = false;
  }
  beyond_.clear();
  mutex_.unlock();
}

// --- OnewayFlusher ---

void OnewayFlusher::lock_for_fork() { mutex_.lock(); }
void OnewayFlusher::unlock_after_fork() { mutex_.unlock(); }

void OnewayFlusher::go_on_in_child() {
  thread_.forget();
  watched_.clear();
  mutex_.unlock();
}

// --- IdleWatch ---

void IdleWatch::lock_for_fork() { mutex_.lock(); }
void IdleWatch::unlock_after_fork() { mutex_.unlock(); }

// The next connection starts a thread.
void IdleWatch::go_on_in_child() {
  for (int* const descriptor : {&events_, &wake_})
    if (*descriptor >= 0) (void)::close(std::exchange(*descriptor, -1));
  thread_.forget();
  process_ = 0;
  waits_for_ever_ = false;
  of_.clear();
  unwatched_.clear();
  mutex_.unlock();
}

}  // namespace callis::orb
