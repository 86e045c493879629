// SPDX-License-Identifier: Apache-2.0
#include <callis/transport/memory/memory.h>
#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <mutex>

namespace callis::transport {

namespace {

struct Registry {
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<MemoryAcceptor>, std::less<>> endpoints;
};

Registry& registry() {
  static Registry* r = new Registry;  // never destroyed: ORBs in static objects may outlive it
  return *r;
}

class MemoryStream final : public Stream {
 public:
  MemoryStream(std::unique_ptr<MemoryConnection> server, std::string peer)
      : server_(std::move(server)), peer_(std::move(peer)) {}

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
  const std::string& peer() const override { return peer_; }
  const std::string& peer_host() const override { return peer_; }

 private:
  std::unique_ptr<MemoryConnection> server_;
  std::string peer_;
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
  auto at = registry().endpoints.find(name_);
  if (at == registry().endpoints.end()) return;
  last = std::move(at->second);
  registry().endpoints.erase(at);
}

Result<MemoryEndpoint> listen_memory(const std::string& name, std::shared_ptr<MemoryAcceptor> acceptor) {
  if (name.empty()) return Error{Fault::TransportFailed, 0, "a memory endpoint needs a name"};
  std::lock_guard lock(registry().mutex);
  if (!registry().endpoints.emplace(name, std::move(acceptor)).second)
    return Error{Fault::TransportFailed, 0, "memory endpoint \"" + name + "\" exists already"};
  return MemoryEndpoint(name);
}

Result<std::unique_ptr<Stream>> connect_memory(const std::string& name) {
  std::shared_ptr<MemoryAcceptor> acceptor;
  {
    std::lock_guard lock(registry().mutex);
    auto at = registry().endpoints.find(name);
    if (at != registry().endpoints.end()) acceptor = at->second;
  }
  std::unique_ptr<MemoryConnection> server = acceptor ? acceptor->accept() : nullptr;
  if (!server) return Error{Fault::ConnectRefused, 0, "memory:" + name + ": nobody listens"};
  return make_memory_stream(std::move(server), "memory:" + name);
}

std::unique_ptr<Stream> make_memory_stream(std::unique_ptr<MemoryConnection> server, std::string peer) {
  return std::make_unique<MemoryStream>(std::move(server), std::move(peer));
}

}  // namespace callis::transport
