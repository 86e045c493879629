// SPDX-License-Identifier: Apache-2.0
// What is read: models and configurations of JSON, measured times. What is written: tables, headers, pictures.
#include <services/scheduling/configuration.h>
#include <services/scheduling/json_file.h>
#include <services/scheduling/measured.h>
#include <services/scheduling/model_json.h>
#include <services/scheduling/report.h>
#include <services/scheduling/testing/models.h>
#include <fstream>

namespace callis::scheduling::testing {
namespace {

constexpr char kAvionics[] = R"({"operations": [
  {"name": "Sensors::Gps::sample", "wcet": "2ms", "period": "40Hz", "importance": "high",
   "calls": [{"name": "Computer::fuse", "how": "oneway"}, "Computer::Map::lookup"]},
  {"name": "Sensors::Radar::sweep", "wcet": "8ms", "typical": "5ms", "period": "50ms", "criticality": "very-high",
   "locks": {"map": "1ms"}, "calls": [{"name": "Computer::fuse", "how": "oneway", "times": 2}]},
  {"name": "Computer::Map::lookup", "wcet": "500us"},
  {"name": "Computer::fuse", "kind": "or", "wcet": 1000000},
  {"name": "Housekeeping::sweep", "wcet": "20ms", "quantum": "1ms"}
]})";

Model avionics() {
  Model model;
  add_json(model, kAvionics, "avionics.json");
  return model;
}

std::string refused_json(const std::string& text) {
  return refusal([&] {
    Model model;
    add_json(model, text, "m.json");
  });
}

TEST(JsonFile, IsRefusedWithItsPlace) {
  const auto why = [](const std::string& text) { return refusal([&] { (void)read_json(text, "f"); }); };
  EXPECT_EQ(why("[1,\n 2 3]"),
            "f:2:4: error: syntax error while parsing array - unexpected number literal; expected ']'");
  EXPECT_TRUE(why(std::string(100'000, '[')).starts_with("f:1:33: error: more than 32 arrays and objects"));
}

TEST(ModelJson, WhatIsWrongWithTheWholeHasAPlace) {
  const auto computed = [](std::string_view text) {
    return refusal([&] {
      Model model;
      add_json(model, text, "m.json");
      (void)compute(model);
    });
  };
  EXPECT_EQ(computed(R"({"operations": [
      {"name": "a", "wcet": "1ms", "period": "10ms", "calls": ["b"]},
      {"name": "b", "wcet": "1ms", "calls": ["c"]},
      {"name": "c", "wcet": "1ms", "calls": ["b"]}]})"),
            "m.json:3:7: error: dependencies go in a circle: 'b' calls 'c' calls 'b'; take one of these calls away, "
            "or give its target a model of its own");
  EXPECT_EQ(computed(R"({"operations": [
      {"name": "a", "period": "10ms"}]})"),
            "m.json:2:7: error: 'a' has no worst-case execution time: give its wcet, or have it measured");
}

TEST(ModelJson, ReadsOperationsAndCalls) {
  const Model model = avionics();
  ASSERT_EQ(model.infos().size(), 5u);
  const RtInfo& radar = model.infos()[model.at("Sensors::Radar::sweep")];
  EXPECT_EQ(radar.worst_case, milliseconds(8));
  EXPECT_EQ(radar.typical, milliseconds(5));
  EXPECT_EQ(radar.criticality, Criticality::VeryHigh);
  ASSERT_EQ(radar.locks.size(), 1u);
  EXPECT_EQ(radar.locks[0].longest, milliseconds(1));
  EXPECT_EQ(model.infos()[0].period, milliseconds(25));
  ASSERT_EQ(model.dependencies().size(), 3u);
  EXPECT_EQ(model.dependencies()[1].kind, CallKind::TwoWay);
  EXPECT_EQ(model.dependencies()[2].times, 2u);
}

