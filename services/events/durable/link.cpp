// SPDX-License-Identifier: Apache-2.0
// Connecting to NATS, and asking it until it answers.
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <services/events/durable/link.h>
#include <algorithm>

namespace callis::events {

namespace {

// Of "nats://user:password@host:port" what may be shown.
std::string shown(const std::string& url) {
  const std::size_t scheme = url.find("://"), at = url.rfind('@');
  if (at == std::string::npos) return url;
  return (scheme == std::string::npos ? std::string() : url.substr(0, scheme + 3)) + url.substr(at + 1);
}

std::string shown(const std::vector<std::string>& urls) {
  std::string out;
  for (const std::string& url : urls) out += (out.empty() ? "" : ", ") + shown(url);
  return out;
}

// Statuses after which nobody knows whether the server has done it.
bool perhaps_done(natsStatus s) {
  return s == NATS_TIMEOUT || s == NATS_CONNECTION_DISCONNECTED || s == NATS_CONNECTION_CLOSED || s == NATS_IO_ERROR;
}

// Statuses that asking again does not change.
bool is_final(natsStatus s) {
  return s == NATS_MAX_PAYLOAD || s == NATS_INVALID_ARG || s == NATS_INVALID_SUBJECT || s == NATS_NOT_PERMITTED ||
         s == NATS_NO_MEMORY;
}

}  // namespace

// The library calls these, until the connection is closed. The link may have gone.
struct Link::Callbacks {
  std::weak_ptr<Link> link;

