// SPDX-License-Identifier: Apache-2.0
// From a connection's bytes to the servant and back.
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <callis/classic/made_exceptions.h>
#include <callis/giop/locate.h>
#include <callis/giop/reply.h>
#include <callis/giop/request.h>
#include <callis/marshal/handlers.h>
#include <callis/micro/server.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/context/server_request.h>
#include <callis/poa/dispatch/operation_lookup.h>
#include <callis/poa/dispatch/parts.h>
#include <callis/poa/dispatch/pseudo.h>
#include <callis/poa/servant/minor_codes.h>
#include <poll.h>
#include <cerrno>
#include <optional>

namespace callis::poa {

// --- What the shared files of the object adapter need (poa/dispatch/parts.h) ---

void answer_standard(orb::ServerRequest& request, classic::Standard which, CORBA::ULong minor,
                     CORBA::CompletionStatus completed) {
  request.system_exception(classic::LocalStandard(which, minor, completed));
}

void report(orb::ServerRequest& request, Fault fault, orb::Step step) {
  request.system_exception(*orb::exception_of({fault, 0, {}}, step));
}

void answer_thrown(orb::ServerRequest& request, CORBA::CompletionStatus completed,
                   bool (*send_user)(void* context, const CORBA::UserException& e), void* context) {
  try {
    throw;
  } catch (const CORBA::UserException& e) {
    if (!send_user(context, e)) answer<CORBA::UNKNOWN>(request, orb::omg(1), completed);
  } catch (const CORBA::SystemException& e) {
    request.system_exception(e);
  } catch (const std::bad_alloc&) {
    answer<CORBA::NO_MEMORY>(request, kServantNoMemory, completed);
  } catch (...) {
    answer<CORBA::UNKNOWN>(request, kServantThrew, completed);
  }
}

extern const char root_adapter_is_there;  // as callis/poa/servant/servant.h has it
const char root_adapter_is_there = 0;

}  // namespace callis::poa

namespace callis::micro {
namespace {

CALLIS_INSTALLER void install() {
  make_serving = [](Orb& orb) -> std::unique_ptr<Serving> { return std::make_unique<Server>(orb); };
}

TimePoint after(Limits::Duration d) { return Clock::steady().now() + d; }

// A request's answer, behind what stands in the buffer.
class Answer final : public orb::ServerRequest {
 public:
  Answer(const Asked& asked, giop::Version version, Buffer& out)
      : ServerRequest(asked), version_(version), out_(out), from_(out.size()) {}

  cdr::Encoder& reply() override { return begin(giop::ReplyStatus::NoException); }
  cdr::Encoder& user_exception(const char* repository_id) override {
    cdr::Encoder& e = begin(giop::ReplyStatus::UserException);
    e.put_string(repository_id);
    return e;
  }
  void system_exception(const CORBA::SystemException& e) override {
    constexpr giop::Completion kCompletion[] = {giop::Completion::Yes, giop::Completion::No, giop::Completion::Maybe};
    giop::encode(begin(giop::ReplyStatus::SystemException), {e._rep_id(), e.minor(), kCompletion[e.completed()]});
  }
  void location_forward(const ior::Ior& to) override { ior::encode(begin(giop::ReplyStatus::LocationForward), to); }

  // Ends the reply. A one-way has none; SYNC_WITH_SERVER has an empty one.
  void finish() {
    const giop::ResponseFlags response = header()->response;
    if (response == giop::ResponseFlags::None) return drop();
    if (!encoder_ || response == giop::ResponseFlags::WithServer) (void)reply();
    const Fault f = giop::finish_message(*encoder_, started_);
    if (f == Fault::None) return;
    system_exception(*orb::exception_of({f, 0, {}}, orb::Step::EncodeReply));
    if (giop::finish_message(*encoder_, started_) != Fault::None) drop();  // no memory even for that
  }

 private:
  void drop() {
    encoder_.reset();
    out_.set_size(from_);
  }
  cdr::Encoder& begin(giop::ReplyStatus status) {
    drop();
    encoder_.emplace(out_);
    started_ = giop::begin_reply(*encoder_, version_, header()->request_id, status);
    if (version_ != giop::kGiop10) encoder_->set_wide(cdr::WideForm::Unagreed);
    return *encoder_;
  }

