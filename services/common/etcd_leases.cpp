// SPDX-License-Identifier: Apache-2.0
// A thread renews the leases three times in their life. A lease that has gone, since etcd could not be reached for so
// long, is granted anew, and the instance announced again.
#include <callis/base/log.h>
#include <services/common/etcd_leases.h>
#include <services/common/store_failed.h>
#include <cstring>

namespace callis::services::etcd {

Leases::Leases(Client& client, std::string instance_key, Duration deadline)
    : client_(client), instance_key_(std::move(instance_key)), deadline_(deadline) {}

Leases::~Leases() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_one();
  if (started_) thread_.join();
  for (const std::uint64_t lease : {instance_, traces_}) {
    if (lease == 0) continue;
    try {
      client_.ask("/v3/lease/revoke", {{"ID", std::to_string(lease)}}, Deadline::in(Duration(500)));
    } catch (const std::exception&) {  // it ends by itself
    }
  }
}

std::uint64_t Leases::grant(std::chrono::seconds life) {
  const Json answer = client_.ask("/v3/lease/grant", {{"TTL", life.count()}, {"ID", 0}}, Deadline::in(deadline_));
  const std::uint64_t id = number(answer, "ID");
  if (id == 0) throw StoreFailed(StoreFailed::Unknown, client_.name() + ": etcd has granted no lease");
  return id;
}

std::uint64_t Leases::traces() {
  std::unique_lock lock(mutex_);
  if (traces_ != 0) return traces_;
  lock.unlock();
  const std::uint64_t granted = grant(kTraceLife);
  lock.lock();
  if (traces_ == 0) traces_ = granted;  // of two that were granted at once one is left to end by itself
  start();
  return traces_;
}

void Leases::forget_traces(std::uint64_t lease) {
  const std::lock_guard lock(mutex_);
  if (traces_ == lease) traces_ = 0;
}

void Leases::put_instance(const std::string& text) {
  std::uint64_t lease = 0;
  {
    const std::lock_guard lock(mutex_);
    lease = instance_;
  }
  if (lease == 0) lease = grant(kInstanceLife);
  client_.ask("/v3/kv/put",
              {{"key", to_base64(instance_key_)}, {"value", to_base64(text)}, {"lease", std::to_string(lease)}},
              Deadline::in(deadline_));
  const std::lock_guard lock(mutex_);
  instance_ = lease;
  text_ = text;
  start();
}

void Leases::announce(const std::string& text) { put_instance(text); }

void Leases::start() {
  if (started_) return;
  const int error = thread_.start({"callis-leases"}, [this] { keep(); });
  if (error != 0)
    throw StoreFailed(StoreFailed::Unknown, client_.name() + ": no thread for leases: " + std::strerror(error));
  started_ = true;
}

int Leases::renew(std::uint64_t lease) {
  try {
    const Json answer =
        client_.ask("/v3/lease/keepalive", {{"ID", std::to_string(lease)}}, Deadline::in(kInstanceLife / 4));
    return answer.contains("result") && number(answer["result"], "TTL") > 0 ? 0 : 1;
  } catch (const std::exception& e) {
    log(LogLevel::Warning, {"a lease cannot be renewed: ", e.what()});
    return 2;
  }
}

void Leases::keep() {
  std::unique_lock lock(mutex_);
  for (unsigned round = 0; !stop_; ++round) {
    changed_.wait_for(lock, kInstanceLife / 3, [this] { return stop_; });
    if (stop_) return;
    const std::uint64_t instance = instance_, traces = round % 4 == 0 ? traces_ : 0;
    const std::string text = text_;
    lock.unlock();
    if (traces != 0 && renew(traces) == 1) forget_traces(traces);
    if (instance != 0 && renew(instance) == 1) {
      {
        const std::lock_guard again(mutex_);
        if (instance_ == instance) instance_ = 0;
      }
      log(LogLevel::Warning, {client_.name(), ": this instance was taken for dead, and is announced again"});
      try {
        put_instance(text);
      } catch (const std::exception& e) {
        log(LogLevel::Error, {"this instance cannot be announced: ", e.what()});
        const std::lock_guard again(mutex_);
        instance_ = instance;  // the next round tries again
      }
    }
    lock.lock();
  }
}

}  // namespace callis::services::etcd
