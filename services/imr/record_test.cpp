// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <services/imr/record.h>

namespace callis::imr {
namespace {

Record full() {
  Record r;
  r.name = "tanks";
  r.command = {"/usr/bin/tanks", "-x", "", "a b\n"};
  r.variables = {{"HOME", "/var/tanks"}, {"EMPTY", ""}};
  r.directory = "/var/tanks";
  r.user = "tanks";
  r.activation = Activation::Always;
  r.start_limit = 0;
  r.endpoint = "[::1]:2810";
  r.key_prefixes = {std::string("a\0b", 3)};
  r.max_processes = 7;
  r.linger_ms = 0;
  return r;
}

TEST(ImrRecord, is_the_same_after_it_was_a_text) {
  const Record r = full();
  EXPECT_EQ(problem_with(r), "");
  const auto read = from_text(to_text(r));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, r);
}

TEST(ImrRecord, texts_of_before_there_were_processes_for_clients_are_read) {
  Record r = full();
  r.max_processes = 100;
  r.linger_ms = 30'000;
  std::string text = to_text(r);
  const std::string tail = "3:1005:30000";
  ASSERT_TRUE(text.starts_with("1:2") && text.ends_with(tail));
  text.resize(text.size() - tail.size());
  text[2] = '1';
  const auto read = from_text(text);
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, r);
}

TEST(ImrRecord, texts_that_are_cut_or_longer_are_none) {
  const std::string text = to_text(full());
  for (std::size_t n = 0; n < text.size(); ++n) EXPECT_FALSE(from_text(text.substr(0, n))) << n;
  EXPECT_FALSE(from_text(text + "1:x"));
  EXPECT_FALSE(from_text("1:199999999999999999999:"));
}

TEST(ImrRecord, spoiled_texts_do_not_harm) {
  const std::string text = to_text(full());
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string spoiled = text;
    spoiled[i] = static_cast<char>(spoiled[i] + 1);
    if (const auto read = from_text(spoiled)) {
      EXPECT_EQ(problem_with(*read), "");
    }
  }
}

TEST(ImrRecord, bad_ones_are_told_why) {
  const auto with = [](auto change) {
    Record r = full();
    change(r);
    return problem_with(r);
  };
  EXPECT_NE(with([](Record& r) { r.name = "../x"; }), "");
  EXPECT_NE(with([](Record& r) { r.command[0] = "tanks"; }).find("absolute"), std::string::npos);
  EXPECT_NE(with([](Record& r) { r.command[1] = std::string("\0", 1); }), "");
  EXPECT_NE(with([](Record& r) { r.command.resize(257); }), "");
  EXPECT_NE(with([](Record& r) { r.command[1] = std::string(65'537, 'x'); }), "");
  EXPECT_NE(with([](Record& r) { r.variables[0].first = "A=B"; }), "");
  EXPECT_NE(with([](Record& r) { r.variables[0].first = "CALLIS_IMR"; }), "");
  EXPECT_NE(with([](Record& r) { r.directory = "var"; }), "");
  EXPECT_NE(with([](Record& r) { r.first_pause_ms = 100'000; }), "");
  EXPECT_NE(with([](Record& r) { r.start_deadline_ms = 0; }), "");
  EXPECT_NE(with([](Record& r) { r.endpoint = "host"; }), "");
  EXPECT_NE(with([](Record& r) { r.endpoint = "host:0"; }), "");
  EXPECT_NE(with([](Record& r) { r.endpoint = "::1:80"; }), "");
  EXPECT_NE(with([](Record& r) { r.key_prefixes = {""}; }), "");
  EXPECT_NE(with([](Record& r) { r.max_processes = 0; }), "");
  EXPECT_NE(with([](Record& r) { r.max_processes = 10'001; }), "");
  EXPECT_NE(with([](Record& r) { r.linger_ms = 86'400'001; }), "");
  EXPECT_NE(with([](Record& r) { r.activation = Activation::PerClient; }).find("[::1]:2810"), std::string::npos);
}

TEST(ImrRecord, bytes_and_hexadecimal) {
  EXPECT_EQ(bytes_of_hex("0041ff"), std::string("\0A\xff", 3));
  EXPECT_EQ(hex_of(std::string("\0A\xff", 3)), "0041ff");
  EXPECT_FALSE(bytes_of_hex("0"));
  EXPECT_FALSE(bytes_of_hex("0g"));
}

}  // namespace
}  // namespace callis::imr
