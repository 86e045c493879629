// SPDX-License-Identifier: Apache-2.0
// Headers of requests that serve again.
#include <callis/giop/request.h>
#include <callis/orb/endpoint/request_templates.h>
#include <gtest/gtest.h>
#include <functional>

namespace callis::orb {
namespace {

using Kind = RequestTemplates::Kind;
const char kOperations[8] = {};  // eight identities

Kind kind(int operation, std::uint64_t reference = 1) { return {reference, &kOperations[operation], 0}; }

struct Templates : ::testing::Test {
  RequestTemplates templates;
  Buffer request;

  // Builds the header of that operation's requests and keeps it.
  void keep(int operation, const std::string& name) {
    templates.front_changes();
    request.clear();
    cdr::Encoder e(request);
    const Byte key[] = {1, 2, 3};
    const giop::Started s =
        giop::begin_request(e, giop::kGiop12, {.request_id = 7, .target = giop::Target::key(key), .operation = name});
    e.finish();
    templates.keep(kind(operation), s, request);
  }
  // The operation in the header at the front of the request; "" when the kind is not known.
  std::string put(const Kind& k) {
    const giop::Started* s = templates.put(k, request);
    if (!s) return "";
    EXPECT_EQ(request.size(), s->body);
    cdr::Budget budget{1 << 20, 64};
    cdr::Decoder d(request.view().subspan(giop::kHeaderBytes), kNativeOrder, budget, giop::kBodyPhase);
    giop::RequestHeader h;
    EXPECT_TRUE(giop::decode(d, giop::kGiop12, h, Limits{}));
    return std::string(h.operation);
  }
};

TEST_F(Templates, know_nothing_at_first) { EXPECT_EQ(put(kind(0)), ""); }

TEST_F(Templates, serve_the_last_kind_again_and_again) {
  keep(0, "zero");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(put(kind(0)), "zero");
}

// A call is prepared as long as its header is at the front, with its key.
TEST_F(Templates, forget_the_prepared_call_at_the_next_request_of_another_kind) {
  const RequestTemplates::Prepared call{&kOperations[0], &request, 1};
  const RequestTemplates::Prepared elsewhere{&kOperations[0], &templates, 1};
  const RequestTemplates::Prepared another{&kOperations[0], &request, 2};
  EXPECT_FALSE(templates.find(call));
  keep(0, "zero");
  keep(1, "one");
  const std::function<void()> changes[] = {[&] { put(kind(1)); }, [&] { put(kind(0)); }, [&] { put(kind(7)); },
                                           [&] { templates.front_changes(); }, [&] { keep(2, "two"); },
                                           [&] { templates.prepare({}); }};
  for (const auto& change : changes) {
    keep(0, "zero");
    EXPECT_EQ(put(kind(0)), "zero");
    templates.prepare(call);
    EXPECT_TRUE(templates.find(call));
    EXPECT_FALSE(templates.find(elsewhere));
    EXPECT_FALSE(templates.find(another));
    change();
    EXPECT_FALSE(templates.find(call));
  }
}

TEST_F(Templates, serve_alternating_kinds) {
  keep(0, "zero");
  keep(1, "one");
  keep(2, "and a longer name for the second one");
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(put(kind(0)), "zero");
    EXPECT_EQ(put(kind(2)), "and a longer name for the second one");
    EXPECT_EQ(put(kind(1)), "one");
  }
}

TEST_F(Templates, keep_kinds_apart) {
  keep(0, "zero");
  EXPECT_EQ(put(kind(0, 2)), "") << "another reference";
  EXPECT_EQ(put(Kind{1, &kOperations[0], 1}), "") << "another way of addressing";
  EXPECT_EQ(put(Kind{1, nullptr, 0}), "") << "an operation without identity";
}

TEST_F(Templates, forget_the_oldest_when_there_are_too_many) {
  for (int i = 0; i <= static_cast<int>(RequestTemplates::kCount); ++i) keep(i, "operation" + std::to_string(i));
  EXPECT_EQ(put(kind(0)), "");
  for (int i = 1; i <= static_cast<int>(RequestTemplates::kCount); ++i)
    EXPECT_EQ(put(kind(i)), "operation" + std::to_string(i));
}

TEST_F(Templates, survive_a_front_that_was_overwritten) {
  keep(0, "zero");
  templates.front_changes();
  request.clear();
  ASSERT_TRUE(request.append(std::vector<Byte>(100, 0xee)));
  EXPECT_EQ(put(kind(0)), "zero");
}

// References whose requests differ by the key alone share a header.
TEST_F(Templates, put_the_key_of_the_reference_that_is_called) {
  std::vector<Byte> first = {1, 2, 3}, second = {7, 8, 9};
  const auto shared = [](int operation, std::uint64_t target, const std::vector<Byte>& key) {
    return Kind{0, &kOperations[operation], 3, target, key};
  };
  const auto key = [&] {
    return std::vector<Byte>(request.data() + giop::kKeyAt, request.data() + giop::kKeyAt + 3);
  };
  for (int operation = 0; operation < 2; ++operation) {
    templates.front_changes();
    request.clear();
    cdr::Encoder e(request);
    const giop::Started s = giop::begin_request(
        e, giop::kGiop12, {.target = giop::Target::key(first), .operation = operation == 0 ? "zero" : "one"});
    e.finish();
    templates.keep(shared(operation, 1, first), s, request);
  }
  for (int i = 0; i < 3; ++i) {
    for (int operation = 0; operation < 2; ++operation) {
      const char* const name = operation == 0 ? "zero" : "one";
      EXPECT_EQ(put(shared(operation, 2, second)), name);
      EXPECT_EQ(key(), second);
      EXPECT_EQ(put(shared(operation, 1, first)), name);
      EXPECT_EQ(key(), first);
      EXPECT_EQ(put(shared(operation, 3, second)), name) << "another reference in the place of one that is gone";
      EXPECT_EQ(key(), second);
    }
  }
}

TEST_F(Templates, do_not_keep_huge_headers) {
  keep(0, std::string(RequestTemplates::kMaxBytes, 'x'));
  EXPECT_EQ(put(kind(0)), "");
}

}  // namespace
}  // namespace callis::orb
