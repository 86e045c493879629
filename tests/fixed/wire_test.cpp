// SPDX-License-Identifier: Apache-2.0
// Decimal numbers between two ORBs: what a servant gets converts, rounds and divides, and whatever stands in the
// octets of a fixed, the server goes on. Built for each style of stubs.
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <gtest/gtest.h>
#include <atomic>
#include <string>
#include <thread>
#include <vector>
#include "decimals_skel.h"

namespace {

using CORBA::Fixed;
using Decimals::Amount;

class Servant final : public POA_Decimals::Ledger {
 public:
  Amount balance() override { return balance_; }
  void balance(const Amount& a) override { balance_ = a; }
  CORBA::Long whole(const Amount& a) override { return a; }
  Amount rounded(const Amount& a, CORBA::Long places) override { return a.round(static_cast<CORBA::UShort>(places)); }
  Amount divided(const Amount& a, const Amount& by) override { return a / by; }
  Decimals::Fraction least(const Decimals::Fraction& f, Decimals::Count& c, Amount& half) override {
    half = f / 2;
    c = c.truncate(0) + f.truncate(0);
    return Fixed("0.0000000000000000000000000000001") * (f < 0 ? -1 : 1);
  }
  Decimals::Account year(const Decimals::Account& a) override {
    Decimals::Account b = a;
    for (int i = 2; i > 0; --i) b.history[i] = b.history[i - 1];
    b.history[0] = a.balance;
    b.balance += a.balance * a.rate;
    return b;
  }
  Amount total(const Decimals::Amounts& all) override {
    Amount sum;
    for (CORBA::ULong i = 0; i < all.length(); ++i) sum += all[i];
    return sum;
  }
  CORBA::Any* kept(const CORBA::Any& a) override {
    Fixed f;
    if (!(a >>= CORBA::Any::to_fixed(f, 9, 3))) throw CORBA::BAD_PARAM(1, CORBA::COMPLETED_NO);
    CORBA::Any_var result = new CORBA::Any;
    result.inout() <<= CORBA::Any::from_fixed(f.truncate(0), 9, 3);
    return result._retn();
  }