  const giop::Version version_;
  Buffer& out_;
  const std::size_t from_;  // size of out_ before the reply
  std::optional<cdr::Encoder> encoder_;
  giop::Started started_;
};

void run(const poa::Target& object, orb::ServerRequest& request) {
  if (const poa::SkeletonOperation* const op = poa::find_operation(*object.skeleton, request.operation()))
    return object.skeleton->run(object, *op, request);
  bool known = true;
  const bool served = poa::call_up(
      request, CORBA::COMPLETED_MAYBE, [&] { known = poa::serve_unknown_operation(object, request); },
      [](const CORBA::UserException&) { return false; });
  if (served && !known) poa::answer<CORBA::BAD_OPERATION>(request, orb::omg(2), CORBA::COMPLETED_NO);
}

}  // namespace

// --- Connections ---

class Server::Connection final : public Source {
 public:
  Connection(Server& server, Descriptor socket, std::string host)
      : server_(server), socket_(std::move(socket)), host_(std::move(host)) {
    fd = socket_.get();
    rest();
  }

  void ready() noexcept override;
  void late() noexcept override {
    log(LogLevel::Info, {"closed the connection of ", host_, in_message_ || !out_.empty() ? ": too slow" : ": idle"});
    server_.drop(*this);
  }
  const std::string& host() const { return host_; }
  bool is_busy() const { return busy_; }
  // Tells the client that no more requests are read; the rest of earlier replies goes before.
  void close_in_order() noexcept;

  Connection* next = nullptr;

 private:
  bool send();
  void rest();

