// SPDX-License-Identifier: Apache-2.0
// Calls etcd's HTTP/JSON gateway (/v3/...). Endpoints are tried in turn. Each attempt has its time, and all together
// have a deadline.
#pragma once
#include <callis/base/clock.h>
#include <services/common/curl_library.h>
#include <services/common/etcd_text.h>
#include <services/common/store_failed.h>
#include <atomic>
#include <mutex>
#include <optional>
#include <stdexcept>

namespace callis::services::etcd {

// etcd has answered, and refused. The attempt has changed nothing.
struct Refusal {
  int code = 0;  // gRPC's: 3 INVALID_ARGUMENT, 5 NOT_FOUND, 8 RESOURCE_EXHAUSTED, 11 OUT_OF_RANGE ...
  std::string words;  // words_of() etcd's
};

// The result of one attempt.
struct Attempt {
  enum class End {
    Answered,  // answer
    Refused,   // refusal
    NotSent,   // nobody took the request: another endpoint may
    Unknown,   // the request was sent, but no answer says what became of it
    TooLong,   // the answer is longer than kMostAnswerBytes
  };
  End end = End::NotSent;
  Json answer;
  Refusal refusal;
  std::string words;  // NotSent, Unknown: why
};

class Client final {
 public:
  // If a page of pairs is longer, a smaller page is asked for. One pair has some 1.5 MB.
  static constexpr std::size_t kMostAnswerBytes = 8u << 20, kMostValues = 100'000;
  // The time of one attempt, if the deadline does not come sooner.
  static constexpr Duration kConnect{1'000}, kAttempt{3'000};

  // name: of the store, for messages. Throws StoreFailed if libcurl is missing.
  Client(std::string name, std::vector<std::string> endpoints);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Tries until an endpoint has answered or refused. Sets `unsure` when an attempt ended Unknown. Throws
  // StoreFailed::Unreachable at the deadline. Any thread may call.
  Attempt call(const char* path, const Json& body, const Deadline& deadline, bool& unsure);
  // Does the same for a request that may be done twice. Throws refused() if etcd refuses.
  Json ask(const char* path, const Json& body, const Deadline& deadline);
  // Returns the failure for a refusal.
  StoreFailed refused(const Refusal& refusal) const;

  const std::string& name() const { return name_; }
  const std::vector<std::string>& endpoints() const { return endpoints_; }

 private:
  Attempt attempt(const std::string& endpoint, const char* path, const std::string& body, Duration limit);
  CURL* take();
  void give_back(CURL* handle);

  const CurlLibrary& curl_;
  const std::string name_;
  const std::vector<std::string> endpoints_;
  curl_slist* headers_ = nullptr;
  std::atomic<std::size_t> preferred_{0};
  std::mutex mutex_;
  std::vector<CURL*> free_;  // with their connections
};

// Returns the error that the answer of etcd's gateway tells; nothing if there is none.
std::optional<Refusal> refusal_in(const Json& answer);
// Returns whether another attempt may succeed: after no leader, too many requests, a member that stops.
bool passes(const Refusal& refusal);

}  // namespace callis::services::etcd
