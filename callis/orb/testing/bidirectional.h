// SPDX-License-Identifier: Apache-2.0
// ORBs that call each other over one connection: no two of them could, but for bidirectional GIOP, since what the
// client publishes cannot be connected to.
#pragma once
#include <callis/orb/client/call_terms.h>
#include <callis/orb/client/read_policies.h>
#include <callis/orb/core/bidirectional_of_orb.h>
#include <callis/orb/testing/model_server.h>

namespace callis::orb::testing {

// Nobody listens there, and nobody without privileges can.
inline constexpr const char* kNowhere = "127.0.0.1:1";

inline bool allow_bidirectional() {
  BidirectionalGiop::set_maker(&new_bidirectional);
  return true;
}

// Serves the echo object, also over connections that it opens.
class CalledBack : public ModelServer {
 public:
  explicit CalledBack(const std::string& model = "connection", const std::function<void(Options&)>& tune = {},
                      const char* published = kNowhere)
      : ModelServer(model, [&](Options& o) {
          allow_bidirectional();
          if (published)
            o.endpoints.at(0).publish.push_back({"127.0.0.1", static_cast<std::uint16_t>(std::atoi(published + 10))});
          if (tune) tune(o);
        }) {
    make_bidirectional(*core)->add_adapter();
  }
};

// For all calls of an ORB from now on; nothing: as they were.
inline void set_policies(Core& core, CallPolicy policy = {}, std::chrono::milliseconds time = {}) {
  CallTerms::set_reader(&read_policies);
  CallPolicies p;
  if (time.count() != 0) p.set(policy, static_cast<std::uint64_t>(time.count()) * 10'000);
  core.set_policies(p);
}

// Takes and uses what clients offer.
class CallsBack : public ModelServer {
 public:
  explicit CallsBack(const std::string& model = "connection", const std::function<void(Options&)>& tune = {})
      : ModelServer(model, [&](Options& o) {
          allow_bidirectional();
          o.bidirectional = Bidirectional::Both;
          if (tune) tune(o);
        }) {}
};

// The object of one as the other one sees it.
inline CORBA::Object_var object_of(EchoServer& server, EchoServer& seen_by) {
  return server.object_for(*seen_by.core);
}

}  // namespace callis::orb::testing