 private:
  Amount balance_;
};

CORBA::ORB_ptr make_orb(std::vector<std::string> options) {
  static std::atomic<int> number{0};
  options.insert(options.begin(), "test");
  std::vector<char*> argv;
  for (std::string& o : options) argv.push_back(o.data());
  int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  return CORBA::ORB_init(argc, argv.data(), ("decimals" + std::to_string(++number)).c_str());
}

struct FixedOnTheWire : ::testing::TestWithParam<const char*> {
  CORBA::ORB_var server = make_orb({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBServerThreads", GetParam()});
  CORBA::ORB_var client = make_orb({});
  Decimals::Ledger_var ledger;
  std::thread serving;

  FixedOnTheWire() {
    const CORBA::Object_var object = server->resolve_initial_references("RootPOA");
    const PortableServer::POA_var root = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var(root->the_POAManager())->activate();
    const PortableServer::ServantBase_var servant = new Servant;
    const PortableServer::ObjectId_var id = root->activate_object(servant);
    const CORBA::Object_var own = root->id_to_reference(id);
    const CORBA::String_var text = server->object_to_string(own);
    const CORBA::Object_var there = client->string_to_object(text);
    if (std::string(GetParam()) == "single") serving = std::thread([this] { server->run(); });
    ledger = Decimals::Ledger::_narrow(there);
  }
  ~FixedOnTheWire() override {
    client->destroy();
    server->shutdown(false);
    if (serving.joinable()) serving.join();
    server->destroy();
  }
};

TEST_P(FixedOnTheWire, NumbersOfFewerDigitsThanPlacesConvertAndRound) {
  for (const char* text : {"0.000", "0.001", "-0.001", "0.012", "-0.999", "0.5"}) {
    SCOPED_TRACE(text);
    const Amount a(text);
    EXPECT_EQ(ledger->whole(a), 0);
    EXPECT_EQ(ledger->rounded(a, 0), Fixed(text).round(0));
    EXPECT_EQ(ledger->rounded(a, 1), Fixed(text).round(1));
    EXPECT_EQ(ledger->divided(a, Amount("-7.5")), Amount(Fixed(text) / Fixed("-7.5")));
    ledger->balance(a);
    EXPECT_EQ(ledger->balance(), Fixed(text));
  }
  EXPECT_EQ(ledger->whole(Amount()), 0);
  EXPECT_EQ(ledger->rounded(Amount("2.5"), 0).to_string(), "3.000");
  EXPECT_THROW(ledger->divided(Amount(1), Amount("0.000")), CORBA::DATA_CONVERSION);
  EXPECT_EQ(ledger->whole(Amount("-123456.789")), -123456);
}

TEST_P(FixedOnTheWire, AllPlacesAndNone) {
  Decimals::Count c("-9999999999999999999999999999999");
  Amount half;
  EXPECT_EQ(ledger->least(Decimals::Fraction("-0.0000000000000000000000000000009"), c, half).to_string(),
            "-0.0000000000000000000000000000001");
  EXPECT_EQ(half.to_string(), "0.000");
  EXPECT_EQ(c.to_string(), "-9999999999999999999999999999999");
  c = 0;
  EXPECT_EQ(ledger->least(Decimals::Fraction(), c, half).fixed_scale(), 31);
  EXPECT_EQ(c, 0);
}

TEST_P(FixedOnTheWire, InStructsArraysSequencesAndAnys) {
  Decimals::Account a{};
  a.rate = Fixed("0.05");
  a.balance = Fixed("0.010");
  const Decimals::Account b = ledger->year(a);
  EXPECT_EQ(b.balance.to_string(), "0.010") << "half of a thousandth is cut off";
  EXPECT_EQ(b.history[0], Fixed("0.01"));
  EXPECT_EQ(b.history[2], 0);
  Decimals::Amounts all;
  all.length(100);
  all[99] = Fixed("-0.001");
  EXPECT_EQ(ledger->total(all).to_string(), "-0.001");

  CORBA::Any any;
  any <<= CORBA::Any::from_fixed(Fixed("0.012"), 9, 3);
  const CORBA::Any_var back = ledger->kept(any);
  Fixed f(1);
  ASSERT_TRUE(back.in() >>= CORBA::Any::to_fixed(f, 9, 3));
  EXPECT_EQ(f.to_string(), "0.000");
}

TEST_P(FixedOnTheWire, OctetsThatAreNoNumberAreRefusedAndTheServerGoesOn) {
  const Forged::Ledger_var forger = Forged::Ledger::_unchecked_narrow(ledger);
  const struct { Forged::Amount octets; bool number; } cases[] = {
      {{0x00, 0x00, 0x00, 0x00, 0x0c}, true},  {{0x00, 0x00, 0x00, 0x00, 0x0d}, true},
      {{0x00, 0x00, 0x00, 0x01, 0x2d}, true},  {{0x00, 0x00, 0x00, 0x00, 0x00}, false},
      {{0x00, 0x00, 0x00, 0x00, 0x0f}, false}, {{0xa0, 0x00, 0x00, 0x00, 0x0c}, false},
      {{0x00, 0x00, 0x0b, 0x00, 0x0c}, false}, {{0xff, 0xff, 0xff, 0xff, 0xff}, false}};
  for (const auto& [octets, number] : cases) {
    SCOPED_TRACE(testing::PrintToString(octets));
    if (number) {
      EXPECT_EQ(forger->whole(octets), 0);
    } else {
      EXPECT_THROW(forger->whole(octets), CORBA::MARSHAL);
    }
    EXPECT_EQ(ledger->whole(Amount("12.012")), 12) << "the server serves others";
  }
}

INSTANTIATE_TEST_SUITE_P(ThreadModels, FixedOnTheWire, ::testing::Values("connection", "pool", "single"),
                         [](const auto& model) { return std::string(model.param); });

}  // namespace
