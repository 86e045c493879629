// SPDX-License-Identifier: Apache-2.0
// A stream ends when its member has died (the socket, or TCP's keep-alive, says so), or has lost the cluster's leader
// ("hasleader" asks for this). It also ends when the store goes. After each end but the last the next endpoint is
// asked from the next revision on.
#include <callis/base/log.h>
#include <services/common/etcd_watch.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cstring>

namespace callis::services::etcd {

// libcurl's callbacks.
struct WatchCallbacks {
  static std::size_t take(char* data, std::size_t, std::size_t size, void* to) {
    Watch& watch = *static_cast<Watch*>(to);
    if (watch.buffer_.size() + size > Watch::kMostMessageBytes) return 0;
    std::size_t at = 0, end, looked = watch.buffer_.size();
    watch.buffer_.append(data, size);
    while ((end = watch.buffer_.find('\n', looked)) != std::string::npos) {
      if (!watch.take(std::string_view(watch.buffer_).substr(at, end - at))) return 0;
      looked = at = end + 1;
    }
    watch.buffer_.erase(0, at);
    return size;
  }
  static int opened(void* to, curl_socket_t socket, curlsocktype) {
    Watch& watch = *static_cast<Watch*>(to);
    const std::lock_guard lock(watch.mutex_);
    watch.socket_ = socket;
    return watch.stop_ ? CURL_SOCKOPT_ERROR : CURL_SOCKOPT_OK;
  }
  static int close(void* to, curl_socket_t socket) {
    Watch& watch = *static_cast<Watch*>(to);
    const std::lock_guard lock(watch.mutex_);
    if (watch.socket_ == socket) watch.socket_ = -1;
    return ::close(socket);
  }
};

Watch::Watch(Client& client, Watched what, Revision from, Watcher& watcher)
    : client_(client), what_(std::move(what)), watcher_(watcher), from_(from) {
  if (const int error = thread_.start({"callis-watch"}, [this] { run(); }))
    throw StoreFailed(StoreFailed::Unknown, client_.name() + ": no thread to watch etcd by: " + std::strerror(error));
}

Watch::~Watch() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    if (socket_ >= 0) ::shutdown(socket_, SHUT_RDWR);
  }
  changed_.notify_one();
  thread_.join();
}

bool Watch::stopped() {
  const std::lock_guard lock(mutex_);
  return stop_;
}

void Watch::run() {
  Duration pause{10};
  for (std::size_t at = 0; !stopped(); ++at) {
    good_ = false;
    stream(client_.endpoints()[at % client_.endpoints().size()]);
    if (stopped()) return;
    if (compacted_) start_anew();
    if (good_) {
      pause = Duration(10);
    } else if (connected_) {
      connected_ = false;
      watcher_.connected(false);
    }
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, pause, [this] { return stop_; });
    pause = std::min(pause * 2, Duration(1'000));
  }
}

void Watch::stream(const std::string& endpoint) {
  const CurlLibrary& curl = CurlLibrary::get();
  CURL* const handle = curl.easy_init();
  if (!handle) return;
  Json create = range_of(what_.all);
  create["start_revision"] = std::to_string(from_ + 1);
  const std::string url = "http://" + endpoint + "/v3/watch", body = Json{{"create_request", create}}.dump();
  curl_slist* headers = nullptr;
  for (const char* const header : {"Content-Type: application/json", "Expect:", "Grpc-Metadata-hasleader: true"})
    headers = curl.slist_append(headers, header);
  buffer_.clear();
  const auto set = curl.easy_setopt;
  set(handle, CURLOPT_URL, url.c_str());
  set(handle, CURLOPT_PROTOCOLS_STR, "http");
  set(handle, CURLOPT_PROXY, "");
  set(handle, CURLOPT_NOSIGNAL, 1L);
  set(handle, CURLOPT_HTTPHEADER, headers);
  set(handle, CURLOPT_POSTFIELDS, body.c_str());
  set(handle, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(Client::kConnect.count()));
  set(handle, CURLOPT_TCP_KEEPALIVE, 1L);
  set(handle, CURLOPT_TCP_KEEPIDLE, 3L);
  set(handle, CURLOPT_TCP_KEEPINTVL, 1L);
  set(handle, CURLOPT_WRITEFUNCTION, &WatchCallbacks::take);
  set(handle, CURLOPT_WRITEDATA, this);
  set(handle, CURLOPT_SOCKOPTFUNCTION, &WatchCallbacks::opened);
  set(handle, CURLOPT_SOCKOPTDATA, this);
  set(handle, CURLOPT_CLOSESOCKETFUNCTION, &WatchCallbacks::close);
  set(handle, CURLOPT_CLOSESOCKETDATA, this);
  const CURLcode code = curl.easy_perform(handle);
  if (!stopped() && !compacted_)
    log(LogLevel::Warning, {client_.name(), ": the watch at ", endpoint, " has ended: ", curl.easy_strerror(code)});
  curl.easy_cleanup(handle);
  curl.slist_free_all(headers);
}

bool Watch::take(std::string_view line) {
  if (line.empty()) return true;
  const Json message = parse(line, kMostMessageValues);
  if (refusal_in(message) || !message.is_object() || !message.contains("result")) return false;
  const Json& result = message["result"];
  try {
    if (number(result, "compact_revision") != 0) {
      compacted_ = true;
      return false;
    }
    if (result.value("canceled", false)) return false;
    if (result.value("created", false)) {
      good_ = true;
      if (!connected_) {
        connected_ = true;
        watcher_.connected(true);
      }
    }
    if (const auto events = result.find("events"); events != result.end()) tell(*events);
  } catch (const std::exception& e) {
    log(LogLevel::Error, {client_.name(), ": a change that etcd tells cannot be read: ", e.what()});
    return false;
  }
  return !stopped();
}

// The events of a revision stand together.
void Watch::tell(const Json& events) {
  std::vector<Change> changes;
  Revision revision = 0;
  bool transaction = false;
  const auto done = [&] {
    if (revision > from_) {
      from_ = revision;
      if (transaction || !changes.empty()) watcher_.told(revision, changes);
    }
    changes.clear();
    transaction = false;
  };
  for (const Json& event : events) {
    const Json& pair = event.at("kv");
    if (const Revision now = number(pair, "mod_revision"); now != revision) {
      done();
      revision = now;
    }
    std::string key = bytes(pair, "key");
    if (key == what_.last) transaction = true;
    if (!key.starts_with(what_.data)) continue;
    key.erase(0, what_.data.size());
    const bool erased = event.contains("type") && event["type"] == "DELETE";
    changes.push_back({std::move(key), erased ? std::nullopt : std::optional(bytes(pair, "value")), revision});
  }
  done();
}

// The next stream goes on from this revision. The watcher reads nothing older in lost() or later.
void Watch::start_anew() {
  try {
    Json asked = range_of(what_.all);
    asked["count_only"] = true;
    const Json answer = client_.ask("/v3/kv/range", asked, Deadline::in(Duration(5'000)));
    from_ = number(answer.at("header"), "revision");
    compacted_ = false;
    watcher_.lost();
  } catch (const std::exception& e) {
    log(LogLevel::Warning,
        {client_.name(), ": changes were missed, and etcd does not say how far it is: ", e.what()});
  }
}

}  // namespace callis::services::etcd
