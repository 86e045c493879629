// SPDX-License-Identifier: Apache-2.0
// BidirectionalGiop: bidirectional GIOP of one ORB, as calls and sessions know it (CORBA 3.3 part 2, 9.8 and 9.9):
// calls go over connections that the other side has opened. The side that opens a connection tells its listen points,
// so that it may be called over the connection.
//
// Only programs that can make a BidirectionalPolicy have the code behind it (bidirectional_of_orb.h). In other
// programs, and as long as nothing asks for it, OrbContext::bidirectional() is nullptr.
#pragma once
#include <callis/base/buffer.h>
#include <callis/base/bytes.h>
#include <callis/base/clock.h>
#include <callis/base/feature.h>
#include <callis/base/result.h>
#include <memory>

// This feature is the presence of bidirectional_of_orb.cpp, which callis/messaging brings.
CALLIS_FEATURE(bidirectional);

namespace callis::orb {

class ClientConnection;
class OrbContext;
class Endpoint;
class ServerConnection;

// The type of BiDirPolicy::BidirectionalPolicy, and its values.
inline constexpr std::uint32_t kBidirectionalPolicy = 37;
inline constexpr std::uint64_t kNormal = 0, kBoth = 1;

// Any thread may call any member.
class BidirectionalGiop {
 public:
  virtual ~BidirectionalGiop() = default;
  BidirectionalGiop(const BidirectionalGiop&) = delete;
  BidirectionalGiop& operator=(const BidirectionalGiop&) = delete;

  // Called if there is an adapter whose objects may be called over connections that this ORB opens. The ORB's calls
  // use bidirectional GIOP from now on, if no policy says otherwise.
  virtual void add_adapter() = 0;

  // --- Calls of GIOP 1.2 with the policy BOTH ---

  // A connection for a call to that endpoint; nullptr if there is none.
  virtual std::unique_ptr<ClientConnection> find(const Endpoint& to, TimePoint now) = 0;
  // Whether a connection opened to that endpoint is to be bidirectional.
  virtual bool offers(const Endpoint& to) = 0;
  // Opens a connection for a call, or waits for a connection that another thread opens meanwhile.
  virtual Result<std::unique_ptr<ClientConnection>> connect(const std::shared_ptr<Endpoint>& to, TimePoint now,
                                                            Deadline deadline) = 0;

  // --- Sessions ---

  // Takes the data of a BI_DIR_IIOP context that came on the connection, from outside. Called by the connection's
  // reader, before the upcall.
  virtual void offered(ServerConnection& connection, ByteView listen_points) noexcept = 0;

  // Called when the server has been told to stop. Connections end when the calls under way are over. May be called
  // again.
  virtual void stop() = 0;

  // --- The program ---

  using Maker = std::unique_ptr<BidirectionalGiop> (*)(OrbContext& orb);
  // Sets the function that makes a BidirectionalGiop. Called by the library that makes the policy.
  static void set_maker(Maker maker);
  static Maker maker();
  // Called when a policy BOTH has been made: ORBs take listen points from now on.
  static void want();
  static bool wanted();

 protected:
  BidirectionalGiop() = default;
};

// Returns the ORB's BidirectionalGiop, and makes it if need be. nullptr if the program has none. Defined only in
// programs that have bidirectional_of_orb.cpp.
CALLIS_OPTIONAL BidirectionalGiop* make_bidirectional(OrbContext& orb);

}  // namespace callis::orb
