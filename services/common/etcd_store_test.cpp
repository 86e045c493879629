// SPDX-License-Identifier: Apache-2.0
// A store in etcd when answers are lost, members die, instances die, etcd compacts or is full.
#include <services/common/etcd_store.h>
#include <services/common/testing/etcd_cluster.h>
#include <services/common/testing/lossy_proxy.h>
#include <services/common/testing/lying_etcd.h>
#include <services/common/testing/places.h>
#include <services/common/testing/writers.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <iostream>
#include <random>
#include <sstream>

namespace callis::services::testing {
namespace {

int port_of(const EtcdCluster& cluster, int member) {
  const std::string endpoint = cluster.endpoint(member);
  return std::stoi(endpoint.substr(endpoint.find(':') + 1));
}

StoreOptions quick(unsigned deadline_ms) {
  StoreOptions out;
  out.deadline_ms = deadline_ms;
  return out;
}

struct EtcdStoreTest : ::testing::Test {
  void SetUp() override {
    if (!EtcdCluster::is_installed()) GTEST_SKIP() << "no etcd here (etcd-server, etcd-client)";
  }
};

TEST_F(EtcdStoreTest, AppliesATransactionOnceWhoseAnswersAreLost) {
  Follower follower;
  const EtcdCluster cluster(1);
  LossyProxy proxy(port_of(cluster, 0));
  EtcdStore store("etcd:127.0.0.1:" + std::to_string(proxy.port()), test_kind());
  store.commit(put("before", ""));
  store.watch(store.latest(), follower);
  for (int lost = 1; lost <= 3; ++lost) {
    proxy.lose("/v3/kv/txn", lost);
    const std::string key = "k" + std::to_string(lost);
    const Outcome outcome = store.commit({{{key, 0}}, {{key, "1"}}, {}});
    EXPECT_TRUE(outcome.applied) << lost;
    EXPECT_EQ(changed(store, key), outcome.revision);
  }
  EXPECT_EQ(proxy.lost(), 6);
  // Whose condition does not hold, and whose refusal is lost.
  proxy.lose("/v3/kv/txn", 1);
  EXPECT_FALSE(store.commit({{{"k1", 0}}, {{"k1", "2"}}, {}}).applied);
  EXPECT_TRUE(store.commit(put("k1", "3")).applied);
  EXPECT_TRUE(follower.wait_until_it_has({{"k1", "3"}, {"k2", "1"}, {"k3", "1"}}));
  EXPECT_EQ(follower.transactions(), 4);
}

TEST_F(EtcdStoreTest, SaysWhenItDoesNotKnowWhetherAChangeWasTaken) {
  const EtcdCluster cluster(1);
  LossyProxy proxy(port_of(cluster, 0));
  EtcdStore store("etcd:127.0.0.1:" + std::to_string(proxy.port()), test_kind(), quick(1500));
  store.commit(put("a", "1"));
  proxy.lose("/v3/kv/txn", 1'000'000);
  const StoreFailed failed = failure([&] { store.commit(put("a", "2")); });
  EXPECT_EQ(failed.kind(), StoreFailed::Unreachable);
  EXPECT_TRUE(failed.maybe_applied()) << failed.what();
  proxy.lose("", 0);
  EXPECT_TRUE(store.commit(put("b", "1")).applied);
  EXPECT_EQ(all_of(store), (All{{"a", "2"}, {"b", "1"}}));
}

TEST_F(EtcdStoreTest, SaysThatNobodyAnswers) {
  EtcdCluster cluster(1);
  EtcdStore store(cluster.where(), test_kind(), quick(700));
  store.commit(put("a", "1"));
  cluster.kill(0);
  const StoreFailed failed = failure([&] { store.commit(put("a", "2")); });
  EXPECT_EQ(failed.kind(), StoreFailed::Unreachable);
  EXPECT_NE(std::string(failed.what()).find(cluster.endpoint(0)), std::string::npos) << failed.what();
  EXPECT_EQ(failure([&] { EtcdStore(cluster.where(), test_kind(), quick(300)); }).kind(), StoreFailed::Unreachable);
  cluster.start(0);
  EtcdStore again(cluster.where(), test_kind());
  EXPECT_EQ(all_of(again), (All{{"a", "1"}}));
  EXPECT_TRUE(store.commit(put("a", "3")).applied);
}

TEST_F(EtcdStoreTest, IsSharedByInstancesThatTellEachOther) {
  Follower follower;
  const EtcdCluster cluster(1);
  EtcdStore one(cluster.where(), test_kind()), two(cluster.where() + "/callis/test/", test_kind());
  two.watch(two.latest(), follower);
  const Revision a = one.commit(put("a", "1")).revision;
  EXPECT_TRUE(follower.wait_until_it_has({{"a", "1"}}));
  EXPECT_EQ(two.latest(), a);
  EXPECT_TRUE(two.commit({{{"a", a}}, {{"a", "2"}}, {}}).applied);
  EXPECT_FALSE(one.commit({{{"a", a}}, {{"a", "3"}}, {}}).applied);
  one.announce("one");
  two.announce("two");
  EXPECT_EQ(one.instances(), (std::vector<std::string>{"one", "two"}));
  EtcdStore other(cluster.where() + "/elsewhere", {"other", 1, {}});
  EXPECT_TRUE(all_of(other).empty());
  EXPECT_TRUE(other.instances().empty());
}

// Returns the lease of an instance's key, in etcd's hexadecimal.
std::string lease_of_the_instance(const EtcdCluster& cluster) {
  std::istringstream leases(cluster.control("lease list"));
  std::string found;
  for (std::string line; std::getline(leases, line);) {
    if (line.find(' ') != line.npos) continue;  // "found 1 leases"
    if (cluster.control("lease timetolive --keys " + line).find("!instance") == std::string::npos) continue;
    EXPECT_EQ(found, "");
    found = line;
  }
  EXPECT_NE(found, "");
  return found;
}

TEST_F(EtcdStoreTest, ForgetsAnInstanceThatHasDied) {
  const EtcdCluster cluster(1);
  EtcdStore store(cluster.where(), test_kind());
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    EtcdStore dying(cluster.where(), test_kind());
    dying.announce("dying");
    if (::write(ends[1], "x", 1) != 1) ::_exit(1);
    ::pause();
    ::_exit(0);
  }
  char c = 0;
  ASSERT_EQ(::read(ends[0], &c, 1), 1);
  const std::string lease = lease_of_the_instance(cluster);
  store.announce("living");
  EXPECT_EQ(store.instances().size(), 2u);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  // Now etcd's clock goes on, until the lease's time is over. That it is so short is seen; its end need not be
  // waited for, since revoking is what etcd does then.
  const std::string life = "granted with TTL(" + std::to_string(kInstanceLife.count()) + "s)";
  EXPECT_NE(cluster.control("lease timetolive " + lease).find(life), std::string::npos);
  cluster.control("lease revoke " + lease);
  EXPECT_EQ(store.instances(), std::vector<std::string>{"living"});
  {
    EtcdStore leaving(cluster.where(), test_kind());
    leaving.announce("leaving");
    EXPECT_EQ(store.instances().size(), 2u);
  }
  EXPECT_EQ(store.instances(), std::vector<std::string>{"living"});
}

TEST_F(EtcdStoreTest, TellsAWatcherThatChangesWereCompacted) {
  Follower follower;
  const EtcdCluster cluster(1);
  EtcdStore store(cluster.where(), test_kind());
  const Revision first = store.commit(put("a", "1")).revision;
  for (int i = 0; i < 20; ++i) store.commit(put("a", std::to_string(i)));
  cluster.control("compact " + std::to_string(store.latest()));
  store.watch(first, follower);
  EXPECT_TRUE(follower.wait_for([](const Follower& f) { return f.lost_times() == 1; }));
  store.commit(put("b", "2"));
  EXPECT_TRUE(follower.wait_until_it_has({{"b", "2"}}));
}

TEST_F(EtcdStoreTest, WatchesOnWhenMembersDie) {
  Follower follower;
  EtcdCluster cluster(3);
  EtcdStore store(cluster.where(), test_kind());
  store.watch(store.latest(), follower);
  All want;
  for (int member = 0; member < 3; ++member) {
    cluster.kill(member);
    for (int i = 0; i < 20; ++i) {
      const std::string key = std::to_string(member) + "/" + std::to_string(i);
      store.commit(put(key, "x"));
      want[key] = "x";
    }
    EXPECT_TRUE(follower.wait_until_it_has(want)) << member;
    cluster.start(member);
  }
  EXPECT_EQ(follower.lost_times(), 0);
  EXPECT_EQ(follower.transactions(), 60);
}

TEST_F(EtcdStoreTest, ThatIsFullSaysSoAndGoesOnWithRoom) {
  const EtcdCluster cluster(1, "--quota-backend-bytes=16777216");
  EtcdStore store(cluster.where(), test_kind());
  std::size_t taken = 0;
  StoreFailed full(StoreFailed::Unknown, "");
  const std::string large(900'000, 'v');
  for (; taken < 100; ++taken) {
    try {
      store.commit(put("k", large));
    } catch (const StoreFailed& failed) {
      full = failed;
      break;
    }
  }
  EXPECT_EQ(full.kind(), StoreFailed::Full) << full.what();
  EXPECT_FALSE(full.maybe_applied());
  EXPECT_EQ(all_of(store).at("k"), large);
  cluster.control("compact " + std::to_string(store.latest()));
  cluster.control("defrag");
  cluster.control("alarm disarm");
  EXPECT_TRUE(store.commit(put("k", "small")).applied);
}

TEST_F(EtcdStoreTest, RefusesKeysThatAreNoStore) {
  const EtcdCluster cluster(1);
  cluster.control("put mine/key value");
  EXPECT_EQ(failure([&] { EtcdStore(cluster.where() + "/mine", test_kind()); }).kind(), StoreFailed::Foreign);
  cluster.control("put bad/!kind test");
  EXPECT_EQ(failure([&] { EtcdStore(cluster.where() + "/bad", test_kind()); }).kind(), StoreFailed::Damaged);
  EXPECT_EQ(cluster.control("get mine/key --print-value-only"), "value\n");
}

TEST_F(EtcdStoreTest, MigratesOnlyWhenNobodyUsesTheOldSchema) {
  const EtcdCluster cluster(1);
  auto old = std::make_unique<EtcdStore>(cluster.where(), test_kind());
  old->commit(put("a", "1"));
  old->announce("old");
  StoreKind second = test_kind();
  second.schema = 2;
  second.migrations = {[](Pair&& p) { return std::optional(std::move(p)); }};
  EXPECT_EQ(failure([&] { EtcdStore(cluster.where(), second); }).kind(), StoreFailed::InUse);
  EtcdStore silent(cluster.where(), test_kind());  // has announced nothing
  silent.commit(put("b", "1"));
  old.reset();
  EtcdStore migrated(cluster.where(), second);
  EXPECT_EQ(all_of(migrated).size(), 2u);
  EXPECT_EQ(failure([&] { silent.commit(put("c", "1")); }).kind(), StoreFailed::Foreign);
  EXPECT_EQ(failure([&] { silent.commit({{{"c", 0}}, {}, {}}); }).kind(), StoreFailed::Foreign);
  EXPECT_EQ(all_of(migrated).size(), 2u);
}

TEST_F(EtcdStoreTest, LosesNothingWhenItsWritersAreKilled) {
  const EtcdCluster cluster(1);
  const unsigned seed = std::random_device{}();
  std::minstd_rand random(seed);
  const int times = kills(50) / 5;
  for (int kill = 0; kill < times; ++kill) {
    Writers writers(cluster.where());
    ASSERT_TRUE(writers.read_acknowledged(1 + static_cast<int>(random() % 40)));
    writers.kill();
    EtcdStore store(cluster.where(), test_kind());
    ASSERT_EQ(fault_in(store, writers.acknowledged()), "") << "kill " << kill << ", seed " << seed;
  }
}

TEST_F(EtcdStoreTest, LosesNothingWhenOneOfThreeMembersIsKilledUnderWriters) {
  EtcdCluster cluster(3);
  const unsigned seed = std::random_device{}();
  std::minstd_rand random(seed);
  Writers writers(cluster.where());
  const int times = std::max(3, kills(50) / 15);
  for (int kill = 0; kill < times; ++kill) {
    ASSERT_TRUE(writers.read_acknowledged(20 + static_cast<int>(random() % 60)));
    const int member = static_cast<int>(random() % 3);
    cluster.kill(member);
    ASSERT_TRUE(writers.read_acknowledged(100)) << "kill " << kill << ", seed " << seed;
    cluster.start(member);
    // A majority must be there for the next: two members that answer are not enough to lose another.
    ASSERT_TRUE(writers.read_acknowledged(100));
    while (cluster.control("--dial-timeout=1s --command-timeout=1s endpoint health").find("unhealthy") !=
           std::string::npos)
      ASSERT_TRUE(writers.read_acknowledged(1));
  }
  writers.kill();
  EtcdStore store(cluster.where(), test_kind());
  EXPECT_EQ(fault_in(store, writers.acknowledged()), "") << "seed " << seed;
  std::uint64_t total = 0;
  for (const std::uint64_t n : writers.acknowledged()) total += n;
  std::cout << times << " kills of members, " << total << " transactions\n";
}

StoreFailed failure_at(const LyingEtcd& etcd) {
  StoreOptions options;
  options.deadline_ms = 300;
  return failure([&] { EtcdStore(etcd.where(), test_kind(), options); });
}

long peak_kilobytes() {
  struct rusage usage {};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

TEST(LyingEtcdServer, CannotMakeAStoreKeepGigabytes) {
  const long before = peak_kilobytes();
  for (const char* part : {"[", "{\"a\":", "0,", "\"\",", "{},", "x", "\xff"}) {
    std::string many;
    while (many.size() < (1u << 20)) many += part;
    const LyingEtcd once("{\"kvs\":[", many, 5, "]}"), often("{\"kvs\":[", many, 300, "]}");
    for (const LyingEtcd* each : {&once, &often}) {
      const StoreFailed failed = failure_at(*each);
      EXPECT_LT(std::string(failed.what()).size(), 1'000u);
    }
  }
  EXPECT_LT(peak_kilobytes() - before, 100'000) << "kilobytes more than before";
}

TEST(LyingEtcdServer, CannotWriteToTheTerminalOrFillTheLog) {
  const LyingEtcd refuses("{\"code\":3,\"error\":\"\\u001b[2J", std::string(1u << 20, 'A'), 5, "\"}");
  const std::string refused = failure_at(refuses).what();
  EXPECT_LT(refused.size(), 1'000u);
  EXPECT_EQ(refused.find('\x1b'), std::string::npos);
  EXPECT_NE(refused.find("etcd refuses: \\x1b[2JAAAA"), std::string::npos) << refused;
  const std::string kind = etcd::to_base64("\x1b[2J" + std::string(100'000, 'A') + " 1");
  const LyingEtcd others("{\"kvs\":[{\"value\":\"" + kind + "\",\"mod_revision\":\"1\"}]}", "", 0, "");
  const std::string foreign = failure_at(others).what();
  EXPECT_LT(foreign.size(), 1'000u);
  EXPECT_EQ(foreign.find('\x1b'), std::string::npos);
}

TEST(EtcdText, ParsesNothingThatIsTooDeepOrHasTooManyValues) {
  const std::string deep(etcd::kMostNesting, '['), deep_end(etcd::kMostNesting, ']');
  EXPECT_FALSE(etcd::parse(deep + deep_end, 100).is_discarded());
  EXPECT_TRUE(etcd::parse("[" + deep + deep_end + "]", 100).is_discarded());
  EXPECT_FALSE(etcd::parse("[1,2,3]", 4).is_discarded());
  EXPECT_TRUE(etcd::parse("[1,2,3,4]", 4).is_discarded());
  EXPECT_FALSE(etcd::parse(R"(["[[[,,,\"[[[", 1])", 3).is_discarded()) << "brackets in texts are none";
  EXPECT_TRUE(etcd::parse("]", 4).is_discarded());
  EXPECT_TRUE(etcd::parse("", 4).is_discarded());
}

TEST(EtcdText, ReadsAddresses) {
  const etcd::Address one = etcd::parse_address("etcd:localhost:2379");
  EXPECT_EQ(one.endpoints, std::vector<std::string>{"localhost:2379"});
  EXPECT_EQ(one.prefix, "");
  const etcd::Address three = etcd::parse_address("etcd:a:1,b.example.org:2,[::1]:65535/plant/naming/");
  EXPECT_EQ(three.endpoints, (std::vector<std::string>{"a:1", "b.example.org:2", "[::1]:65535"}));
  EXPECT_EQ(three.prefix, "plant/naming");
  for (const char* wrong : {"etcd:", "etcd:a", "etcd:a:0", "etcd:a:65536", "etcd:a:1,", "etcd:,a:1", "etcd::1",
                            "etcd:a:1/", "etcd:a:1//x", "etcd:a b:1", "etcd:a:1:2x", "etcd:user@a:1", "etcd:a?x:1"})
    EXPECT_NE(std::string(failure([&] { etcd::parse_address(wrong); }).what()).find("write etcd:HOST:PORT"),
              std::string::npos)
        << wrong;
}

TEST(EtcdText, WritesBytesAsBase64) {
  for (const auto& [bytes, text] : std::vector<std::pair<std::string, std::string>>{
           {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {std::string("\0\xff\xfe", 3), "AP/+"}}) {
    EXPECT_EQ(etcd::to_base64(bytes), text);
    EXPECT_EQ(etcd::from_base64(text), bytes);
  }
  for (const char* wrong : {"Z", "Zg=", "Zg==Zg==", "Z===", "Zg=a", "====", "Zm9*", "Zm9v\n"})
    EXPECT_THROW(etcd::from_base64(wrong), std::invalid_argument) << wrong;
}

TEST(EtcdText, EndsRangesBehindTheirLastKey) {
  EXPECT_EQ(etcd::end_of("a/"), "a0");
  EXPECT_EQ(etcd::end_of("a\xff\xff"), "b");
  EXPECT_EQ(etcd::end_of("\xff"), std::string(1, '\0'));
}

TEST(EtcdText, BelievesNoAnswerUnseen) {
  using etcd::Json;
  EXPECT_EQ(etcd::number(Json{{"n", "17"}}, "n"), 17u);
  EXPECT_EQ(etcd::number(Json::object(), "n"), 0u);
  for (const Json& wrong : {Json{{"n", "-1"}}, Json{{"n", "x"}}, Json{{"n", -1}}, Json{{"n", 1.5}},
                            Json{{"n", nullptr}}, Json{{"n", "99999999999999999999"}}})
    EXPECT_THROW(etcd::number(wrong, "n"), std::invalid_argument) << wrong;
  EXPECT_THROW(etcd::bytes(Json{{"b", 5}}, "b"), std::invalid_argument);
  EXPECT_EQ(etcd::refusal_in(Json{{"error", "e"}, {"code", 11}})->code, 11);
  EXPECT_EQ(etcd::refusal_in(Json{{"error", {{"grpc_code", 9}, {"message", "m"}}}})->words, "m");
  EXPECT_FALSE(etcd::refusal_in(Json{{"header", "h"}}));
  EXPECT_FALSE(etcd::refusal_in(Json("text")));
}

}  // namespace
}  // namespace callis::services::testing
