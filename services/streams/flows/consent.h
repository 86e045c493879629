// SPDX-License-Identifier: Apache-2.0
// Consent: whether the receiver of a flow over UDP wants it. An address comes from a peer, and may be anybody's; who
// is there is asked first, by datagrams of 24 bytes, and answers with the number that only he can have read there.
//
//   this end                                    the other one
//     "callisFQ", 16 random bytes      ──►        takes datagrams of the agreed peer alone, so it is who asks
//                                      ◄──        "callisFA", the same 16 bytes
//     the flow begins
//
// Until then nothing else is sent. The question is repeated, kMostQuestions times in all, and then the flow ends: an
// address that wants nothing gets 120 bytes. The answer is as long as the question, and differs from it, so that
// a service which sends everything back does not answer. 'c' begins no packet of RTP or RTCP and no message of SFP.
//
// Without sockets and clock. Not for several threads at once.
#pragma once
#include <callis/base/bytes.h>
#include <array>
#include <chrono>
#include <optional>

namespace callis::streams {

class Consent final {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::size_t kBytes = 24;
  static constexpr int kMostQuestions = 5;
  using Message = std::array<Byte, kBytes>;

  // Throws FlowFailed where the system has no random numbers.
  Consent();

  // When ask() is to be called next.
  Time due() const { return due_; }
  // What is to be sent now. Nothing: it is too early, or over() holds.
  std::optional<Message> ask(Time now);
  // The peer has just asked itself, so it is there: the next question need not wait.
  void peer_is_there(Time now);
  // All questions have been sent, and the last one was not answered.
  bool over(Time now) const { return questions_ == kMostQuestions && now >= due_; }
  // Whether that is the answer to this question; to any.
  bool answers(ByteView datagram) const;
  static bool is_answer(ByteView datagram);

  // The answer to a question; nothing: the datagram is none.
  static std::optional<Message> answer_to(ByteView datagram);

 private:
  Message question_;
  int questions_ = 0;
  Time due_{};
};

}  // namespace callis::streams
