// SPDX-License-Identifier: Apache-2.0
// The servants of the corpus, in each stub style: Values gets its arguments as `in`, Keepers as `inout`.
#pragma once
#include <callis/classic/classic.h>
#include <callis/poa/servant/servant.h>
#include <functional>

namespace differential {

PortableServer::ServantBase& interpreted_servant(bool keeper);
PortableServer::ServantBase& compiled_servant(bool keeper);

// Called by the servants with the address of the argument: memory as callis/marshal/memory.h describes it.
void see(const void* value);
// Who looks.
std::function<void(const void*)>& watcher();

}  // namespace differential
