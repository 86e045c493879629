// SPDX-License-Identifier: Apache-2.0
// callis trading as a program, with its client callis trade: output, exit status, restarts, two traders with a link.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <tools/ior/testing/ran.h>
#include <unistd.h>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace callis::trade {
namespace {

using tools::testing::Ended;
using tools::testing::ran;

const std::string kBin = std::string(CALLIS_BINARY_DIR) + "/bin/";

// A trader at a port that the system chooses, which anybody may administer; its reference stands in FOLDER/NAME.
class Trader {
 public:
  Trader(const std::filesystem::path& folder, const std::string& name, const std::string& options = "")
      : reference_(folder / name) {
    const std::string words = "callis-trading -ORBEndpoint tcp:127.0.0.1:0 --allow admin=any " + options;
    service_ = ::popen(("echo $$; exec " + kBin + words).c_str(), "r");
    char line[8192];
    if (std::fgets(line, sizeof line, service_)) pid_ = std::stoi(line);
    if (!std::fgets(line, sizeof line, service_)) ADD_FAILURE() << "callis trading has not started";
    std::ofstream(reference_) << line;
  }
  ~Trader() {
    ::kill(pid_, SIGTERM);
    EXPECT_EQ(::pclose(service_), 0);
  }
  Trader(const Trader&) = delete;
  Trader& operator=(const Trader&) = delete;

  Ended run(const std::string& arguments) const {
    return ran(kBin + "callis-trade --trader " + reference_.string() + " " + arguments);
  }
  // The output of what must succeed.
  std::string says(const std::string& arguments) const {
    const Ended e = run(arguments);
    EXPECT_EQ(e.status, 0) << arguments << ": " << e.output;
    return e.output;
  }

 private:
  const std::filesystem::path reference_;
  std::FILE* service_ = nullptr;
  pid_t pid_ = 0;
};

struct TradeProgram : ::testing::Test {
  std::filesystem::path folder = make_folder();
  ~TradeProgram() override { std::filesystem::remove_all(folder); }
  static std::filesystem::path make_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "callis_trade_XXXXXX").string();
    return ::mkdtemp(name.data());
  }
};

constexpr const char* kType =
    "types add Printer Cost:long:mandatory Name:string 'Inks:sequence<string>' Floor:short:readonly";
const std::string kThing = "corbaloc::127.0.0.1:9/thing ";

TEST_F(TradeProgram, declares_types_exports_finds_and_withdraws_offers) {
  const Trader t(folder, "trader");
  t.says(kType);
  t.says("types add Colour --super Printer");
  EXPECT_EQ(t.says("types"), "Colour\nPrinter\n");
  EXPECT_EQ(t.says("types Colour"),
            "Colour\n  is a Printer\n  Cost:long:mandatory\n  Floor:short:readonly\n"
            "  Inks:sequence<string>\n  Name:string\n");
  const std::string id = t.says("offer Colour " + kThing + "Cost=5 Inks=red,blue 'Name=the big one'");
  t.says("offer Printer " + kThing + "Cost=3 Note=new");
  EXPECT_EQ(t.says("query Printer \"'red' in Inks\""),
            "(type unknown)\n  Cost=5\n  Inks=('red', 'blue')\n  Name='the big one'\n");
  EXPECT_EQ(t.says("query Printer --prefer 'min Cost' --properties Cost"),
            "(type unknown)\n  Cost=3\n(type unknown)\n  Cost=5\n");
  EXPECT_EQ(t.says("query Printer --exact --properties Note"), "(type unknown)\n  Note='new'\n");
  EXPECT_NE(t.says("query Printer 'Cost < 4' --json").find("\"Cost\":3,\"Note\":\"new\""), std::string::npos);
  EXPECT_NE(t.says("query Printer --most 1").find("limited by return_card"), std::string::npos);
  t.says("modify " + id.substr(0, 16) + " Cost=6 --delete Name");
  EXPECT_NE(t.says("show " + id.substr(0, 16)).find("Cost=6\n"), std::string::npos);
  EXPECT_EQ(t.says("ls").size(), 2 * 17u);
  t.says("withdraw " + id.substr(0, 16));
  t.says("withdraw --type Printer 'Cost == 3'");
  EXPECT_EQ(t.says("query Printer"), "");
  t.says("types rm Colour Printer");
}

