// SPDX-License-Identifier: Apache-2.0
// A lane from its opening to its end: its address, its threads, its connections.
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <callis/orb/core/core.h>
#include <callis/orb/diagnostics/logged_stream.h>
#include <callis/orb/server/pool.h>
#include <callis/orb/server/server.h>
#include <callis/rt/lanes/lane.h>
#include <callis/rt/protocols/server_protocols.h>
#include <cerrno>
#include <cstring>
#include <limits.h>
#include <pthread.h>
#include <sched.h>

namespace callis::rt {

// The attributes of a lane's threads.
class Lane::Attributes final {
 public:
  explicit Attributes(const LaneOptions& options) {
    (void)::pthread_attr_init(&attributes_);
    if (options.native != 0) {
      const sched_param param{options.native};
      wrong_ = ::pthread_attr_setinheritsched(&attributes_, PTHREAD_EXPLICIT_SCHED);
      if (wrong_ == 0) wrong_ = ::pthread_attr_setschedpolicy(&attributes_, SCHED_FIFO);
      if (wrong_ == 0) wrong_ = ::pthread_attr_setschedparam(&attributes_, &param);
    }
    if (wrong_ == 0 && options.stack_bytes != 0)
      wrong_ = ::pthread_attr_setstacksize(
          &attributes_, std::max<std::size_t>(options.stack_bytes, static_cast<std::size_t>(PTHREAD_STACK_MIN)));
  }
  ~Attributes() { (void)::pthread_attr_destroy(&attributes_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;

  const pthread_attr_t* get() const { return &attributes_; }
  int wrong() const { return wrong_; }  // an errno; 0: nothing

 private:
  pthread_attr_t attributes_;
  int wrong_ = 0;
};

namespace {

constexpr const char* kThreadName = "callis-lane";

std::string name_of(const LaneOptions& o) {
  return concat({"lane of priority ", Decimal(static_cast<std::uint64_t>(o.priority)), ": "});
}

// The endpoint of the lane beside one of the ORB's: the same interface and another port; a path of its own.
orb::EndpointOption beside(const orb::EndpointOption& of_orb, const LaneOptions& options, std::uint16_t port) {
  orb::EndpointOption own = of_orb;
  own.address.port = port;
  for (ior::Address& published : own.publish) published.port = 0;
  if (!own.address.transport->has_hosts()) own.address.place = concat({own.address.place, ".", options.name});
  return own;
}

}  // namespace

Result<std::unique_ptr<Lane>> Lane::open(orb::Core& core, const LaneOptions& options) {
  std::unique_ptr<Lane> lane(new Lane(core, options));
  if (const Result<void> listening = lane->listen(); !listening) return listening.error();
  if (const Result<void> started = lane->start(); !started) {
    lane->stop();
    lane->wait();
    return started.error();
  }
  return Result<std::unique_ptr<Lane>>(std::move(lane));
}

Lane::Lane(orb::Core& core, const LaneOptions& options) : core_(core), options_(options) {}

[[gnu::hot]] bool Lane::has_this_thread() const { return pool_->has_this_thread(); }

Lane::~Lane() {
  stop();
  wait();
}

Result<void> Lane::listen() {
  const orb::EndpointOption usual;
  std::uint16_t port = options_.port;
  const std::vector<orb::EndpointOption>& given = core_.options().endpoints;
  for (const orb::EndpointOption& e : given.empty() ? std::span(&usual, 1) : std::span(given)) {
    const orb::Transport& transport = *e.address.transport;
    if (transport.is_inside()) continue;  // served by the threads that call
    auto listener =
        transport.listen(beside(e, options_, port), {core_.options().unix_permissions, nullptr, &core_}, addresses_);
    if (!listener) {
      Error why = listener.error();
      why.detail = concat({name_of(options_), why.detail});
      return why;
    }
    listener.value()->set_farewell(orb::Server::farewell());
    listeners_.push_back(std::move(listener).value());
    if (port != 0 && transport.has_hosts()) ++port;
  }
  return {};
}

Result<void> Lane::start() {
  attributes_ = std::make_unique<const Attributes>(options_);
  const auto failed = [&](int error) {
    const char* why = "descriptors or threads are used up";
    if (error == EPERM)
      why = "the process may not have threads of that priority: it needs CAP_SYS_NICE, or a greater RLIMIT_RTPRIO "
            "(ulimit -r)";
    const Decimal native(static_cast<std::uint64_t>(options_.native));
    return Error{Fault::TransportFailed, error, concat({name_of(options_), why, " (SCHED_FIFO ", native, ")"})};
  };
  if (attributes_->wrong() != 0) return failed(attributes_->wrong());
  auto pool = orb::Pool::create(core_, {options_.threads, attributes_->get(), kThreadName, options_.native != 0});
  if (!pool) return failed(pool.error().os_error);
  pool_ = std::move(pool).value();
  if (options_.most_threads > options_.threads) {
    growth_ = std::make_unique<LaneGrowth>(options_.threads, options_.most_threads, [this] { return add_thread(); });
    if (const int error = growth_->start(attributes_->get())) return failed(error);
  }
  for (auto& listener : listeners_) {
    transport::Listener* const accepting = listener.get();
    const int error = acceptors_.emplace_back().start({"callis-accept", false, attributes_->get()},
                                                      [this, accepting] { accept_loop(*accepting); });
    if (error == 0) continue;
    acceptors_.pop_back();
    return failed(error);
  }
  return {};
}

// The thread of growth_ calls this.
bool Lane::add_thread() {
  try {
    const int error = pool_->add_thread({0, attributes_->get(), kThreadName});
    if (error != 0 && error != ECANCELED)
      log(LogLevel::Warning,
          {name_of(options_), "no threads beyond ", Decimal(threads()), " can be had: ", std::strerror(error)});
    return error == 0;
  } catch (const std::bad_alloc&) {
    log(LogLevel::Error, "no memory for another thread of a lane");
    return false;
  }
}

void Lane::accept_loop(transport::Listener& listener) {
  while (!stopping_.load(std::memory_order_acquire)) {
    try {
      auto stream = listener.accept();
      if (stream && options_.protocols)
        options_.protocols->configure(*stream.value(), *options_.network, options_.priority);
      if (stream && CALLIS_HAS(logged_stream)) orb::log_stream(stream.value(), orb::Opened::There);
      if (stream) core_.server().admit_to(*pool_, std::move(stream).value());
      else if (stream.fault() == Fault::ConnectionClosed) return;
      else log(LogLevel::Warning, stream.error().text());
    } catch (const std::bad_alloc&) {
      log(LogLevel::Error, "no memory for a connection of a lane");
    }
  }
}

void Lane::stop() {
  if (stopping_.exchange(true, std::memory_order_acq_rel)) return;
  for (auto& l : listeners_) l->close();
  if (growth_) growth_->stop();
  if (pool_) pool_->stop();
}

void Lane::wait() {
  if (growth_) growth_->wait();
  if (pool_) pool_->wait();
  for (Thread& t : acceptors_) t.join();
  acceptors_.clear();
}

}  // namespace callis::rt
