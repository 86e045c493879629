// SPDX-License-Identifier: Apache-2.0
// Annotations of IDL as RT_Infos.
#include <services/scheduling/model_idl.h>
#include <services/scheduling/testing/models.h>

namespace callis::scheduling::testing {
namespace {

idl::driver::Compilation compiled(const std::string& text) {
  idl::source::PreprocessOptions options;
  options.read_file = [text](const std::string& path) -> std::optional<std::string> {
    return path == "nav.idl" ? std::optional(text) : std::nullopt;
  };
  return idl::driver::compile("nav.idl", options);
}

Model model_of(const std::string& text) {
  const idl::driver::Compilation compilation = compiled(text);
  EXPECT_EQ(compilation.diagnostics->text(), "") << "annotations of schedules are known";
  Model model;
  add_idl(model, compilation);
  add_idl_calls(model, compilation);
  return model;
}

std::string refused_idl(const std::string& text) {
  return refusal([&] { (void)model_of(text); });
}

TEST(ModelIdl, ReadsAnnotationsOfOperations) {
  const Model model = model_of(R"(module Nav {
  interface Display {
    @rt(period = "25ms", wcet = 2000000, typical = "1ms", importance = high, criticality = "very_high", threads = 2)
    @rt_calls(operation = "Nav::Map::lookup", times = 2)
    @rt_calls(operation = "::Nav::Log::write", oneway = TRUE)
    @rt_lock(name = "screen", time = "100us")
    void update();
    void untimed();
  };
  interface Map { @rt(wcet = "50us") long lookup(in long place); };
  interface Log { @rt(wcet = "10us", kind = or) oneway void write(in string line); };
};)");
  ASSERT_EQ(model.infos().size(), 3u);
  const RtInfo& update = model.infos()[model.at("Nav::Display::update")];
  EXPECT_EQ(update.period, milliseconds(25));
  EXPECT_EQ(update.worst_case, milliseconds(2));
  EXPECT_EQ(update.importance, Importance::High);
  EXPECT_EQ(update.criticality, Criticality::VeryHigh);
  EXPECT_EQ(update.threads, 2u);
  ASSERT_EQ(update.locks.size(), 1u);
  EXPECT_EQ(update.locks[0].longest, microseconds(100));
  ASSERT_EQ(model.dependencies().size(), 2u);
  EXPECT_EQ(model.dependencies()[0].times, 2u);
  EXPECT_EQ(model.dependencies()[0].kind, CallKind::TwoWay);
  EXPECT_EQ(model.dependencies()[1].kind, CallKind::OneWay);
  EXPECT_EQ(model.infos()[model.at("Nav::Log::write")].kind, InfoKind::Or);
}

TEST(ModelIdl, WhatIsWrongWithTheWholeHasAPlace) {
  Model model = model_of(R"(interface A {
  @rt(period = "25ms", wcet = 1) @rt_calls(operation = "A::g") void f();
  @rt(wcet = 1) @rt_calls(operation = "A::f") void g();
};)");
  const std::string why = refusal([&] { (void)compute(model); });
  EXPECT_EQ(why.substr(0, why.find(';')),
            "nav.idl:2:4: error: dependencies go in a circle: 'A::f' calls 'A::g' calls 'A::f'");
}

TEST(ModelIdl, SaysWhereAndWhat) {
  EXPECT_EQ(
      refused_idl("interface A {\n  @rt(period = \"25 parsec\", wcet = 1) void f();\n};"),
      "nav.idl:2:16: error: 'period' is no time: '\"25 parsec\"'; write \"25ms\" (ns, us, ms, s, min, Hz) or whole "
      "nanoseconds, at most 1000000s\n"
      "  @rt(period = \"25 parsec\", wcet = 1) void f();\n"
      "               ^~~~~~~~~~~");
  const auto begins = [](const std::string& text, const std::string& begin) {
    const std::string why = refused_idl(text);
    EXPECT_TRUE(why.starts_with(begin)) << why;
  };
  begins("interface A { @rt(wect = 1) void f(); };",
         "nav.idl:1:26: error: '@rt' has no parameter 'wect', only kind, wcet");
  begins("interface A { @rt(wcet = 1) readonly attribute long n; };", "nav.idl:1:16: error: '@rt' is for operations");
  begins("interface A { @rt_calls(operation = \"A::g\") void f(); };",
         "nav.idl:1:16: error: '@rt_calls' stands beside '@rt'");
  begins("interface A { @rt(wcet = 1) @rt_calls(operation = \"A::g\") void f(); };",
         "nav.idl:1:51: error: there is no RT_Info 'A::g'; did you mean 'A::f'?");
  begins("interface A { @rt(wcet = 1) @rt_calls(times = 1) void f(); };",
         "nav.idl:1:30: error: '@rt_calls' needs its parameter 'operation'");
  begins("interface A { @rt(wcet = 1) @rt_calls(operation = \"A::f\") void f(); };",
         "nav.idl:1:30: error: 'A::f' calls 'A::f': it would call itself");
  begins("interface A { @rt(wcet = 1, threads = 0) void f(); };", "nav.idl:1:16: error: 'A::f' has 0 threads");
  begins("interface A { @rt(wcet = 1, importance = huge) void f(); };",
         "nav.idl:1:42: error: 'importance' is one of very_low");
}

TEST(ModelIdl, OtherAnnotationsAreOthersBusiness) {
  const Model model = model_of("interface A { @oneway void f(); @rt(wcet = \"1ms\") void g(); };");
  EXPECT_EQ(model.infos().size(), 1u);
}

}  // namespace
}  // namespace callis::scheduling::testing
