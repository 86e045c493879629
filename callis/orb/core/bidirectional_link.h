// SPDX-License-Identifier: Apache-2.0
// BidirectionalLink: a connection in use by bidirectional GIOP (CORBA 3.3 part 2, 9.8), whichever side has opened it.
// The pool serves it:
//
//   pool ─ ServerConnection ─┬─ requests ──→ the pool's upcalls
//                            └─ replies ──→ BidirectionalLink ──→ SharedConnection ──→ the calls that wait
//   calls ─ Lane ─ SharedConnection ─ stream of the link ──→ ServerConnection::send()
//
// So a worker of the pool reads, and lets go of the connection while an upcall runs; another worker reads the replies
// that the upcall waits for. The link holds itself until the connection has ended; any thread may hold it.
#pragma once
#include <callis/orb/endpoint/endpoint.h>
#include <callis/orb/endpoint/shared_connection.h>
#include <callis/orb/server/server_connection.h>
#include <mutex>
#include <string>

namespace callis::orb {

class BidirectionalLink final : public ServerConnection::ReplyReceiver,
                           private SharedConnection::Watcher,
                           public std::enable_shared_from_this<BidirectionalLink> {
 public:
  // The keeper of the links.
  class Keeper {
   public:
    virtual void ended(BidirectionalLink& link) noexcept = 0;
    // The same as those of SharedConnection::Watcher.
    virtual bool serve_until(const std::atomic<bool>& called, Deadline deadline) noexcept = 0;
    virtual void wake() noexcept = 0;

   protected:
    ~Keeper() = default;
  };
  // keeper outlives the link. peer and identity describe the connection, as in Stream.
  BidirectionalLink(Keeper& keeper, std::string peer, transport::Peer identity)
      : keeper_(keeper), peer_(std::move(peer)), identity_(std::move(identity)) {}

  // Called first; ServerConnection::go_bidirectional() and attach() follow. first_id: the id of the first request,
  // which depends on the side that has opened the connection. listen_points: see SharedConnection. Throws
  // std::bad_alloc.
  void prepare(const Limits& limits, std::size_t fragment_bytes, std::chrono::microseconds spin,
               std::uint32_t first_id, std::vector<Byte> listen_points);
  // Sets the connection to send on. Nothing is sent before.
  void attach(Counted<ServerConnection> connection);

  // Called instead if there is no connection.
  void give_up() noexcept;

  // The connection as calls see it; nullptr once it has ended.
  std::shared_ptr<SharedConnection> calls() const;
  const std::string& peer() const { return peer_; }
  const transport::Peer& peer_identity() const { return identity_; }
  // Called when the ORB is being shut down. The connection ends when the calls under way are over.
  void finish();

  // --- For the keeper, under its lock ---

  std::vector<std::string> points;  // texts of the addresses that are reached by it
  // Whether calls to such an endpoint may go over the link: only with the code sets of the first endpoint.
  bool fits(const EndpointIdentity& to);

 private:
  class Out;

  bool take(ServerConnection& connection, const giop::Message& message) noexcept override;
  void ended(ServerConnection& connection) noexcept override;
  void used() noexcept override;
  bool unused() noexcept override;
  bool serve_until(const std::atomic<bool>& called, Deadline deadline) noexcept override {
    return keeper_.serve_until(called, deadline);
  }
  void wake() noexcept override { keeper_.wake(); }
  void end(Fault why) noexcept;
  Counted<ServerConnection> connection() const;

  Keeper& keeper_;
  const std::string peer_;
  const transport::Peer identity_;
  std::optional<EndpointIdentity> first_;

  mutable std::mutex mutex_;  // guards what follows
  std::shared_ptr<BidirectionalLink> self_;
  std::shared_ptr<SharedConnection> calls_;
  Counted<ServerConnection> connection_;
  bool finishes_ = false;
};

}  // namespace callis::orb
