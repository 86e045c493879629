// SPDX-License-Identifier: Apache-2.0
// The endpoint that answered last is asked first. After each round in which nobody answered there is a short pause.
#include <services/common/etcd_client.h>
#include <algorithm>
#include <thread>

namespace callis::services::etcd {

namespace {

struct Collected {
  std::string bytes;
  bool too_long = false;
};

std::size_t collect(char* data, std::size_t, std::size_t size, void* to) {
  Collected& out = *static_cast<Collected*>(to);
  if (out.bytes.size() + size > Client::kMostAnswerBytes) {
    out.too_long = true;
    return 0;
  }
  out.bytes.append(data, size);
  return size;
}

constexpr int kInvalidArgument = 3, kDeadlineExceeded = 4, kResourceExhausted = 8, kUnavailable = 14;

bool was_not_sent(CURLcode code) {
  return code == CURLE_COULDNT_CONNECT || code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_OUT_OF_MEMORY;
}

Duration left(const Deadline& deadline) {
  return std::chrono::duration_cast<Duration>(deadline.time() - Clock::steady().now());
}

}  // namespace

std::optional<Refusal> refusal_in(const Json& answer) {
  if (!answer.is_object()) return std::nullopt;
  const auto error = answer.find("error");
  if (error == answer.end()) return std::nullopt;
  const Json& body = error->is_object() ? *error : answer;  // of streams it is an object
  Refusal out;
  for (const char* const member : {"code", "grpc_code"})
    if (const auto code = body.find(member); code != body.end() && code->is_number_integer())
      out.code = code->get<int>();
  for (const char* const member : {"error", "message"})
    if (const auto text = body.find(member); text != body.end() && text->is_string())
      out.words = words_of(text->get_ref<const std::string&>());
  return out;
}

bool passes(const Refusal& refusal) {
  return refusal.code == kUnavailable || refusal.code == kDeadlineExceeded ||
         (refusal.code == kResourceExhausted && refusal.words.find("too many requests") != std::string::npos);
}

Client::Client(std::string name, std::vector<std::string> endpoints)
    : curl_(CurlLibrary::get()), name_(std::move(name)), endpoints_(std::move(endpoints)) {
  for (const char* const header : {"Content-Type: application/json", "Expect:"})
    headers_ = curl_.slist_append(headers_, header);
}

Client::~Client() {
  for (CURL* const each : free_) curl_.easy_cleanup(each);
  curl_.slist_free_all(headers_);
}

CURL* Client::take() {
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      CURL* const out = free_.back();
      free_.pop_back();
      return out;
    }
  }
  CURL* const out = curl_.easy_init();
  if (!out) throw std::bad_alloc();
  return out;
}

void Client::give_back(CURL* handle) {
  curl_.easy_reset(handle);
  const std::lock_guard lock(mutex_);
  free_.push_back(handle);
}

Attempt Client::attempt(const std::string& endpoint, const char* path, const std::string& body, Duration limit) {
  CURL* const handle = take();
  const std::string url = "http://" + endpoint + path;
  Collected collected;
  const auto set = curl_.easy_setopt;
  set(handle, CURLOPT_URL, url.c_str());
  set(handle, CURLOPT_PROTOCOLS_STR, "http");
  set(handle, CURLOPT_PROXY, "");
  set(handle, CURLOPT_NOSIGNAL, 1L);
  set(handle, CURLOPT_HTTPHEADER, headers_);
  set(handle, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
  set(handle, CURLOPT_POSTFIELDS, body.c_str());
  set(handle, CURLOPT_WRITEFUNCTION, &collect);
  set(handle, CURLOPT_WRITEDATA, &collected);
  set(handle, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(std::min(limit, kConnect).count()));
  set(handle, CURLOPT_TIMEOUT_MS, static_cast<long>(limit.count()));
  const CURLcode code = curl_.easy_perform(handle);
  curl_off_t connected_us = 0;
  curl_.easy_getinfo(handle, CURLINFO_CONNECT_TIME_T, &connected_us);
  give_back(handle);

  Attempt out;
  if (code != CURLE_OK) {
    out.words = endpoint + ": " + curl_.easy_strerror(code);
    const bool never_connected = code == CURLE_OPERATION_TIMEDOUT && connected_us == 0;
    out.end = collected.too_long                      ? Attempt::End::TooLong
              : was_not_sent(code) || never_connected ? Attempt::End::NotSent
                                                      : Attempt::End::Unknown;
    return out;
  }
  out.answer = parse(collected.bytes, kMostValues);
  if (const std::optional<Refusal> refusal = refusal_in(out.answer)) {
    out.refusal = *refusal;
    // etcd gives up waiting for a majority, which may come yet.
    out.end = passes(*refusal) ? Attempt::End::Unknown : Attempt::End::Refused;
    out.words = endpoint + ": " + refusal->words;
  } else if (!out.answer.is_object()) {
    out.end = Attempt::End::Unknown;
    out.words = endpoint + ": the answer is no JSON, or has too many parts; is an etcd 3.4 or later there?";
  } else {
    out.end = Attempt::End::Answered;
  }
  return out;
}

Attempt Client::call(const char* path, const Json& body, const Deadline& deadline, bool& unsure) {
  const std::string text = body.dump();
  std::string why;
  Duration pause{20};
  for (std::size_t tried = 1;; ++tried) {
    const std::size_t at = preferred_.load(std::memory_order_relaxed) % endpoints_.size();
    const Duration limit = std::min(kAttempt, left(deadline));
    if (limit <= Duration(0)) break;
    Attempt out = attempt(endpoints_[at], path, text, limit);
    using End = Attempt::End;
    if (out.end == End::Answered || out.end == End::Refused || out.end == End::TooLong) return out;
    if (out.end == End::Unknown) unsure = true;
    why = out.words;
    std::size_t was = at;
    preferred_.compare_exchange_strong(was, (at + 1) % endpoints_.size());
    if (tried % endpoints_.size() == 0) {
      std::this_thread::sleep_for(std::max(Duration(0), std::min(pause, left(deadline))));
      pause = std::min(pause * 2, Duration(500));
    }
  }
  throw StoreFailed(StoreFailed::Unreachable, name_ + ": no endpoint of etcd has answered in time" +
                                                  (why.empty() ? "" : ", the last: " + why) +
                                                  "; is a majority of its members running?");
}

Json Client::ask(const char* path, const Json& body, const Deadline& deadline) {
  bool unsure = false;
  Attempt out = call(path, body, deadline, unsure);
  if (out.end == Attempt::End::Refused) throw refused(out.refusal);
  if (out.end == Attempt::End::TooLong)
    throw StoreFailed(StoreFailed::Unknown, name_ + ": an answer of etcd has more than 8 MiB");
  return std::move(out.answer);
}

StoreFailed Client::refused(const Refusal& refusal) const {
  const std::string words = name_ + ": etcd refuses: " + refusal.words;
  if (refusal.code == kResourceExhausted && refusal.words.find("space exceeded") != std::string::npos)
    return {StoreFailed::Full, words +
                                   "; nothing is lost: compact and defragment it, or raise its quota, then disarm "
                                   "its alarm (etcdctl alarm disarm)"};
  if (refusal.code == kInvalidArgument) return {StoreFailed::TooLarge, words};
  return {StoreFailed::Unknown, words};
}

}  // namespace callis::services::etcd
