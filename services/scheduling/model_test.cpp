// SPDX-License-Identifier: Apache-2.0
// RT_Infos and dependencies that are taken, and those that are not; times as people write them.
#include <services/scheduling/testing/models.h>
#include <services/scheduling/time_text.h>

namespace callis::scheduling::testing {
namespace {

TEST(TimeText, ReadsUnits) {
  EXPECT_EQ(parse_time("25ms"), Time(25'000'000));
  EXPECT_EQ(parse_time("1.5 us"), Time(1'500));
  EXPECT_EQ(parse_time("0.000000001s"), Time(1));
  EXPECT_EQ(parse_time("2min"), Time(120'000'000'000));
  EXPECT_EQ(parse_time("250"), Time(250));
  EXPECT_EQ(parse_time("40Hz"), Time(25'000'000));
  EXPECT_EQ(parse_time("0.5Hz"), Time(2'000'000'000));
  EXPECT_EQ(parse_time("0"), Time(0));
  EXPECT_EQ(parse_time("1000000s"), kLongestTime);
}

TEST(TimeText, RefusesWhatIsNoTime) {
  for (const char* text : {"", "ms", "1 h", "-1ms", "1.5", "0.5ns", "1.ms", "1e3ms", "1000001s", "0Hz", "25ms ",
                           "1..2s", "99999999999999999999ns", "0.1234567890s", "NaN", "0x10", "5000000000Hz"})
    EXPECT_EQ(parse_time(text), std::nullopt) << text;
}

TEST(TimeText, WritesTheLargestUnitOfThreeDecimals) {
  EXPECT_EQ(time_text(Time(25'000'000)), "25ms");
  EXPECT_EQ(time_text(Time(1'500)), "1.5us");
  EXPECT_EQ(time_text(Time(1'234'567)), "1234.567us");
  EXPECT_EQ(time_text(Time(999)), "999ns");
  EXPECT_EQ(time_text(Time(0)), "0");
  EXPECT_EQ(time_text(kLongestTime), "1000000s");
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const Time time(random.between(0, kLongestTime.count()) >> random.between(0, 40));
    EXPECT_EQ(parse_time(time_text(time)), time) << time_text(time);
  }
}

TEST(Model, NamesAreUnique) {
  Model model;
  model.add(periodic("A::go", milliseconds(10), milliseconds(1)));
  EXPECT_EQ(refusal([&] { model.add(passive("A::go", milliseconds(1))); }),
            "'A::go' is there already: names are unique");
  EXPECT_EQ(model.infos().size(), 1u);
}

TEST(Model, SuggestsTheNearestName) {
  Model model;
  model.add(passive("Nav::update", milliseconds(1)));
  EXPECT_EQ(refusal([&] { (void)model.at("Nav::updat"); }),
            "there is no RT_Info 'Nav::updat'; did you mean 'Nav::update'?");
  EXPECT_EQ(refusal([&] { (void)model.at("Radar"); }), "there is no RT_Info 'Radar'");
}

TEST(Model, RefusesWhatCannotBe) {
  Model model;
  const auto why = [&](auto&& set) {
    RtInfo info = periodic("x", milliseconds(10), milliseconds(2));
    set(info);
    return refusal([&] { model.add(info); });
  };
  EXPECT_NE(why([](RtInfo& i) { i.entry_point = ""; }).find("is empty"), std::string::npos);
  EXPECT_NE(why([](RtInfo& i) { i.entry_point = std::string(2000, 'x'); }).find("has 2000 bytes, 1000"),
            std::string::npos);
  EXPECT_NE(why([](RtInfo& i) { i.entry_point = "a\nb"; }).find("control characters"), std::string::npos);
  EXPECT_NE(why([](RtInfo& i) { i.period = Time(-1); }).find("the period of 'x' is negative: -1 ns"),
            std::string::npos);
  EXPECT_NE(why([](RtInfo& i) { i.deadline = Time::max(); }).find("more than 1000000s"), std::string::npos);
  EXPECT_NE(why([](RtInfo& i) { i.typical = milliseconds(3); }).find("more than its worst case, 2ms"),
            std::string::npos);
  EXPECT_NE(why([](RtInfo& i) { i.threads = 0; }).find("has 0 threads"), std::string::npos);
  EXPECT_NE(why([](RtInfo& i) { i.kind = InfoKind::And; }).find("is an and and has a period"), std::string::npos);
  EXPECT_NE(why([](RtInfo& i) { i.period = Time(0), i.jitter = Time(1); }).find("jitter and no period"),
            std::string::npos);
  EXPECT_NE(why([](RtInfo& i) {
              i.locks = {{"l", milliseconds(3)}};
            }).find("longer than it runs"),
            std::string::npos);
  EXPECT_NE(why([](RtInfo& i) { i.criticality = static_cast<Criticality>(9); }).find("criticality"),
            std::string::npos);
  EXPECT_TRUE(model.infos().empty());
}

TEST(Model, RefusesDependenciesThatCannotBe) {
  Model model;
  model.add(periodic("a", milliseconds(10), milliseconds(2)));
  model.add(passive("all", Time(0), InfoKind::And));
  EXPECT_NE(refusal([&] { calls(model, "a", "a", kTwoWay); }).find("call itself for ever"), std::string::npos);
  EXPECT_NE(refusal([&] { calls(model, "a", "all", kTwoWay); }).find("call it one-way"), std::string::npos);
  EXPECT_NE(refusal([&] { calls(model, "a", "all", kOneWay, 0); }).find("0 times"), std::string::npos);
  EXPECT_NE(refusal([&] { model.add(Dependency{0, 7}); }).find("not there"), std::string::npos);
  EXPECT_TRUE(model.dependencies().empty());
}

TEST(Model, HoldsItsBounds) {
  Bounds bounds;
  bounds.infos = 2;
  bounds.dependencies = 1;
  Model model(bounds);
  model.add(periodic("a", milliseconds(10), milliseconds(2)));
  model.add(passive("b", milliseconds(1)));
  EXPECT_NE(refusal([&] { model.add(passive("c", milliseconds(1))); }).find("one more than the 2"),
            std::string::npos);
  calls(model, "a", "b", kTwoWay, 2);
  calls(model, "a", "b", kTwoWay, 3);
  EXPECT_EQ(model.dependencies().at(0).times, 5u);
  EXPECT_NE(refusal([&] { calls(model, "a", "b", kOneWay); }).find("one more than the 1"), std::string::npos);
  EXPECT_NE(refusal([&] { calls(model, "a", "b", kTwoWay, 999'999); }).find("1000004 times"), std::string::npos);
}

TEST(Model, RemovesWithWhatLeadsToIt) {
  Model model;
  for (const char* name : {"a", "b", "c"}) model.add(passive(name, milliseconds(1)));
  calls(model, "a", "b", kOneWay);
  calls(model, "b", "c", kOneWay);
  calls(model, "a", "c", kOneWay);
  model.remove(model.at("b"));
  EXPECT_EQ(model.find("b"), kNobody);
  ASSERT_EQ(model.dependencies().size(), 1u);
  EXPECT_EQ(model.dependencies()[0].called, model.at("c"));
  calls(model, "a", "c", kOneWay);
  EXPECT_EQ(model.dependencies().at(0).times, 2u);
}

}  // namespace
}  // namespace callis::scheduling::testing