TEST(ModelJson, SaysWhereAndWhat) {
  EXPECT_EQ(refused_json("{\"operations\": [\n  {\"name\": \"a\", \"wect\": 1}]}"),
            "m.json:2:17: error: there is no member \"wect\"; did you mean \"wcet\"?");
  EXPECT_EQ(refused_json("{\"operations\": [{\"name\": \"a\", \"wcet\": \"5 parsec\"}]}"),
            "m.json:1:39: error: \"wcet\" is no time: '5 parsec'; write \"25ms\" (ns, us, ms, s, min, Hz) or whole "
            "nanoseconds, at "
            "most 1000000s");
  EXPECT_EQ(refused_json("{\"operations\": [{\"name\": \"a\", \"wcet\": 1},\n{\"name\": \"a\", \"wcet\": 1}]}"),
            "m.json:2:1: error: 'a' is there already: names are unique");
  EXPECT_EQ(refused_json("{\"operations\": [{\"name\": \"abc\", \"wcet\": 1, \"calls\": [\"abd\"]}]}"),
            "m.json:1:54: error: there is no RT_Info 'abd'; did you mean 'abc'?");
  EXPECT_NE(refused_json("{\"operations\": [{\"wcet\": 1}]}").find("\"name\" is missing"), std::string::npos);
  EXPECT_NE(refused_json("[]").find("the file is an object, not an array"), std::string::npos);
  EXPECT_NE(refused_json("{\"operations\": [{\"name\": \"a\", \"threads\": 1.5}]}").find("whole number, not 1.5"),
            std::string::npos);
  EXPECT_NE(refused_json("{\"operations\": [{\"name\": \"a\", \"importance\": \"big\"}]}").find("is one of"),
            std::string::npos);
}

TEST(Report, TableHasAll) {
  const Model model = avionics();
  const std::string table = table_text(model, compute(model));
  EXPECT_NE(table.find("Sensors::Gps::sample"), std::string::npos) << table;
  EXPECT_NE(table.find("25ms + 50ms*2"), std::string::npos) << table;
  EXPECT_NE(table.find("background"), std::string::npos) << table;
  EXPECT_NE(table.find("in 25ms"), std::string::npos) << table;
  EXPECT_NE(table.find("\nschedulable: every deadline is met\n"), std::string::npos) << table;
  EXPECT_LT(table.find("Sensors::Gps"), table.find("Sensors::Radar")) << "from the highest priority";
}

TEST(Report, JsonIsJson) {
  const Model model = avionics();
  const Json root = read_json(json_text(model, compute(model)), "out");
  EXPECT_TRUE(root.find("schedulable")->truth);
  EXPECT_EQ(root.find("operations")->items.size(), 5u);
  EXPECT_EQ(root.find("operations")->items[0].find("name")->text, "Sensors::Gps::sample");
  EXPECT_EQ(read_json(json_text(Model(), compute(Model())), "out").find("operations")->items.size(), 0u);
}

TEST(Report, HeaderCompiles) {
  Model model = avionics();
  for (const char* name : {"a-b", "a+b", "delete", "9", "x\\", "\xc3\xa9", "*/ \" ?\?/"})
    model.add(periodic(name, milliseconds(90), Time(100)));
  const std::string header = header_text(model, compute(model), "my::plan");
  EXPECT_NE(header.find("constexpr short kSensors_Gps_sample = 89;  // 25ms\n"), std::string::npos) << header;
  EXPECT_NE(header.find("ka_b = "), std::string::npos);
  EXPECT_NE(header.find("ka_bx = "), std::string::npos);
  const std::string path = CALLIS_BINARY_DIR "/scheduling_header_test.cpp";
  std::ofstream(path) << header << header_text(Model(), compute(Model()), "other")
                      << "static_assert(my::plan::priority::kSensors_Gps_sample == 89);\n"
                         "static_assert(my::plan::kLanes[0].lane_priority == 0);\n";
  EXPECT_EQ(std::system(("c++ -std=c++17 -Wall -Wextra -pedantic -Werror -w -fsyntax-only " + path).c_str()), 0);
}

TEST(Report, PictureIsWellFormed) {
  Model model = avionics();
  model.add(periodic("<&>\"late\"", milliseconds(100), milliseconds(70)));
  const std::string svg = svg_text(model, compute(model));
  EXPECT_TRUE(svg.starts_with("<svg "));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_NE(svg.find("&lt;&amp;&gt;"), std::string::npos);
  EXPECT_NE(svg.find("#d33"), std::string::npos) << "it misses its deadline";
  EXPECT_NE(svg.find("NOT schedulable"), std::string::npos);
  EXPECT_EQ(std::count(svg.begin(), svg.end(), '<'), std::count(svg.begin(), svg.end(), '>'));
}

