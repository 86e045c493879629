// SPDX-License-Identifier: Apache-2.0
// A client's ORB, which ends with the test.
#pragma once
#include <callis/orb/testing/scripted_peer.h>

namespace callis::orb::testing {

struct Client {
  Counted<Core> core;
  explicit Client(std::vector<std::string> args = {}) : core(make_core(std::move(args))) {}
  ~Client() { core->destroy(); }
  CORBA::Object_var object(const std::string& text) { return core->string_to_object(text.c_str()); }
  CORBA::Object_var object(const ior::Ior& ior) { return object(ior::to_text(ior)); }
};

// Calls the peer, which must make an E of it; returns that.
template <class E>
E failing_call(const ScriptedPeer& peer, Client& client) {
  return caught<E>([&] { echo(peer.object(*client.core), 1); });
}

}  // namespace callis::orb::testing
