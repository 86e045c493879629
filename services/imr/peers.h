// SPDX-License-Identifier: Apache-2.0
// Peers: calls from the repository to servers, by an ORB of its own with short limits.
#pragma once
#include <callis/orb/core/core.h>
#include <services/imr/record.h>

namespace callis::imr {

// Any thread.
class Peers final {
 public:
  Peers();
  ~Peers();

  // Whether the server with that CallisImr::Process is there. One that takes connections and does not answer within
  // a second is. Waits at most two seconds.
  bool answers(const ior::Ior& process);
  // Asks it to end. Returns false where it does not take that.
  bool shut_down(const ior::Ior& process);
  // Whether somebody listens there. Waits at most half a second for each address of the host.
  static bool listens(const HostPort& at);

 private:
  CORBA::Object_var object(const ior::Ior& process);
  const orb::Counted<orb::Core> client_;
};

}  // namespace callis::imr
