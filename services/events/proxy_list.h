// SPDX-License-Identifier: Apache-2.0
// ProxyList: the proxies of one channel, plain or real-time: a bounded number, each an object of one adapter. Any
// thread. No proxy is ended, and none is destroyed, with the list's lock.
#pragma once
#include <callis/base/text.h>
#include <callis/portable_server.h>
#include <algorithm>
#include <chrono>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace callis::events {

// Proxy: has may_go(now), used() (the time of its last call) and end(Proxy::By::Channel).
template <class Proxy>
class ProxyList {
 public:
  using Servant = PortableServer::Servant_var<PortableServer::ServantBase>;
  // A proxy, and what keeps it alive.
  using Kept = std::pair<Proxy*, Servant>;

  // adapter: outlives the list. channel: its name, for people. most: proxies at once.
  ProxyList(PortableServer::POA_ptr adapter, std::string channel, std::size_t most)
      : adapter_(adapter), channel_(std::move(channel)), most_(most) {}
  ProxyList(const ProxyList&) = delete;
  ProxyList& operator=(const ProxyList&) = delete;

  // Activates the proxy whose servant make(Proxy*&) returns. If the list is full, the proxy that has rested longest
  // ends, among proxies that may go. Throws IMP_LIMIT if none may go; OBJECT_NOT_EXIST after end().
  template <class Make>
  CORBA::Object_var add(const Make& make);
  // Deactivates its object; nothing where it is not known any more.
  void forget(const Proxy& proxy);
  // Ends all of them. No other is added from now on.
  void end();

  // Those for which wanted(proxy) is true. It is asked with the list's lock, as the f of each().
  template <class Wanted>
  std::vector<Kept> those(const Wanted& wanted) const;
  template <class F>
  void each(const F& f) const;
  std::size_t size() const;

 private:
  struct Known {
    Proxy* proxy = nullptr;
    Servant servant{nullptr};
    PortableServer::ObjectId_var id;
  };
  void make_room();
  [[noreturn]] static void raise_destroyed() {
    throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "the event channel has been destroyed");
  }

  const PortableServer::POA_ptr adapter_;
  const std::string channel_;
  const std::size_t most_;
  std::mutex adding_;         // one proxy is made at a time
  mutable std::mutex mutex_;  // guards what follows
  std::vector<Known> all_;
  bool ended_ = false;
};

template <class Proxy>
template <class Make>
CORBA::Object_var ProxyList<Proxy>::add(const Make& make) {
  const std::lock_guard one(adding_);
  make_room();
  Known known;
  known.servant = make(known.proxy);
  known.id = adapter_->activate_object(known.servant.in());
  CORBA::Object_var out = adapter_->id_to_reference(known.id.in());
  {
    const std::lock_guard lock(mutex_);
    if (!ended_) {
      all_.push_back(std::move(known));
      return out;
    }
  }
  adapter_->deactivate_object(known.id.in());
  raise_destroyed();
}

template <class Proxy>
void ProxyList<Proxy>::make_room() {
  const auto now = std::chrono::steady_clock::now();
  Kept goes;
  {
    const std::lock_guard lock(mutex_);
    if (ended_) raise_destroyed();
    if (all_.size() < most_) return;
    const Known* longest = nullptr;
    for (const Known& k : all_)
      if (k.proxy->may_go(now) && (!longest || k.proxy->used() < longest->proxy->used())) longest = &k;
    if (!longest)
      throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                             concat({"event channel ", channel_, " has ", Decimal(all_.size()),
                                     " proxies that are in use, and may not have more"}));
    goes = {longest->proxy, longest->servant};
  }
  goes.first->end(Proxy::By::Channel);
}

template <class Proxy>
void ProxyList<Proxy>::forget(const Proxy& proxy) {
  Known known;
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(all_.begin(), all_.end(), [&](const Known& k) { return k.proxy == &proxy; });
    if (found == all_.end()) return;
    known = std::move(*found);
    if (&*found != &all_.back()) *found = std::move(all_.back());
    all_.pop_back();
  }
  try {
    adapter_->deactivate_object(known.id.in());
  } catch (const CORBA::Exception&) {  // the adapter has gone, and the object with it
  }
}

template <class Proxy>
void ProxyList<Proxy>::end() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  for (const Kept& kept : those([](const Proxy&) { return true; })) kept.first->end(Proxy::By::Channel);
}

template <class Proxy>
template <class Wanted>
std::vector<typename ProxyList<Proxy>::Kept> ProxyList<Proxy>::those(const Wanted& wanted) const {
  std::vector<Kept> found;
  const std::lock_guard lock(mutex_);
  for (const Known& k : all_)
    if (wanted(*k.proxy)) found.emplace_back(k.proxy, k.servant);
  return found;
}

template <class Proxy>
template <class F>
void ProxyList<Proxy>::each(const F& f) const {
  const std::lock_guard lock(mutex_);
  for (const Known& k : all_) f(*k.proxy);
}

template <class Proxy>
std::size_t ProxyList<Proxy>::size() const {
  const std::lock_guard lock(mutex_);
  return all_.size();
}

}  // namespace callis::events
