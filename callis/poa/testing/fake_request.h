// SPDX-License-Identifier: Apache-2.0
// FakeRequest: a request without a connection: arguments written by the test, the reply kept for it.
#pragma once
#include <callis/classic/exception.h>
#include <callis/ior/ior.h>
#include <callis/orb/context/server_request.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace callis::poa::testing {

// The parts of a request that the request refers to.
class FakeQuestion {
 protected:
  FakeQuestion(std::vector<Byte> key, std::string operation)
      : key_(std::move(key)), operation_(std::move(operation)), in_(argument_bytes_) {
    hand_over();
  }
  // Lets the decoder begin at the first argument.
  void hand_over() {
    in_.finish();
    decoder_ = cdr::Decoder(argument_bytes_.view(), kNativeOrder, budget_);
    decoder_.set_arena(&arena_);
  }

  const std::vector<Byte> key_;
  const std::string operation_;
  Arena arena_;
  Buffer argument_bytes_;
  cdr::Budget budget_{1 << 20, 64};
  cdr::Encoder in_;
  cdr::Decoder decoder_{ByteView(), kNativeOrder, budget_};
};

class FakeRequest final : private FakeQuestion, public orb::ServerRequest {
 public:
  enum class Outcome { Nothing, Reply, UserException, SystemException, Forward };

  // client: who asks; nullptr: this process.
  FakeRequest(std::vector<Byte> key, std::string operation, bool response_expected = true, bool comes_back = false,
              const transport::Peer* client = nullptr)
      : FakeQuestion(std::move(key), std::move(operation)),
        ServerRequest({operation_, key_, decoder_, response_expected, comes_back, nullptr, nullptr, client}) {
    exception_id.reserve(64);  // so that answering allocates nothing
  }

  // Writes arguments, before the test hands the request over.
  template <class Write>
  void write(Write write) {
    write(in_);
    hand_over();
  }
  void put(CORBA::Long v) { write([&](cdr::Encoder& e) { e.put(v); }); }
  void put_string(std::string_view v) { write([&](cdr::Encoder& e) { e.put_string(v); }); }
  // Cuts the arguments to n bytes.
  void cut(std::size_t n) { write([n](cdr::Encoder& e) { e.rewind(n); }); }

  cdr::Encoder& reply() override { return start(Outcome::Reply); }
  cdr::Encoder& user_exception(const char* repository_id) override {
    exception_id = repository_id;
    return start(Outcome::UserException);
  }
  void system_exception(const CORBA::SystemException& e) override {
    start(Outcome::SystemException);
    exception_id = e._rep_id();
    minor = e.minor();
    completed = e.completed();
  }
  void location_forward(const ior::Ior& to) override {
    start(Outcome::Forward);
    forward = to;
  }

  // A decoder of the reply.
  cdr::Decoder& out() {
    if (!result_) {
      encoder_->finish();
      result_.emplace(reply_bytes_.view(), kNativeOrder, budget_);
    }
    return *result_;
  }
  std::string text() { return std::string(out().get_string()); }

  // "TRANSIENT 1 NO": the exception's name, its OMG minor or "own N", the completion status; "" when
  // there is none.
  std::string system() const;

  Outcome outcome = Outcome::Nothing;
  std::string exception_id;
  CORBA::ULong minor = 0;
  CORBA::CompletionStatus completed = CORBA::COMPLETED_NO;
  ior::Ior forward;

 private:
  cdr::Encoder& start(Outcome o) {
    outcome = o;
    encoder_.reset();
    reply_bytes_.clear();
    encoder_.emplace(reply_bytes_);
    return *encoder_;
  }

  Buffer reply_bytes_;
  std::optional<cdr::Decoder> result_;
  std::optional<cdr::Encoder> encoder_;
};

inline std::string FakeRequest::system() const {
  if (outcome != Outcome::SystemException) return {};
  const std::size_t from = std::string("IDL:omg.org/CORBA/").size();
  const bool standard = (minor & 0xfffff000) == CORBA::OMGVMCID;
  static const char* const kCompleted[] = {"YES", "NO", "MAYBE"};
  return exception_id.substr(from, exception_id.size() - from - 4) + (standard ? " " : " own ") +
         std::to_string(minor & 0xfff) + " " + kCompleted[completed];
}

}  // namespace callis::poa::testing
