// SPDX-License-Identifier: Apache-2.0
// Target: the servant that a request goes to, and its table.
#pragma once

namespace PortableServer::inline callis_orb {
class ServantBase;
}

namespace callis::poa {

struct Skeleton;

struct Target {
  PortableServer::ServantBase* servant;
  void* self;
  const Skeleton* skeleton;
};

}  // namespace callis::poa
