// SPDX-License-Identifier: Apache-2.0
// Proxies of named consumers of a durable channel: to their peers they are as other proxies (proxy.h). A name and
// what is kept for it outlive them.
#pragma once
#include <services/events/proxy.h>

namespace callis::events {

// kind: PushSupplier or PullSupplier. Otherwise like new_proxy().
PortableServer::ServantBase* new_named_proxy(ProxyKind kind, const std::shared_ptr<Channel>& channel,
                                             const std::string& name, Proxy*& proxy);
// The same, of kind PushSupplier, with calls that are made otherwise than of push().
PortableServer::ServantBase* new_named_push_supplier(const std::shared_ptr<Channel>& channel, const std::string& name,
                                                     MakeSink make, Proxy*& proxy);

}  // namespace callis::events
