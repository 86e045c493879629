// SPDX-License-Identifier: Apache-2.0
// Generated code and bytes that no stub has written: both styles refuse the same, and free what they had.
#include "cases.h"
#include <callis/classic/exception.h>
#include <gtest/gtest.h>

namespace {

using namespace loopback;

class EveryMessage : public testing::TestWithParam<std::size_t> {
 protected:
  // Once in each style, so that both know the same references, whatever other tests have made of them before.
  EveryMessage() {
    forget_references();
    EXPECT_TRUE(of(cases::interpreted()).run(0));
    EXPECT_TRUE(of(cases::compiled()).run(0));
  }
  const cases::Case& of(const cases::Style& style) const { return style.cases[GetParam()]; }
  std::string operation() const { return std::string(of(cases::interpreted()).operation); }

  // What a style's server makes of a request: its fault, and its reply when there is none.
  Call serve_by(const cases::Style& style, const Bytes& request) {
    select_style(std::string(style.name));
    serve(style.values_servant(), operation(), request);
    return last_call();
  }
  // Equal outcomes; which of several faults comes first is a matter of taste.
  void expect_agreement(const Bytes& request, const char* what, std::size_t where) {
    const Call a = serve_by(cases::interpreted(), request), b = serve_by(cases::compiled(), request);
    EXPECT_EQ(a.server_fault == callis::Fault::None, b.server_fault == callis::Fault::None)
        << what << ' ' << where << ": interpreted " << fault_name(a.server_fault) << ", compiled "
        << fault_name(b.server_fault);
    if (a.server_fault == callis::Fault::None) {
      EXPECT_EQ(a.reply, b.reply) << what << ' ' << where;
    }
  }
  Bytes request_of(unsigned seed) {
    EXPECT_TRUE(of(cases::interpreted()).run(seed));
    return last_call().request;
  }
  Scope scope_;
};

TEST_P(EveryMessage, CutAnywhereIsRefusedByBothStyles) {
  for (unsigned seed = 0; seed < 3; ++seed) {
    const Bytes whole = request_of(seed);
    for (std::size_t n = 0; n < whole.size(); ++n) {
      const Bytes half(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n));
      EXPECT_NE(serve_by(cases::interpreted(), half).server_fault, callis::Fault::None) << n;
      EXPECT_NE(serve_by(cases::compiled(), half).server_fault, callis::Fault::None) << n;
    }
  }
}

TEST_P(EveryMessage, WithAnyBitFlippedHasOneOutcome) {
  for (const auto order : {callis::ByteOrder::Big, callis::ByteOrder::Little}) {
    settings().order = order;
    Bytes message = request_of(1);
    const std::size_t step = message.size() > 400 ? 13 : 1;
    for (std::size_t bit = 0; bit < message.size() * 8; bit += step) {
      message[bit / 8] = static_cast<std::uint8_t>(message[bit / 8] ^ 1u << bit % 8);
      expect_agreement(message, "bit", bit);
      message[bit / 8] = static_cast<std::uint8_t>(message[bit / 8] ^ 1u << bit % 8);
    }
  }
}

TEST_P(EveryMessage, OfNoiseHasOneOutcome) {
  std::uint64_t state = 88172645463325252u + GetParam();
  const auto next = [&state] {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
  };
  for (int i = 0; i < 300; ++i) {
    Bytes message(next() % 120);
    // Small numbers are often valid counts.
    for (std::size_t k = 0; k < message.size(); ++k)
      message[k] = static_cast<std::uint8_t>(k % 4 == 0 ? next() % 9 : next() % 4 == 0 ? next() : 0);
    expect_agreement(message, "message", static_cast<std::size_t>(i));
  }
}

TEST_P(EveryMessage, ReplyCutAnywhereIsThrownAsMarshal) {
  for (const cases::Style* style : {&cases::interpreted(), &cases::compiled()}) {
    ASSERT_TRUE(of(*style).run(2));
    const std::size_t whole = last_call().reply.size();
    for (std::size_t n = 0; n < whole; n += whole > 1000 && n > 200 ? 11 : 1) {
      settings().spoil_reply = [n](Bytes& reply) { reply.resize(n); };
      try {
        of(*style).run(2);
        ADD_FAILURE() << style->name << " accepted " << n << " of " << whole << " bytes";
      } catch (const CORBA::MARSHAL& e) {
        EXPECT_EQ(e.completed(), CORBA::COMPLETED_YES);
      }
    }
    settings().spoil_reply = nullptr;
  }
}

std::vector<std::size_t> indices() {
  std::vector<std::size_t> all(cases::interpreted().cases.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  return all;
}

INSTANTIATE_TEST_SUITE_P(Corpus, EveryMessage, testing::ValuesIn(indices()), [](const auto& about) {
  return std::string(cases::interpreted().cases[about.param].operation);
});

}  // namespace
