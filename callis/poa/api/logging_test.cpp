// SPDX-License-Identifier: Apache-2.0
// The log's lines at each level (docs/guide/logging.md): connections, calls and requests, messages.
#include <callis/base/testing/log_lines.h>
#include <callis/poa/testing/tcp_fixture.h>
#include <algorithm>

namespace callis::poa::testing {
namespace {

using namespace PortableServer;
using callis::testing::LogLines;

template <LogLevel kLevel>
struct LinesAt {
  LogLines lines{kLevel};
};
template <LogLevel kLevel>
struct LogAt : LinesAt<kLevel>, TcpFixture {
  std::string all() const {
    std::string text;
    for (const std::string& line : this->lines.all()) text += line + '\n';
    return text;
  }
  // The line that begins so.
  std::string line(const std::string& begin) const {
    for (const std::string& each : this->lines.all())
      if (each.starts_with(begin)) return each;
    ADD_FAILURE() << "no line \"" << begin << "\" in\n" << all();
    return {};
  }
  static ::testing::AssertionResult has(const std::string& line, std::initializer_list<const char*> parts) {
    for (const char* part : parts)
      if (line.find(part) == std::string::npos) return ::testing::AssertionFailure() << part << " is not in " << line;
    return ::testing::AssertionSuccess();
  }
};
using LogInfo = LogAt<LogLevel::Info>;
using LogDebug = LogAt<LogLevel::Debug>;
using LogTrace = LogAt<LogLevel::Trace>;

TEST_F(LogInfo, SaysWhereTheOrbListensAndWhatReferencesCarry) {
  EXPECT_TRUE(has(line("listening at tcp:127.0.0.1:0"), {"references carry tcp:127.0.0.1:"}));
}

TEST_F(LogInfo, SaysThatConnectionsAreOpenedAndClosedAndNothingOfCalls) {
  OrbFixture::ping(object.in());
  EXPECT_TRUE(has(line("connection opened to 127.0.0.1:"), {}));
  await([&] { return lines.with("connection accepted from 127.0.0.1:") != 0; });
  client->destroy();
  EXPECT_TRUE(has(line("connection closed: 127.0.0.1:"), {}));
  await([&] { return lines.with("connection lost: 127.0.0.1:") != 0; });
  EXPECT_TRUE(has(line("connection lost: "), {"the peer has closed it"}));
  EXPECT_EQ(lines.with("ping"), 0u) << all();
  client = make({});  // for the fixture to destroy
}

TEST_F(LogDebug, HasALineForEachCallAndAnswerRequestAndReply) {
  OrbFixture::ping(object.in());
  await([&] { return lines.with("reply to ping()") != 0; });
  EXPECT_TRUE(has(line("call ping() of "), {" at tcp:127.0.0.1:"}));
  EXPECT_TRUE(has(line("request ping() of "), {" from 127.0.0.1"}));
  EXPECT_TRUE(has(line("reply to ping() of "), {" from 127.0.0.1: ok, ", " ms"}));
  EXPECT_TRUE(has(line("answer to ping() of "), {" at tcp:127.0.0.1:", ": ok, ", " ms"}));
  EXPECT_EQ(lines.with("GIOP"), 0u) << all();
}

TEST_F(LogDebug, SaysHowCallsEnd) {
  probe->during = [] { throw CORBA::NO_PERMISSION(5, CORBA::COMPLETED_NO, "locked"); };
  thrown_by([&] { OrbFixture::act(object.in()); });
  EXPECT_TRUE(has(line("answer to act()"), {"system exception CORBA::NO_PERMISSION", "locked"}));
  thrown_by([&] { OrbFixture::greet(object.in(), "stranger"); });
  EXPECT_TRUE(has(line("answer to greet()"), {"user exception IDL:test/Refused:1.0 {\"go away\"}"}));
  await([&] { return lines.with("reply to greet()") != 0; });
  EXPECT_TRUE(has(line("reply to act()"), {"system exception CORBA::NO_PERMISSION"}));
  EXPECT_TRUE(has(line("reply to greet()"), {"user exception IDL:test/Refused:1.0"}));
  OrbFixture::tick(object.in(), 1);
  EXPECT_TRUE(has(line("answer to tick()"), {"no reply is waited for"}));
}

TEST_F(LogDebug, HasCallsWithinTheOrbToo) {
  OrbFixture::ping(own.in());
  EXPECT_TRUE(has(line("reply to ping()"), {"from this process"}));
  EXPECT_EQ(probe->pings, 1);
}

TEST_F(LogTrace, HasEachMessageAsFarAsItsHeaderGoes) {
  OrbFixture::ping(object.in());
  OrbFixture::ping(object.in());
  await([&] { return lines.with("Reply") >= 4; });
  for (const char* way : {"-> 127.0.0.1:", "<- 127.0.0.1:"}) {
    const auto all_lines = lines.all();
    EXPECT_EQ(std::count_if(all_lines.begin(), all_lines.end(),
                            [&](const auto& l) {
                              return l.starts_with(way) && has(l, {"GIOP 1.2 Request, ", "-endian, ", " bytes, id ",
                                                                   ", operation ping, key "});
                            }),
              2) << all();
    EXPECT_EQ(std::count_if(all_lines.begin(), all_lines.end(),
                            [&](const auto& l) {
                              return l.starts_with(way) && has(l, {"GIOP 1.2 Reply, ", ", NO_EXCEPTION"});
                            }),
              2) << all();
  }
}

TEST_F(LogTrace, NamesServiceContexts) {
  probe->during = [] { throw CORBA::NO_PERMISSION(5, CORBA::COMPLETED_NO, "locked"); };
  thrown_by([&] { OrbFixture::act(object.in()); });
  EXPECT_NE(lines.with(", SYSTEM_EXCEPTION, contexts ExceptionDetailMessage"), 0u) << all();
}

struct LogOff : TcpFixture {};
TEST_F(LogOff, LeavesCallsPlain) {
  const LogLines lines(LogLevel::Trace);  // too late for the ORBs of the fixture
  OrbFixture::ping(object.in());
  EXPECT_EQ(lines.with("call ping()"), 0u);
}

}  // namespace
}  // namespace callis::poa::testing
