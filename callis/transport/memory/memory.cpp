// SPDX-License-Identifier: Apache-2.0
// Endpoints by name, and streams whose bytes the server takes on the sender's thread.
#include <callis/base/string_map.h>
#include <callis/base/text.h>
#include <callis/transport/memory/memory.h>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>

namespace callis::transport {

namespace {

struct Registry {
  std::mutex mutex;
  StringMap<std::shared_ptr<MemoryAcceptor>> endpoints;
};

Registry& registry() {
  static Registry* r = new Registry;  // never destroyed: ORBs in static objects may outlive it
  return *r;
}

class MemoryStream final : public Stream {
 public:
  MemoryStream(std::unique_ptr<MemoryConnection> server, std::string peer)
      : server_(std::move(server)), identity_{.host = std::move(peer)} {}
  Buffer& answers() { return answer_; }

  using Stream::send;
  Transfer send(std::span<const ByteView> parts, Deadline) override {
    Transfer done;
    for (ByteView part : parts) {
      if (closed_ || stopped_.load(std::memory_order_relaxed)) {
        done.fault = Fault::ConnectionLost;
        return done;
      }
      if (part.empty()) continue;
      if (taken_ == answer_.size()) {
        answer_.clear();
        taken_ = 0;
      }
      closed_ = !server_->bytes_in(part, answer_);
      done.bytes += part.size();
    }
    return done;
  }

  using Stream::receive;
  Transfer receive(MutableBytes into, Deadline, TimePoint) override {
    if (stopped_.load(std::memory_order_relaxed)) return {0, Fault::ConnectionLost};
    const std::size_t n = std::min(into.size(), answer_.size() - taken_);
    if (n == 0) return {0, closed_ ? Fault::ConnectionLost : Fault::DeadlinePassed};
    std::memcpy(into.data(), answer_.data() + taken_, n);
    taken_ += n;
    return {n};
  }

  bool gathers() const override { return false; }  // the server would put the parts together again
  bool quiet() override { return !closed_ && !stopped_ && taken_ == answer_.size(); }
  void finish_sending() noexcept override { closed_ = true; }
  void stop_receiving() noexcept override { stopped_.store(true, std::memory_order_relaxed); }
  void shutdown() noexcept override { stopped_.store(true, std::memory_order_relaxed); }
  const std::string& peer() const override { return identity_.host; }
  const Peer& peer_identity() const override { return identity_; }

 private:
  std::unique_ptr<MemoryConnection> server_;
  const Peer identity_;
  Buffer answer_;
  std::size_t taken_ = 0;  // of answer_
  bool closed_ = false;    // by the server, or by finish_sending()
  std::atomic<bool> stopped_{false};
};

}  // namespace

MemoryEndpoint::~MemoryEndpoint() {
  if (name_.empty()) return;
  std::shared_ptr<MemoryAcceptor> last;  // destroyed outside the lock
  std::lock_guard lock(registry().mutex);
  std::shared_ptr<MemoryAcceptor>* const at = registry().endpoints.find(name_);
  if (!at) return;
  last = std::move(*at);
  registry().endpoints.erase(name_);
}

Result<MemoryEndpoint> listen_memory(const std::string& name, std::shared_ptr<MemoryAcceptor> acceptor) {
  if (name.empty()) return Error{Fault::TransportFailed, 0, "a memory endpoint needs a name"};
  std::lock_guard lock(registry().mutex);
  if (registry().endpoints.contains(name))
    return Error{Fault::TransportFailed, 0, concat({"memory endpoint \"", name, "\" exists already"})};
  registry().endpoints.insert(name, std::move(acceptor));
  return MemoryEndpoint(name);
}

std::shared_ptr<MemoryAcceptor> memory_acceptor(const std::string& name) {
  const std::lock_guard lock(registry().mutex);
  const auto* const at = registry().endpoints.find(name);
  return at ? *at : nullptr;
}

Result<std::unique_ptr<Stream>> connect_memory(const std::string& name, std::size_t answer_bytes) {
  const std::shared_ptr<MemoryAcceptor> acceptor = memory_acceptor(name);
  std::unique_ptr<MemoryConnection> server = acceptor ? acceptor->accept() : nullptr;
  std::string peer = concat({"memory:", name});
  if (!server) return Error{Fault::ConnectRefused, 0, concat({peer, ": nobody listens"})};
  auto stream = std::make_unique<MemoryStream>(std::move(server), std::move(peer));
  if (CALLIS_HAS(memory_answers) && !take_answer_memory(stream->answers(), *acceptor, answer_bytes))
    return Error{Fault::TransportFailed, ENOMEM, stream->peer()};
  return std::unique_ptr<Stream>(std::move(stream));
}

std::unique_ptr<Stream> make_memory_stream(std::unique_ptr<MemoryConnection> server, std::string peer) {
  return std::make_unique<MemoryStream>(std::move(server), std::move(peer));
}

}  // namespace callis::transport
