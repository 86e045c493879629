// SPDX-License-Identifier: Apache-2.0
// Peers: calls from the repository to servers, by an ORB of its own with short limits.
#pragma once
#include <callis/orb/core/core.h>
#include <services/imr/record.h>

namespace callis::imr {

// An ORB that calls, and gives up after so long.
orb::Counted<orb::Core> make_client(Milliseconds limit);

// Any thread.
class Peers final {
 public:
  Peers();
  ~Peers();

  // Of a server that no connection could be made to within a second, though none was refused: it is too busy, or its
  // host is gone.
  enum class WhoIsLate : std::uint8_t { IsThere, IsNot };
  // Whether the server with that CallisImr::Process is there. One that takes connections and does not answer within
  // a second is. Waits at most two seconds.
  bool answers(const ior::Ior& process, WhoIsLate late);
  // The same, over a connection that is closed afterwards: the server counts those that it has.
  static bool answers_once(const ior::Ior& process, WhoIsLate late);
  // Asks it to end. Returns false where it does not take that.
  bool shut_down(const ior::Ior& process);
  // Whether a server answers there, whatever it says: a question about an object that it has not got. As answers().
  bool serves(const HostPort& at, WhoIsLate late);
  // Whether the server there has an object with that key. Any answer but OBJECT_NOT_EXIST says so.
  bool has(const HostPort& at, ByteView object_key);

 private:
  enum class Found { Nobody, Late, NoObject, Object };
  Found look(const HostPort& at, ByteView object_key);
  CORBA::Object_var object(const ior::Ior& process);
  const orb::Counted<orb::Core> client_;
};

}  // namespace callis::imr
