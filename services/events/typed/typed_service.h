// SPDX-License-Identifier: Apache-2.0
// TypedService: typed event channels (Event Service 1.2, 2.5 to 2.8). Each is a second face of a plain channel, and
// gives its suppliers and consumers admin objects that know types:
//
//   typed supplier ──operation of I──→ TypedObject ─┐                ┌→ Lane, TypedSink ──operation of I──→ consumer
//   typed supplier ←─try_pull_X()── Poll ───────────┴→ Channel's Hub ┴→ Mailboxes ←─pull_X()── consumer
//
// The hub passes an Any of CallisTypedEvents::Call, so consumers without types get typed events, too. Interfaces are
// found in an Interface Repository, each time that a proxy is obtained. Proxies share an interface as long as the
// repository describes it equally. Any thread may call.
#pragma once
#include <services/events/service.h>
#include <services/events/typed/typed_proxy.h>
#include "CosTypedEventChannelAdmin.h"

namespace callis::events {

class TypedService {
 public:
  // Makes adapter "TypedEvents" below the root. repository: a CORBA::Repository; nil: proxies for interfaces cannot
  // be obtained: INTF_REPOS. All that is passed outlives this.
  // called: the repository ids of the only interfaces that consumers and suppliers are called by; empty: any.
  TypedService(CORBA::ORB_ptr orb, PortableServer::POA_ptr root_poa, Service& plain, CORBA::Object_ptr repository,
               std::set<std::string> called = {});
  ~TypedService() { stop(); }
  TypedService(const TypedService&) = delete;
  TypedService& operator=(const TypedService&) = delete;

  // The typed face of a plain channel that there is, of key NAME/typed. Throws CannotMake.
  CosTypedEventChannelAdmin::TypedEventChannel_var make(const std::string& name);
  // Ends both faces. False: there was none.
  bool destroy(const std::string& name);
  // No object of this is called any more, and the keys are free. The plain channels are the plain service's.
  void stop();

 private:
  Service& plain_;
  const CORBA::Repository_var repository_;
  const std::set<std::string> called_;
  TypedInterfaces interfaces_;
  ChannelObjects objects_;
  std::mutex mutex_;  // guards what follows
  std::set<std::string> names_;
};

}  // namespace callis::events