TEST(Report, PictureIsBounded) {
  Model model;
  for (int i = 0; i < 300; ++i) model.add(periodic("t" + std::to_string(i), Time(1000 + i), Time(3)));
  model.add(periodic("slow", kLongestTime, Time(3)));
  EXPECT_LT(svg_text(model, compute(model)).size(), 5'000'000u);
}

TEST(Configuration, IsReadAsItIsWritten) {
  const Model model = avionics();
  const Schedule schedule = compute(model, {.policy = Policy::DeadlineMonotonic});
  const std::string text = to_text(configuration_of(model, schedule));
  const Configuration c = read_configuration(text, "c");
  EXPECT_EQ(to_text(c), text);
  EXPECT_EQ(c.policy, Policy::DeadlineMonotonic);
  EXPECT_TRUE(c.schedulable);
  ASSERT_EQ(c.lanes.size(), schedule.lanes.size());
  EXPECT_EQ(c.lanes.back().priority, 89);
  const auto* radar = c.find("Sensors::Radar::sweep");
  ASSERT_TRUE(radar);
  EXPECT_EQ(radar->worst_case, milliseconds(8));
  EXPECT_EQ(radar->period, milliseconds(50));
  EXPECT_EQ(radar->criticality, Criticality::VeryHigh);
  EXPECT_EQ(radar->priority, priority_of(schedule, model.at("Sensors::Radar::sweep")));
  EXPECT_EQ(c.find("Sensors::Radar"), nullptr);
}

TEST(Configuration, RefusesWhatCannotBe) {
  const Model model = avionics();
  const std::string good = to_text(configuration_of(model, compute(model)));
  const auto why = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    return refusal([&] { (void)read_configuration(text, "c.json"); });
  };
  EXPECT_NE(why("configuration 1", "configuration 2").find("c.json:2:13: error: the format is"), std::string::npos);
  EXPECT_NE(why("rate-", "fate-").find("policy"), std::string::npos);
  EXPECT_NE(why("\"priority\": 0", "\"priority\": 32768").find("0 to 32767"), std::string::npos);
  EXPECT_NE(why("\"priority\": 0", "\"priority\": -1").find("0 to 32767"), std::string::npos);
  EXPECT_NE(why("\"priority\": 0", "\"priority\": 32767").find("rise"), std::string::npos);
  EXPECT_NE(why("\"priority\": 0", "\"priority\": 1").find("no lane has the priority"), std::string::npos);
  EXPECT_NE(why("\"static_threads\": 1", "\"static_threads\": 0").find("from 1 to"), std::string::npos);
  EXPECT_NE(why("\"static_threads\": 1", "\"static_threads\": 1000000").find("from 1 to 10000"), std::string::npos);
  EXPECT_NE(why("Computer::Map::lookup", "Z").find("ordered by name"), std::string::npos);
  EXPECT_NE(why("\"lanes\"", "\"planes\"").find("\"lanes\" is missing"), std::string::npos);
  for (std::size_t cut = 0; cut + 2 < good.size(); cut += 7)
    EXPECT_NE(refusal([&] { (void)read_configuration(good.substr(0, cut), "c"); }), "") << cut;
}

// What was spoilt on its way is read or refused, and nothing else.
TEST(Readers, BearSpoiltText) {
  const Model model = avionics();
  const std::string configuration = to_text(configuration_of(model, compute(model)));
  const std::string times =
      "callis-times 1\nop 4 2500000 5000000 sample IDL:omg.org/S/Gps:1.0\nle 1000000 3\nle 4000000 1\n";
  constexpr char kBytes[] = "{}[]\":,0129-.eE\\u \n%ax\x80\xff";
  Random random(24);
  int taken = 0, refused = 0;
  for (int round = 0; round < 6000; ++round) {
    const bool of_times = round % 3 == 0, of_model = round % 3 == 1;
    std::string text = of_times ? times : of_model ? kAvionics : configuration;
    for (std::int64_t n = random.between(1, 4); n > 0; --n) {
      const auto at = static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(text.size()) - 1));
      const char byte = kBytes[random.between(0, sizeof kBytes - 2)];
      if (random.one_in(3))
        text.erase(at, static_cast<std::size_t>(random.between(1, 8)));
      else if (random.one_in(2))
        text.insert(at, 1, byte);
      else
        text[at] = byte;
    }
    const std::string why = refusal([&] {
      Model fresh;
      if (of_times)
        (void)read_measured(text, "f");
      else if (of_model)
        add_json(fresh, text, "f");
      else
        (void)read_configuration(text, "f");
    });
    ++(why.empty() ? taken : refused);
    ASSERT_TRUE(why.empty() || why.starts_with("f:")) << why;
  }
  EXPECT_GT(refused, 3000);
  EXPECT_GT(taken, 50);
}

