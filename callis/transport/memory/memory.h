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
#include <callis/base/feature.h>
#include <callis/transport/stream.h>
#include <atomic>
#include <utility>

// Feature memory_answers: memory for answers that is taken when a connection is made.
CALLIS_FEATURE(memory_answers);

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

  // Bytes for answers that connections made from now on have from the beginning; 0 at first.
  void set_answer_bytes(std::size_t bytes) { answer_bytes_.store(bytes, std::memory_order_relaxed); }
  std::size_t answer_bytes() const { return answer_bytes_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::size_t> answer_bytes_{0};
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
// Any thread. Who listens there now; nullptr: nobody does.
std::shared_ptr<MemoryAcceptor> memory_acceptor(const std::string& name);
// Any thread. MemoryAcceptor::set_answer_bytes() of whoever listens there now. False: nobody does.
bool set_memory_answer_bytes(const std::string& name, std::size_t bytes);
// Any thread. Fault::ConnectRefused when nobody listens there or the server refuses. answer_bytes: memory for answers
// that is taken, and touched, before the first one; what the server has set counts where it is more. A larger answer
// takes more. Fault::TransportFailed, ENOMEM: there is not so much.
Result<std::unique_ptr<Stream>> connect_memory(const std::string& name, std::size_t answer_bytes = 0);
// For connect_memory(): takes what client and server want, and touches it. False: there is not so much.
CALLIS_OPTIONAL bool take_answer_memory(Buffer& answers, const MemoryAcceptor& acceptor, std::size_t asked);
// A stream to a server's side that the caller made, without any name.
std::unique_ptr<Stream> make_memory_stream(std::unique_ptr<MemoryConnection> server, std::string peer);

}  // namespace callis::transport
