// SPDX-License-Identifier: Apache-2.0
// Lines of the log as text, with time and process, and as JSON.
#include <gtest/gtest.h>
#include <callis/base/log_format.h>
#include <unistd.h>
#include <string>

namespace callis {
namespace {

constexpr std::int64_t kWhen = 1'764'118'923'056;

std::string line(LogFormat format, std::string_view text, std::string_view service = "bank") {
  const LogLine made(format, LogLevel::Warning, text, service, kWhen, 4711);
  return std::string(std::string_view(made));
}

// What log() writes to standard error meanwhile.
std::string written(LogFormat format, std::string_view service = {}) {
  set_log_format(format, service);
  testing::internal::CaptureStderr();
  log(LogLevel::Error, "it is \"so\"");
  const std::string said = testing::internal::GetCapturedStderr();
  set_log_format(LogFormat::Plain);
  return said;
}

TEST(LogLine, HasTheFormAskedFor) {
  EXPECT_EQ(line(LogFormat::Plain, "text"), "callis: warning: text\n");
  EXPECT_EQ(line(LogFormat::Time, "text"), "2025-11-26T01:02:03.056Z callis[4711]: warning: text\n");
  EXPECT_EQ(line(LogFormat::Json, "text"),
            "{\"time\":\"2025-11-26T01:02:03.056Z\",\"level\":\"warning\",\"service\":\"bank\",\"pid\":4711,"
            "\"text\":\"text\"}\n");
}

TEST(LogLine, IsJsonWhateverTheText) {
  const std::string json = line(LogFormat::Json, "a\"b\\x01\xc3\xa4", "q\"");
  EXPECT_TRUE(json.ends_with("\"service\":\"q\\\"\",\"pid\":4711,\"text\":\"a\\\"b\\\\x01\xc3\xa4\"}\n")) << json;
  EXPECT_NE(line(LogFormat::Json, "text", "q\x01").find("\"service\":\"q\\u0001\","), std::string::npos);
  const std::string most(Printable::kMost + 3, '"'), controls(Printable::kMost, '\x01');
  EXPECT_TRUE(line(LogFormat::Json, most, controls).ends_with("\"}\n"));
  EXPECT_TRUE(line(LogFormat::Json, most, most).ends_with("\"}\n"));
}

TEST(LogFormats, AreThoseOfTheDefaultSink) {
  EXPECT_EQ(written(LogFormat::Plain), "callis: error: it is \"so\"\n");
  const std::string end = "Z callis[" + std::to_string(::getpid()) + "]: error: it is \"so\"\n";
  EXPECT_TRUE(written(LogFormat::Time).ends_with(end));
  const std::string json = written(LogFormat::Json);
  EXPECT_TRUE(json.starts_with("{\"time\":\"2") && json.ends_with(",\"text\":\"it is \\\"so\\\"\"}\n")) << json;
  EXPECT_NE(json.find("\"service\":\"base_test\","), std::string::npos) << json;  // the program
  EXPECT_NE(written(LogFormat::Json, "mill").find("\"service\":\"mill\","), std::string::npos);
}

TEST(LogFormats, LeaveASinkOfTheProgramsOwnAlone) {
  static std::string heard;
  const LogTarget before = set_log_sink([](LogLevel, std::string_view text, void*) { heard = text; }, nullptr);
  EXPECT_EQ(before.sink, nullptr);  // the default
  EXPECT_EQ(written(LogFormat::Json), "");
  EXPECT_EQ(heard, "it is \"so\"");
  set_log_format(LogFormat::Time);
  set_log_sink(nullptr, nullptr);  // the default of now
  testing::internal::CaptureStderr();
  log(LogLevel::Error, "again");
  EXPECT_TRUE(testing::internal::GetCapturedStderr().ends_with("]: error: again\n"));
  set_log_format(LogFormat::Plain);
}

}  // namespace
}  // namespace callis
