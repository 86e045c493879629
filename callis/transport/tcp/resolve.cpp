// SPDX-License-Identifier: Apache-2.0
// Names of hosts to addresses, within a deadline.
#include <callis/base/text.h>
#include <callis/base/thread.h>
#include <callis/transport/tcp/socket.h>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <new>

namespace callis::transport::tcp {

constinit std::atomic<LookUp> look_up{&::getaddrinfo};

namespace {

// The thread that looks up and the one that waits for it share this; who leaves it last deletes it.
struct Lookup {
  const std::string host, service;
  const addrinfo hints;
  std::mutex mutex;  // guards what follows
  std::condition_variable ended;
  AddressList list;
  int outcome = 0, os_error = 0;
  bool over = false, left = false;
};

constinit std::atomic<unsigned> under_way{0};

void run(Lookup& l) {
  AddressList list;
  const int outcome =
      look_up.load(std::memory_order_relaxed)(l.host.c_str(), l.service.c_str(), &l.hints, &list.first);
  const int os_error = errno;
  if (outcome != 0) list.first = nullptr;
  under_way.fetch_sub(1, std::memory_order_relaxed);
  std::unique_lock lock(l.mutex);
  l.outcome = outcome;
  l.os_error = os_error;
  std::swap(l.list.first, list.first);
  l.over = true;
  if (!l.left) return l.ended.notify_one();
  lock.unlock();
  delete &l;
}

Error failed(const std::string& host, std::string_view why, int os_error = 0, Fault fault = Fault::ResolveFailed) {
  return {fault, os_error, concat({"cannot resolve \"", host, "\": ", why})};
}

}  // namespace

Result<AddressList> resolve(const std::string& host, std::uint16_t port, int flags, Deadline deadline) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags | AI_NUMERICSERV | AI_NUMERICHOST;
  const std::string service = concat({Decimal(port)});
  AddressList list;
  const int numeric = ::getaddrinfo(host.empty() ? nullptr : host.c_str(), service.c_str(), &hints, &list.first);
  if (numeric == 0) return list;
  list.first = nullptr;
  if (numeric != EAI_NONAME || host.empty())
    return failed(host, ::gai_strerror(numeric), numeric == EAI_SYSTEM ? errno : 0);

  hints.ai_flags &= ~AI_NUMERICHOST;
  if (under_way.fetch_add(1, std::memory_order_relaxed) >= kMostLookups) {
    under_way.fetch_sub(1, std::memory_order_relaxed);
    return failed(host, "too many names are being looked up");
  }
  auto* const l = new (std::nothrow) Lookup{host, service, hints, {}, {}, {}};
  if (!l) {
    under_way.fetch_sub(1, std::memory_order_relaxed);
    return failed(host, "no memory", 0, Fault::OutOfMemory);
  }
  if (Thread thread; deadline.is_never() || thread.start({"callis-lookup", true}, [l] { run(*l); }) != 0) run(*l);
  std::unique_lock lock(l->mutex);
  if (!deadline.is_never()) l->ended.wait_until(lock, deadline.time(), [l] { return l->over; });
  if (!l->over) {
    l->left = true;
    return failed(host, "no answer in time", 0, Fault::ConnectTimeout);
  }
  const int outcome = l->outcome, os_error = l->os_error;
  std::swap(list.first, l->list.first);
  lock.unlock();
  delete l;
  if (outcome == 0) return list;
  return failed(host, ::gai_strerror(outcome), outcome == EAI_SYSTEM ? os_error : 0);
}

}  // namespace callis::transport::tcp