TEST_F(TradeProgram, says_what_is_wrong_and_where) {
  const Trader t(folder, "trader");
  t.says(kType);
  Ended e = t.run("query Printer 'Cost < '");
  EXPECT_EQ(e.status, 2);
  EXPECT_EQ(
      e.output,
      "callis trade: constraint:1:8: an expression was expected here, where the text ends\n  Cost < \n         ^\n");
  e = t.run("query Printer 'Name < 5'");  // only the trader knows the type of Name
  EXPECT_EQ(e.status, 3);
  EXPECT_EQ(e.output,
            "callis trade: query Printer: IllegalConstraint: Name < 5\n  1:1: a text is compared with a number\n");
  EXPECT_EQ(t.run("query Scanner").status, 3);
  EXPECT_EQ(t.run("offer Printer " + kThing).output,
            "callis trade: offer Printer: MissingMandatoryProperty: 'Cost'\n");
  EXPECT_EQ(t.run("offer Printer " + kThing + "Cost=much").output, "callis trade: 'much' is no value of type long\n");
  EXPECT_EQ(t.run("buy").status, 2);
  EXPECT_EQ(t.run("withdraw 123").status, 3);
  EXPECT_EQ(ran(kBin + "callis-trade --trader corbaloc::127.0.0.1:9/TradingService ls").status, 4);
}

TEST_F(TradeProgram, finds_what_a_killed_trader_had_acknowledged) {
  const std::string store = "--store " + (folder / "offers.db").string();
  std::string id;
  {
    std::FILE* const service =
        ::popen(("echo $$; exec " + kBin + "callis-trading -ORBEndpoint tcp:127.0.0.1:0 " + store).c_str(), "r");
    char line[8192];
    ASSERT_TRUE(std::fgets(line, sizeof line, service));
    const pid_t pid = std::stoi(line);
    ASSERT_TRUE(std::fgets(line, sizeof line, service));
    std::ofstream(folder / "killed") << line;
    const std::string trade = kBin + "callis-trade --trader " + (folder / "killed").string() + " ";
    EXPECT_EQ(ran(trade + kType).status, 0);
    id = ran(trade + "offer Printer " + kThing + "Cost=5").output;
    EXPECT_EQ(ran(kBin + "callis-trading -ORBEndpoint tcp:127.0.0.1:0 " + store).status, 1);  // it is in use
    ::kill(pid, SIGKILL);
    ::pclose(service);
  }
  const Trader t(folder, "again", store);
  EXPECT_EQ(t.says("ls"), id);
  EXPECT_EQ(t.says("query Printer 'Cost == 5'"), "(type unknown)\n  Cost=5\n");
}

TEST_F(TradeProgram, follows_links_between_two_traders) {
  const Trader here(folder, "here"), there(folder, "there");
  for (const Trader* t : {&here, &there}) t->says(kType);
  here.says("offer Printer " + kThing + "Cost=1");
  there.says("offer Printer " + kThing + "Cost=2");
  here.says("link add there " + (folder / "there").string() + " --pass-on always");
  there.says("link add back " + (folder / "here").string() + " --pass-on always");
  EXPECT_EQ(here.says("query Printer"), "(type unknown)\n  Cost=1\n");
  EXPECT_EQ(here.says("query Printer --follow always --prefer 'max Cost'"),
            "(type unknown)\n  Cost=2\n(type unknown)\n  Cost=1\n");
  EXPECT_EQ(here.says("query Printer --via there --via back --via there"), "(type unknown)\n  Cost=2\n");
  here.says("settings max_follow_policy=local_only");
  EXPECT_NE(here.says("settings").find("max_follow_policy=local_only\n"), std::string::npos);
  EXPECT_EQ(here.says("query Printer 'Cost == 2' --follow always").substr(0, 12), "callis trade");
  EXPECT_EQ(here.says("link").substr(0, 41), "there  --pass-on always --limit always\n  ");
  here.says("link rm there");
  EXPECT_EQ(here.says("link"), "");
}

}  // namespace
}  // namespace callis::trade
