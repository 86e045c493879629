// SPDX-License-Identifier: Apache-2.0
// The serving side: one listening socket, its connections, and the root adapter. All are served by the process's one
// thread (loop.h), one message of each connection at a time.
//
// No connection holds up another one: nothing is sent or received that would wait. A reply that its client does not
// take in stays with the connection, from which nothing is read meanwhile. Limits bound connections, sizes, and the
// times in which a message comes and a reply goes.
#pragma once
#include <callis/micro/adapter.h>
#include <callis/micro/loop.h>
#include <callis/micro/orb.h>

namespace callis::micro {

class Server final : public Serving {
 public:
  // Throws INITIALIZE if the ORB cannot listen at its endpoint.
  explicit Server(Orb& orb);
  ~Server() override;

  CORBA::Object_ptr root() override { return PortableServer::POA::_duplicate(adapter_.in()); }
  bool is_at(const ior::Address& address) const override { return !stopped_ && address == published_; }
  void answer(ByteView message, Buffer& out) noexcept override;
  void stop() noexcept override;

  CORBA::Object_ptr make_reference(const char* repository_id, ByteView key);

 private:
  class Connection;
  class Listener final : public Source {
   public:
    explicit Listener(Server& server) : server_(server) {}
    void ready() noexcept override { server_.accept(); }
    void late() noexcept override { due = TimePoint::max(), wanted = listens; }

    static constexpr short listens = 1;  // POLLIN
    Descriptor socket;

   private:
    Server& server_;
  };

  void accept() noexcept;
  void drop(Connection& connection) noexcept;
  // Executes a whole message, and appends the answer to `out`. Returns false if the connection must end.
  bool serve(const giop::MessageHeader& header, ByteView body, Buffer& out);
  bool serve_request(const giop::MessageHeader& header, ByteView body, Buffer& out);
  bool serve_locate(const giop::MessageHeader& header, ByteView body, Buffer& out);
  // The object of register_initial_reference() that corbaloc:...:host:port/NAME leads to; nullptr if there is none.
  orb::ReferencePtr named_object(ByteView key) const;

  Orb& orb_;
  Listener listener_{*this};
  ior::Address published_;
  const classic::ReferenceVar<Adapter> adapter_;
  Connection* first_ = nullptr;
  std::uint32_t count_ = 0;
  bool stopped_ = false;
};

}  // namespace callis::micro
