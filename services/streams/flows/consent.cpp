// SPDX-License-Identifier: Apache-2.0
#include <services/streams/flows/consent.h>
#include <services/streams/flows/flow_failed.h>
#include <sys/random.h>
#include <algorithm>
#include <string_view>

namespace callis::streams {

namespace {

using namespace std::chrono_literals;
constexpr std::string_view kQuestion = "callisFQ", kAnswer = "callisFA";
constexpr std::chrono::milliseconds kFirst = 50ms;  // until the second question; then four times as long each time

bool begins(ByteView bytes, std::string_view with) {
  return bytes.size() >= with.size() &&
         std::equal(with.begin(), with.end(), bytes.begin(), [](char a, Byte b) { return Byte(a) == b; });
}

void put(Consent::Message& into, std::string_view head) {
  std::transform(head.begin(), head.end(), into.begin(), [](char c) { return static_cast<Byte>(c); });
}

}  // namespace

Consent::Consent() {
  put(question_, kQuestion);
  const std::size_t n = kBytes - kQuestion.size();
  if (::getrandom(question_.data() + kQuestion.size(), n, 0) != static_cast<ssize_t>(n))
    throw FlowFailed("the system has no random numbers to ask a flow's receiver with");
}

std::optional<Consent::Message> Consent::ask(Time now) {
  if (now < due_ || questions_ == kMostQuestions) return {};
  due_ = now + kFirst * (1 << (2 * questions_++));
  return question_;
}

void Consent::peer_is_there(Time now) {
  if (questions_ != kMostQuestions) due_ = std::min(due_, now);
}

bool Consent::answers(ByteView datagram) const {
  return is_answer(datagram) &&
         std::equal(datagram.begin() + kAnswer.size(), datagram.end(), question_.begin() + kQuestion.size());
}

bool Consent::is_answer(ByteView datagram) { return datagram.size() == kBytes && begins(datagram, kAnswer); }

std::optional<Consent::Message> Consent::answer_to(ByteView datagram) {
  if (datagram.size() != kBytes || !begins(datagram, kQuestion)) return {};
  Message out;
  std::copy(datagram.begin(), datagram.end(), out.begin());
  put(out, kAnswer);
  return out;
}

}  // namespace callis::streams