constexpr char kTimes[] =
    "callis-times 1\n"
    "# of a run\n"
    "op 4 2500000 5000000 sample IDL:omg.org/Sensors/Gps:1.0\n"
    "le 1000000 3\n"
    "le 4000000 1\n"
    "op 1 700 700 a%20b IDL:X:1.0\n";

TEST(Measured, IsReadAsItIsWritten) {
  const auto all = read_measured(kTimes, "t");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].entry_point(), "Sensors::Gps::sample");
  EXPECT_EQ(all[0].greatest, Time(2'500'000));
  EXPECT_EQ(all[0].typical(), Time(1'000'000));
  EXPECT_EQ(all[1].entry_point(), "X::a b");
  EXPECT_EQ(all[1].typical(), Time(700));
  std::string text = kTimes;
  text.erase(text.find('#'), std::string("# of a run\n").size());
  EXPECT_EQ(to_text(all), text);
}

TEST(Measured, RefusesWhatCannotBe) {
  const auto why = [](const std::string& text) { return refusal([&] { (void)read_measured(text, "t"); }); };
  EXPECT_NE(why("callis-profile 1\n").find("t:1:1: error: the first line is 'callis-times 1'"), std::string::npos);
  for (const char* line :
       {"op", "op 1 1", "op 0 0 0 a b", "op 1 2 1 a b", "op 1 1 1 a", "op 1 1 1 a b c", "op -1 1 1 a b", "le 1 1",
        "op 1 1 1 %4 b", "op 1 1 1 %zz b", "xx", "op 1 1 1 a b\nle 5 1\nle 5 1", "op 1 1152921504606846977 1 a b",
        "op 1 1000000000000001 1000000000000001 a b"})
    EXPECT_NE(why(std::string("callis-times 1\n") + line + "\n"), "") << line;
  EXPECT_NE(why("callis-times 1\nop 1 1 1 a b\nle 2 x\n").find("t:3:1"), std::string::npos);
}

TEST(Measured, FillsRaisesAndConfirms) {
  Model model = avionics();
  model.add(periodic("New::op", milliseconds(100), Time(0)));
  const auto measured = read_measured(
      "callis-times 1\nop 4 2500000 5000000 sample IDL:Sensors/Gps:1.0\nop 1 7000000 7000000 sweep "
      "IDL:Sensors/Radar:1.0\n"
      "op 2 1000 1500 op IDL:New:1.0\nop 2 1000 1500 ping IDL:Old:1.0\n",
      "t");
  const Merged merged = merge(model, measured, 10);
  EXPECT_EQ(merged.taken, 1u);
  EXPECT_EQ(merged.raised, 1u);
  EXPECT_EQ(merged.confirmed, 1u);
  EXPECT_EQ(model.infos()[model.at("New::op")].worst_case, Time(1100));
  EXPECT_EQ(model.infos()[model.at("New::op")].typical, Time(750));
  EXPECT_EQ(model.infos()[model.at("Sensors::Gps::sample")].worst_case, Time(2'750'000));
  EXPECT_EQ(model.infos()[model.at("Sensors::Radar::sweep")].worst_case, milliseconds(8));
  ASSERT_EQ(merged.notes.size(), 2u);
  EXPECT_EQ(merged.notes[1], "'Sensors::Gps::sample' took 2.5ms, more than its 2ms: its worst case is now 2.75ms");
  EXPECT_EQ(merged.notes[0], "'Old::ping' was measured, but is not scheduled");
}

}  // namespace
}  // namespace callis::scheduling::testing
