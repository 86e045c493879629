// SPDX-License-Identifier: Apache-2.0
// The memory transport: connections inside one process, without threads and without the operating system.
//
// A server registers an endpoint under a name. A client that connects gets a Stream, and the server a
// MemoryConnection that lives exactly as long as that Stream. Stream::send() runs
// MemoryConnection::bytes_in() on the calling thread; what the server appends to its answer is what
// Stream::receive() returns afterwards. Calls over it therefore cost marshaling and nothing else, and tests
// over it are deterministic. receive() with nothing to return cannot wait for anybody: it fails at once,
// with DeadlinePassed, or ConnectionLost when the server has closed.
#pragma once
#include <callis/base/buffer.h>
#include <callis/transport/stream.h>
#include <utility>

namespace callis::transport {

// The server's side of one connection. Called by one thread at a time: whichever uses the client's Stream.
class MemoryConnection {
 public:
  virtual ~MemoryConnection() = default;
  // Bytes from the client, cut as its send() calls cut them. Appends what goes back to `answer`. False
  // closes the connection after the answer.
  virtual bool bytes_in(ByteView bytes, Buffer& answer) = 0;
};

// Makes the server's side when a client connects. May be called by many threads at once.
class MemoryAcceptor {
 public:
  virtual ~MemoryAcceptor() = default;
  // nullptr refuses the connection.
  virtual std::unique_ptr<MemoryConnection> accept() = 0;
};

// A registered name; the destructor takes it back. Connections that exist live on.
class MemoryEndpoint final {
 public:
  MemoryEndpoint(MemoryEndpoint&& o) noexcept : name_(std::exchange(o.name_, {})) {}
  MemoryEndpoint& operator=(MemoryEndpoint&&) = delete;
  ~MemoryEndpoint();
  const std::string& name() const { return name_; }

 private:
  friend Result<MemoryEndpoint> listen_memory(const std::string&, std::shared_ptr<MemoryAcceptor>);
  explicit MemoryEndpoint(std::string name) : name_(std::move(name)) {}
  std::string name_;  // empty when moved from
};

// Any thread. Fault::TransportFailed when the name is taken or empty.
Result<MemoryEndpoint> listen_memory(const std::string& name, std::shared_ptr<MemoryAcceptor> acceptor);
// Any thread. Fault::ConnectRefused when nobody listens there or the server refuses.
Result<std::unique_ptr<Stream>> connect_memory(const std::string& name);
// A stream to a server's side that the caller made, without any name.
std::unique_ptr<Stream> make_memory_stream(std::unique_ptr<MemoryConnection> server, std::string peer);

}  // namespace callis::transport
