// SPDX-License-Identifier: Apache-2.0
// Which call is next.
#include <callis/orb/client/reference.h>
#include <callis/orb/endpoint/endpoint.h>
#include <services/trading/workers.h>
#include <algorithm>
#include <system_error>

namespace callis::trading {

void Workers::stop() {
  std::vector<std::thread> threads;
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    for (auto* s : waiting_) {
      s->second.queue.clear();
      s->second.is_waiting = false;
    }
    waiting_.clear();
    threads.swap(threads_);
    some_.notify_all();
    done_.notify_all();
  }
  for (std::thread& t : threads) t.join();
}

Workers::Server& Workers::server(const std::string& name) {
  const auto known = servers_.find(name);
  if (known != servers_.end()) return known->second;
  if (servers_.size() >= kMostServers) {
    const auto is_idle = [](const Servers::value_type& s) { return s.second.running == 0 && !s.second.is_waiting; };
    auto gone = std::find_if(servers_.begin(), servers_.end(), [&](const Servers::value_type& s) {
      return is_idle(s) && s.second.is == Class::New;
    });
    if (gone == servers_.end()) gone = std::find_if(servers_.begin(), servers_.end(), is_idle);
    if (gone != servers_.end()) servers_.erase(gone);
  }
  return servers_[name];
}

void Workers::run(std::vector<Task>&& tasks, const std::string& client, std::chrono::nanoseconds limit) {
  if (tasks.empty()) return;
  const auto batch = std::make_shared<Batch>();
  batch->left = tasks.size();
  batch->client = client;
  const auto now = std::chrono::steady_clock::now(), until = now + limit;
  std::unique_lock lock(mutex_);
  if (stop_) return;
  std::vector<Server*> asked;
  for (Task& t : tasks) {
    Server& s = server(t.server);
    if (now < s.rests_until) {
      --batch->left;
      continue;
    }
    if (s.queue.empty() || s.queue.back().batch != batch) {
      s.queue.push_back({batch, {}});
      asked.push_back(&s);
    }
    s.queue.back().calls.push_back(std::move(t.call));
    ++calls_waiting_;
    if (s.is_waiting) continue;
    s.is_waiting = true;
    waiting_.push_back(&*servers_.find(t.server));
  }
  while (threads_.size() < most_ && idle_ < calls_waiting_) {
    try {
      threads_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {  // the system has no more threads: the existing ones do the work
      break;
    }
    ++idle_;
  }
  some_.notify_all();
  done_.wait_until(lock, until, [&] { return batch->left == 0 || stop_; });
  batch->over = true;
  if (batch->left == 0) return;
  // A server that is waited for is not forgotten, and next() passes over those whose queues are empty.
  for (Server* s : asked) {
    s->queue.remove_if([&](const Waiting& w) {
      if (w.batch != batch) return false;
      calls_waiting_ -= w.calls.size();
      return true;
    });
  }
}

bool Workers::may_run(const Server& server) const {
  const std::size_t fresh = running_[1], hang = running_[2];
  switch (server.is) {
    case Class::Good: return server.running < part(2);
    case Class::New: return server.running < 2 && fresh + hang < part(2);
    default: return server.running < 1 && hang < part(1) && fresh + hang < part(2);
  }
}

bool Workers::may_run(const Batch& batch) const {
  const auto running = running_for_.find(batch.client);
  return running == running_for_.end() || running->second < part(3);
}

Workers::Next Workers::next() {
  Next out;
  for (auto i = waiting_.begin(); i != waiting_.end();) {
    Server& s = (*i)->second;
    if (s.queue.empty()) {
      s.is_waiting = false;
      i = waiting_.erase(i);
      continue;
    }
    auto of = s.queue.end();
    if (may_run(s))
      of = std::find_if(s.queue.begin(), s.queue.end(), [&](const Waiting& w) { return may_run(*w.batch); });
    if (of == s.queue.end()) {
      ++i;
      continue;
    }
    out.server = *i;
    out.batch = of->batch;
    out.call = std::move(of->calls.front());
    of->calls.pop_front();
    --calls_waiting_;
    if (of->calls.empty()) {
      s.queue.erase(of);
    } else {
      s.queue.splice(s.queue.end(), s.queue, of);
    }
    waiting_.splice(waiting_.end(), waiting_, i);
    return out;
  }
  return out;
}

void Workers::end(const Next& done, End how) {
  Server& s = done.server->second;
  --s.running;
  if (how == End::Answered) {
    s.is = Class::Good;
    s.rests_until = {};
  }
  if (how == End::Hung) {
    s.is = Class::Hangs;
    s.rests_until = std::chrono::steady_clock::now() + rest_;
  }
  if (--running_for_[done.batch->client] == 0) running_for_.erase(done.batch->client);
  if (--done.batch->left == 0) done_.notify_all();
}

void Workers::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    Next n;
    some_.wait(lock, [&] {
      if (stop_) return true;
      n = next();
      return n.server != nullptr;
    });
    if (stop_) return;
    --idle_;
    const auto is = static_cast<std::size_t>(n.server->second.is);
    ++n.server->second.running;
    ++running_[is];
    ++running_for_[n.batch->client];
    lock.unlock();
    const End how = n.call();
    n.call = nullptr;
    lock.lock();
    ++idle_;
    --running_[is];
    end(n, how);
    // Another call, which could not run beside this one, may run now; this thread takes the first.
    if (calls_waiting_ > 1) some_.notify_one();
  }
}

std::size_t Workers::threads() const {
  const std::lock_guard lock(mutex_);
  return threads_.size();
}

std::string server_of(CORBA::Object_ptr object) {
  const auto reference = CORBA::is_nil(object) ? nullptr : object->_callis_reference();
  const auto paths = reference ? reference->paths() : std::span<const orb::Path>();
  const bool here = paths.empty() || !paths[0].endpoint || paths[0].endpoint->is_own();
  return here ? std::string() : paths[0].endpoint->name();
}

}  // namespace callis::trading
