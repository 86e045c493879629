// SPDX-License-Identifier: Apache-2.0
// The proxies of typed suppliers and consumers (Event Service 1.2, 2.5 to 2.8). To the channel they are as other
// proxies (services/events/proxy.h). Any thread.
#pragma once
#include <services/events/proxy.h>
#include <services/events/typed/interface.h>

namespace callis::events {

// The parts that typed proxies work with; they outlive the proxies.
struct TypedParts {
  PortableServer::POA_ptr objects;  // of typed interfaces: TRANSIENT, SYSTEM_ID, UNIQUE_ID, RETAIN
};

// Make servants, like new_proxy(). supported and used belong to the push model for push suppliers and consumers, else
// to the pull model. Proxies with a supported interface have an object of this interface.
PortableServer::ServantBase* new_typed_push_consumer(const std::shared_ptr<Channel>& channel, const TypedParts& parts,
                                                     std::shared_ptr<const TypedInterface> supported, Proxy*& proxy);
PortableServer::ServantBase* new_typed_pull_supplier(const std::shared_ptr<Channel>& channel, const TypedParts& parts,
                                                     std::shared_ptr<const TypedInterface> supported, Proxy*& proxy);
PortableServer::ServantBase* new_typed_push_supplier(const std::shared_ptr<Channel>& channel,
                                                     std::shared_ptr<const TypedInterface> used, Proxy*& proxy);
PortableServer::ServantBase* new_named_typed_push_supplier(const std::shared_ptr<Channel>& channel,
                                                           const std::string& name,
                                                           std::shared_ptr<const TypedInterface> used, Proxy*& proxy);
PortableServer::ServantBase* new_typed_pull_consumer(const std::shared_ptr<Channel>& channel,
                                                     std::shared_ptr<const TypedInterface> used, Proxy*& proxy);

}  // namespace callis::events