  Server& server_;
  Descriptor socket_;
  const std::string host_;
  Inbox in_;
  Buffer out_{Buffer::kForPeer};  // replies, from sent_ on
  std::size_t sent_ = 0;
  giop::Version version_ = giop::kGiop12;  // of the last message
  bool busy_ = false;        // a request is being executed
  bool looked_ = false;      // what has come is no whole message
  bool in_message_ = false;  // due is the time of a message
  bool ending_ = false;      // closed when out_ has been sent
};

// Decides for which event the connection waits, and how long. A message has its time from its first byte on.
void Server::Connection::rest() {
  const Limits& limits = server_.orb_.limits();
  const bool goes_on = looked_ && in_.has_more();  // a message that has begun
  pending = out_.empty() && !looked_ && in_.has_more();
  wanted = out_.empty() ? POLLIN : POLLOUT;
  if (!out_.empty()) due = after(limits.send_timeout);
  else if (!goes_on) due = after(limits.idle_timeout);
  else if (!in_message_) due = after(limits.message_timeout);
  in_message_ = out_.empty() && goes_on;
}

// Returns false if the connection has ended.
bool Server::Connection::send() {
  const ssize_t n = send_some(fd, out_.view(sent_));
  if (n < 0) return false;
  sent_ += static_cast<std::size_t>(n);
  if (sent_ < out_.size()) return true;
  out_.clear();
  out_.shrink(4096);
  sent_ = 0;
  return !ending_;
}

// Requests of other connections may be executed meanwhile, and the server may be stopped.
void Server::Connection::ready() noexcept {
  bool lives = true;
  looked_ = false;
  if (!out_.empty()) {
    lives = send();
  } else {
    switch (in_.receive(fd, server_.orb_.limits())) {
      case Inbox::State::Wanting: looked_ = true; break;
      case Inbox::State::Ended: lives = false; break;
      case Inbox::State::Bad:
        log(LogLevel::Warning, {"refused a message of ", host_, ": ", fault_name(in_.fault())});
        lives = out_.append(giop::message_error(std::min(in_.header().version, giop::kHighestVersion)));
        ending_ = true;
        break;
      case Inbox::State::Whole:
        version_ = in_.header().version;
        wanted = 0;
        pending = in_message_ = false;
        due = TimePoint::max();
        busy_ = true;
        if (!server_.serve(in_.header(), in_.body(), out_)) {
          log(LogLevel::Warning, {"refused a message of ", host_, ", which is malformed or in fragments"});
          out_.clear();
          lives = out_.append(giop::message_error(version_));
          ending_ = true;
        }
        busy_ = false;
        in_.next();
        if (server_.stopped_ && !ending_) {
          (void)out_.append(giop::close_connection(version_));
          ending_ = true;
        }
    }
    if (lives && !out_.empty()) lives = send();
  }
  if (lives) rest();
  else server_.drop(*this);
}

void Server::Connection::close_in_order() noexcept {
  const auto farewell = giop::close_connection(version_);
  if (out_.append(farewell)) (void)send_some(fd, out_.view(sent_));
  server_.drop(*this);
}

// --- Server ---

Server::Server(Orb& orb) : orb_(orb), adapter_(new Adapter(orb)) {
  const Options& o = orb.options();
  SocketAddress at, bound;
  errno = EADDRNOTAVAIL;
  if (at.set(o.endpoint)) listener_.socket = listen_at(at, bound);
  if (!listener_.socket.valid() || !Loop::instance().add(listener_)) {
    const Error why{Fault::TransportFailed, errno,
                    concat({"listening at tcp:", o.endpoint.host, ":", Decimal(o.endpoint.port)})};
    orb::raise<CORBA::INITIALIZE>(orb::kCannotListen, CORBA::COMPLETED_NO, why.text());
  }
  listener_.fd = listener_.socket.get();
  listener_.wanted = POLLIN;
  published_ = own_address(bound);
  if (!o.publish.host.empty()) published_.host = o.publish.host;
  if (o.publish.port != 0) published_.port = o.publish.port;
}

Server::~Server() { stop(); }

void Server::accept() noexcept {
  SocketAddress from;
  Descriptor socket = accept_from(listener_.fd, from);
  if (!socket.valid()) {
    if (errno != EMFILE && errno != ENFILE && errno != ENOBUFS && errno != ENOMEM) return;
    log_failed("cannot take a connection", errno);
    listener_.wanted = 0;  // for a while: the client waits in the kernel's queue
    listener_.due = after(std::chrono::milliseconds(100));
    return;
  }
  try {
    std::string host = from.text().host;
    std::uint32_t of_peer = 0;
    for (const Connection* c = first_; c; c = c->next) of_peer += c->host() == host;
    const Limits& limits = orb_.limits();
    if (count_ >= limits.max_connections || of_peer >= limits.max_connections_per_peer ||
        Loop::instance().size() == Loop::kMostSources) {
      log(LogLevel::Warning,
          {"turned away a connection of ", host, ": -ORBMaxConnections or -ORBMaxConnectionsPerPeer"});
      return;
    }
    auto* const made = new Connection(*this, std::move(socket), std::move(host));
    (void)Loop::instance().add(*made);
    made->next = first_;
    first_ = made;
    ++count_;
  } catch (const std::bad_alloc&) {
    log(LogLevel::Warning, "turned away a connection: no memory");
  }
}

void Server::drop(Connection& connection) noexcept {
  Connection** at = &first_;
  while (*at != &connection) at = &(*at)->next;
  *at = connection.next;
  --count_;
  Loop::instance().remove(connection);
  delete &connection;
}

// Connections whose requests are being executed end with the reply.
void Server::stop() noexcept {
  if (stopped_) return;
  stopped_ = true;
  Loop::instance().remove(listener_);
  listener_.socket.reset();
  for (Connection* c = first_; c;) {
    Connection* const next = c->next;
    if (!c->is_busy()) c->close_in_order();
    c = next;
  }
  adapter_->end();
}

CORBA::Object_ptr Server::make_reference(const char* repository_id, ByteView key) {
  ior::Ior made;
  made.type_id = repository_id;
  made.profiles.push_back(ior::to_profile(giop::kGiop12, published_, key, {}));
  const auto reference = orb::ReferencePtr::adopt(new orb::Reference(orb_, std::move(made)));
  return orb::make_object(*reference.get());
}

void Server::answer(ByteView message, Buffer& out) noexcept {
  giop::MessageHeader header;
  if (giop::parse_header(message, orb_.limits(), header) == Fault::None)
    (void)serve(header, message.subspan(giop::kHeaderBytes), out);
}

bool Server::serve(const giop::MessageHeader& header, ByteView body, Buffer& out) {
  if (header.more_fragments) return false;
  try {
    switch (header.type) {
      case giop::MessageType::Request: return serve_request(header, body, out);
      case giop::MessageType::LocateRequest: return serve_locate(header, body, out);
      case giop::MessageType::CancelRequest: return true;
      default: return false;
    }
  } catch (...) {
    return false;  // no memory, even for an exception
  }
}

orb::ReferencePtr Server::named_object(ByteView key) const {
  const Initial* const named = orb_.initial({reinterpret_cast<const char*>(key.data()), key.size()});
  return orb::ReferencePtr(named ? reference_or_null(named->object.in()) : nullptr);
}

bool Server::serve_request(const giop::MessageHeader& header, ByteView body, Buffer& out) {
  cdr::MessageBudget budget(orb_.limits(), body.size());
  cdr::Decoder d(body, header.order, budget, giop::kBodyPhase, giop::wide_form(header.version));
  Arena arena;
  d.set_context(&orb_);
  d.set_arena(&arena);
  giop::RequestHeader asked;
  if (!giop::decode(d, header.version, asked, orb_.limits())) return false;
  const ByteView key = asked.target.object_key;
  Answer answer({.operation = asked.operation, .object_key = key, .arguments = d,
                 .response_expected = asked.response == giop::ResponseFlags::WithTarget, .header = &asked},
                header.version, out);
  std::uint32_t slot = 0;
  const Adapter::Found found = adapter_->find(key, slot);
  const PortableServer::POAManager::State state = adapter_->manager().get_state();
  using namespace CORBA;
  if (found == Adapter::Found::NotOurs) {
    if (const orb::ReferencePtr named = named_object(key)) answer.location_forward(named->ior());
    else poa::answer<OBJECT_NOT_EXIST>(answer, orb::omg(2), COMPLETED_NO);
  } else if (stopped_) {
    poa::answer<TRANSIENT>(answer, orb::omg(4), COMPLETED_NO);
  } else if (state == PortableServer::POAManager::INACTIVE) {
    poa::answer<OBJ_ADAPTER>(answer, orb::omg(1), COMPLETED_NO);
  } else if (state != PortableServer::POAManager::ACTIVE) {
    poa::answer<TRANSIENT>(answer, orb::omg(1), COMPLETED_NO);
  } else if (found == Adapter::Found::Inactive) {
    poa::answer<OBJECT_NOT_EXIST>(answer, poa::kObjectNotActive, COMPLETED_NO);
  } else {
    const Loop::Nested nested;
    const Adapter::Upcall upcall(*adapter_.in(), slot);
    PortableServer::ServantBase* const servant = upcall.servant();
    run({servant, servant->_callis_self(), &servant->_callis_skeleton()}, answer);
  }
  answer.finish();
  return true;
}

bool Server::serve_locate(const giop::MessageHeader& header, ByteView body, Buffer& out) {
  cdr::MessageBudget budget(orb_.limits(), body.size());
  cdr::Decoder d(body, header.order, budget, giop::kBodyPhase);
  giop::LocateRequestHeader asked;
  if (!giop::decode(d, header.version, asked, orb_.limits())) return false;
  std::uint32_t slot = 0;
  const Adapter::Found found = adapter_->find(asked.target.object_key, slot);
  const orb::ReferencePtr named =
      found == Adapter::Found::NotOurs ? named_object(asked.target.object_key) : orb::ReferencePtr();
  const giop::LocateStatus status = found == Adapter::Found::Yes ? giop::LocateStatus::ObjectHere
                                    : named                      ? giop::LocateStatus::ObjectForward
                                                                 : giop::LocateStatus::UnknownObject;
  cdr::Encoder e(out);
  const giop::Started started = giop::begin_locate_reply(e, header.version, asked.request_id, status);
  if (named) ior::encode(e, named->ior());
  return giop::finish_message(e, started) == Fault::None;
}

}  // namespace callis::micro