  static Callbacks& of(void* closure) { return *static_cast<Callbacks*>(closure); }
  static void closed(natsConnection*, void* closure) { delete &of(closure); }
  static void disconnected(natsConnection*, void* closure) {
    if (const auto link = of(closure).link.lock(); link && !link->closing_)
      log(LogLevel::Warning,
          {"events: the connection to JetStream at ", link->where(), " is lost; it is tried again"});
  }
  static void reconnected(natsConnection*, void* closure) {
    if (const auto link = of(closure).link.lock()) link->came_back();
  }
  static void failed(natsConnection*, natsSubscription*, natsStatus status, void* closure) {
    if (const auto link = of(closure).link.lock())
      log(LogLevel::Warning, {"events: JetStream: ", link->nats().natsStatus_GetText(status)});
  }
};

Link::Link(const JetStreamOptions& options, std::function<void()> changed)
    : nats_(NatsLibrary::get()), options_(options), changed_(std::move(changed)), where_(shown(options.urls)) {}

std::shared_ptr<Link> Link::open(const JetStreamOptions& options, std::function<void()> changed) {
  const std::shared_ptr<Link> out(new Link(options, std::move(changed)));
  out->connect();
  return out;
}

void Link::connect() {
  natsOptions* o = nullptr;
  std::vector<const char*> servers;
  for (const std::string& url : options_.urls) servers.push_back(url.c_str());
  auto callbacks = std::make_unique<Callbacks>(Callbacks{weak_from_this()});
  natsStatus s = nats_.natsOptions_Create(&o);
  const auto set = [&](auto f, auto... values) {
    if (s == NATS_OK) s = f(o, values...);
  };
  set(nats_.natsOptions_SetServers, servers.data(), static_cast<int>(servers.size()));
  set(nats_.natsOptions_SetName, "callis events");
  set(nats_.natsOptions_SetTimeout, options_.wait.count());
  set(nats_.natsOptions_SetMaxReconnect, -1);  // for ever
  set(nats_.natsOptions_SetReconnectWait, std::int64_t{100});
  set(nats_.natsOptions_SetReconnectJitter, std::int64_t{50}, std::int64_t{50});
  set(nats_.natsOptions_SetPingInterval, std::int64_t{5'000});
  set(nats_.natsOptions_SetMaxPingsOut, 2);
  set(nats_.natsOptions_SetFailRequestsOnDisconnect, true);
  set(nats_.natsOptions_UseGlobalMessageDelivery, true);
  set(nats_.natsOptions_SetErrorHandler, &Callbacks::failed, static_cast<void*>(callbacks.get()));
  set(nats_.natsOptions_SetDisconnectedCB, &Callbacks::disconnected, static_cast<void*>(callbacks.get()));
  set(nats_.natsOptions_SetReconnectedCB, &Callbacks::reconnected, static_cast<void*>(callbacks.get()));
  set(nats_.natsOptions_SetClosedCB, &Callbacks::closed, static_cast<void*>(callbacks.get()));
  if (s == NATS_OK) s = nats_.natsConnection_Connect(&connection_, o);
  const std::string text = s == NATS_OK ? std::string() : text_of(s);
  nats_.natsOptions_Destroy(o);
  if (s != NATS_OK)
    throw JournalFailed{JournalFailed::Why::Unreachable, false,
                        concat({"--durable: JetStream at ", where_, " cannot be reached: ", text})};
  (void)callbacks.release();  // closed() deletes it
  jsOptions how;
  (void)nats_.jsOptions_Init(&how);
  how.Wait = attempt().count();
  if (const natsStatus js = nats_.natsConnection_JetStream(&js_, connection_, &how); js != NATS_OK)
    throw JournalFailed{JournalFailed::Why::Refused, false, concat({"--durable: JetStream: ", text_of(js)})};
}

std::chrono::milliseconds Link::attempt() const {
  return std::clamp(options_.wait / 3, std::chrono::milliseconds(1), std::chrono::milliseconds(1'000));
}

void Link::close() {
  closing_ = true;
  if (connection_) nats_.natsConnection_Close(connection_);
}

Link::~Link() {
  if (js_) nats_.jsCtx_Destroy(js_);
  if (connection_) nats_.natsConnection_Destroy(connection_);
}

void Link::came_back() {
  log(LogLevel::Warning, {"events: the connection to JetStream at ", where_, " is there again"});
  {
    const std::lock_guard lock(mutex_);
    is_back_.notify_all();
  }
  changed_();
}

void Link::wait_connected(std::chrono::milliseconds longest) {
  std::unique_lock lock(mutex_);
  is_back_.wait_for(lock, longest, [this] { return connected(); });
}

std::string Link::text_of(natsStatus status) const {
  const char* const more = nats_.nats_GetLastError(nullptr);
  const std::string text = nats_.natsStatus_GetText(status);
  return more && *more && text != more ? concat({text, ": ", more}) : text;
}

namespace {

[[noreturn]] void refused(bool perhaps, std::initializer_list<std::string_view> text) {
  throw JournalFailed{JournalFailed::Why::Refused, perhaps, concat(text)};
}

}  // namespace

jsErrCode Link::ask(const std::string& what, jsErrCode expected, const std::function<natsStatus(jsErrCode&)>& ask) {
  constexpr std::chrono::milliseconds kPause{50};
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + options_.wait;
  bool perhaps = false;
  for (;;) {
    jsErrCode code{};
    const natsStatus s = ask(code);
    if (s == NATS_OK) return jsErrCode{};
    if (code != 0 && code == expected) return code;
    const std::string why =
        concat({text_of(s), s == NATS_NO_RESPONDERS ? " (has the server JetStream: nats-server -js?)" : ""});
    // Codes of JetStream's are final, but for those of a server or cluster that is just starting.
    const bool starting = code == JSNotEnabledErr || code == JSClusterNotAvailErr || code == JSClusterNotLeaderErr;
    if (code != 0 && !starting)
      refused(false, {"JetStream at ", where_, ": ", what, ": ", why});
    if (is_final(s)) refused(perhaps, {"JetStream at ", where_, ": ", what, ": ", why});
    perhaps = perhaps || perhaps_done(s);
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
    if (left.count() <= 0)
      throw JournalFailed{JournalFailed::Why::Unreachable, perhaps,
                          concat({"JetStream at ", where_, " has not answered within ",
                                  Decimal(static_cast<std::uint64_t>(options_.wait.count())), " ms: ", what, ": ",
                                  why})};
    if (!connected()) {
      wait_connected(left);
    } else {
      std::unique_lock lock(mutex_);
      is_back_.wait_for(lock, std::min(kPause, left));
    }
  }
}

}  // namespace callis::events
