// SPDX-License-Identifier: Apache-2.0
// Which operations --stubs=hybrid compiles: names on the command line, annotations and pragmas, profiles
// (docs/guide/stubs.md).
#include "generator.h"
#include <algorithm>

namespace {

class Hybrid : public generator::Generator {
 protected:
  // The operations that are compiled, "I.f", sorted, of x.idl with this text.
  std::string compiled(const std::string& idl, const std::string& options = "") {
    write("x.idl", idl);
    if (!compile("--stubs=hybrid " + options + " x.idl")) return output_;
    const std::string stubs = found("x.cpp", "void encode_"), skeletons = found("x_skel.cpp", "void serve_");
    EXPECT_EQ(stubs, skeletons);
    return stubs;
  }
  std::string refused_with(const std::string& options) {
    write("x.idl", kIdl);
    EXPECT_FALSE(compile(options + " x.idl"));
    EXPECT_FALSE(exists("x.h"));
    return output_.substr(0, output_.find('\n'));
  }

  static constexpr const char* kIdl =
      "struct Hot { long a; string b; }; struct Cold { string s; }; typedef sequence<Hot> Hots;\n"
      "exception Full { Hot what; };\n"
      "interface I { void none(in long l); void direct(in Hot h); Hots nested(); void other(in Cold c);\n"
      "  void raising() raises (Full); attribute Hot value; };\n"
      "interface J : I { void extra(in Cold c); };\n";

 private:
  std::string found(const std::string& file, const std::string& begin) {
    std::istringstream lines(read(file));
    std::vector<std::string> names;
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with(begin) || line.find("CORBA::UserException") != std::string::npos) continue;
      std::string name = line.substr(begin.size(), line.find('(') - begin.size());
      // Inherited operations appear in each skeleton.
      if (begin == "void serve_" && name.starts_with("J_") && name != "J_extra") continue;
      names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    std::string all;
    for (const std::string& n : names) all += (all.empty() ? "" : " ") + n;
    return all;
  }
};

TEST_F(Hybrid, InterpretsWhatNobodySpeaksOf) {
  EXPECT_EQ(compiled(kIdl), "");
  EXPECT_EQ(read("x.cpp").find("coder.h"), std::string::npos);
}

TEST_F(Hybrid, CompilesTheOperationsThatUseAType) {
  EXPECT_EQ(compiled(kIdl, "--stubs-for=Hot=compiled"),
            "I__0get_0value I__0set_0value I_direct I_nested I_raising");
  EXPECT_EQ(compiled(kIdl, "--stubs-for=Hots=compiled"), "I_nested");
  EXPECT_EQ(compiled(kIdl, "--stubs-for=Full=compiled"), "I_raising");
}

TEST_F(Hybrid, CompilesAnOperationAnAttributeOrAnInterface) {
  EXPECT_EQ(compiled(kIdl, "--stubs-for=I::none=compiled"), "I_none");
  EXPECT_EQ(compiled(kIdl, "--stubs-for=::I::value=compiled"), "I__0get_0value I__0set_0value");
  EXPECT_EQ(compiled(kIdl, "--stubs-for=J=compiled"), "J_extra");
  EXPECT_EQ(compiled(kIdl, "--stubs-for=J::other=compiled"), "I_other");
}

TEST_F(Hybrid, TakesTheNearestWord) {
  EXPECT_EQ(
      compiled(kIdl, "--stubs-for=I=compiled --stubs-for=I::direct=interpreted --stubs-for=I::value=interpreted"),
      "I_nested I_none I_other I_raising");
  EXPECT_EQ(compiled(kIdl, "--stubs-for=Hot=compiled --stubs-for=I=interpreted"), "");
}

TEST_F(Hybrid, TakesTheLastOfTwoOptions) {
  EXPECT_EQ(compiled(kIdl, "--stubs-for=I::none=compiled --stubs-for=I::none=interpreted"), "");
}

TEST_F(Hybrid, ObeysAnnotationsAndPragmas) {
  EXPECT_EQ(compiled("@callis::stubs(compiled) struct Hot { long l; }; struct Warm { long l; };\n"
                     "#pragma callis stubs Warm compiled\n"
                     "interface I { void a(in Hot x); void b(in Warm x); @stubs(interpreted) void c(in Hot x);\n"
                     "  @stubs(\"compiled\") void d(); void e(); };\n"),
            "I_a I_b I_d");
}

TEST_F(Hybrid, PutsOptionsBeforeAnnotations) {
  const std::string idl = "@stubs(compiled) struct Hot { long l; };\n"
                          "interface I { void a(in Hot x); @stubs(interpreted) void b(in Hot x); };\n";
  EXPECT_EQ(compiled(idl, "--stubs-for=Hot=interpreted"), "");
  EXPECT_EQ(compiled(idl, "--stubs-for=Hot=compiled"), "I_a I_b");
  EXPECT_EQ(compiled(idl, "--stubs-for=I::a=interpreted"), "");
}

TEST_F(Hybrid, LeavesAnnotationsAloneInTheOtherStyles) {
  write("x.idl", "interface I { @stubs(compiled) void a(in long l); @stubs(interpreted) void b(in long l); };\n");
  ASSERT_TRUE(compile("--stubs=interpreted x.idl")) << output_;
  EXPECT_EQ(read("x.cpp").find("void encode_"), std::string::npos);
  ASSERT_TRUE(compile("--stubs=compiled x.idl")) << output_;
  EXPECT_NE(read("x.cpp").find("void encode_I_b"), std::string::npos);
}

TEST_F(Hybrid, HasTheSameHeadersAsTheOtherStyles) {
  compiled(kIdl, "--stubs-for=Hot=compiled");
  const std::string types = read("x.h"), skeletons = read("x_skel.h");
  ASSERT_TRUE(compile("x.idl"));
  EXPECT_EQ(read("x.h"), types);
  EXPECT_EQ(read("x_skel.h"), skeletons);
}

TEST_F(Hybrid, FindsANameInAnyOfTheFiles) {
  write("x.idl", kIdl);
  write("y.idl", "interface Y { void f(); };\n");
  EXPECT_TRUE(compile("--stubs=hybrid --stubs-for=Y::f=compiled x.idl y.idl")) << output_;
}

TEST_F(Hybrid, RefusesNamesAndStylesThatAreNone) {
  EXPECT_EQ(refused_with("--stubs=hybrid --stubs-for=Hott=compiled"),
            "callis-idl: error: --stubs-for: there is no 'Hott'; did you mean 'Hot'?");
  EXPECT_EQ(refused_with("--stubs=hybrid --stubs-for=Hot=fast"),
            "callis-idl: error: --stubs-for=Hot=fast is not NAME=compiled or NAME=interpreted");
  EXPECT_EQ(refused_with("--stubs=hybrid --stubs-for=Hot"),
            "callis-idl: error: --stubs-for=Hot is not NAME=compiled or NAME=interpreted");
  EXPECT_EQ(refused_with("--stubs-for=Hot=compiled"), "--stubs-for and --profile need --stubs=hybrid");
}

TEST_F(Hybrid, RefusesWhatHasNoStubs) {
  write("x.idl", "module M { const long k = 1; };\n");
  EXPECT_FALSE(compile("--stubs=hybrid --stubs-for=M::k=compiled x.idl"));
  EXPECT_EQ(
      output_,
      "callis-idl: error: --stubs-for: constant 'M::k' has no stubs; name a type, an interface or an operation\n");
}

// ---- profiles ----

TEST_F(Hybrid, CompilesTheOperationsThatMakeUpMostOfAProfile) {
  write("p", "callis-profile 1\n"
             "op 1000 70000 direct IDL:I:1.0\n"   // weight 102000
             "op 100 10000 nested IDL:I:1.0\n"    // 13200
             "op 100 0 none IDL:I:1.0\n"          // 3200
             "op 0 0 other IDL:I:1.0\n"
             "type 1000 70000 struct{long,string}\n");
  EXPECT_EQ(compiled(kIdl, "--profile=p"), "I_direct");
  EXPECT_EQ(compiled(kIdl, "--profile=p --profile-share=95"), "I_direct I_nested");
  EXPECT_EQ(compiled(kIdl, "--profile=p --profile-share=100"), "I_direct I_nested I_none");
}

TEST_F(Hybrid, AddsProfilesUp) {
  write("p", "callis-profile 1\nop 10 0 none IDL:I:1.0\nop 9 0 nested IDL:I:1.0\n");
  write("q", "callis-profile 1\nop 1000 0 nested IDL:I:1.0\n");
  EXPECT_EQ(compiled(kIdl, "--profile=p --profile=q"), "I_nested");
}

TEST_F(Hybrid, FindsInheritedOperationsAndAttributesOfAProfile) {
  write("p", "callis-profile 1\nop 100 0 other IDL:J:1.0\nop 100 0 _get_value IDL:Unknown:1.0 IDL:I:1.0\n");
  EXPECT_EQ(compiled(kIdl, "--profile=p --profile-share=100"), "I__0get_0value I__0set_0value I_other");
}

TEST_F(Hybrid, PutsOptionsAndAnnotationsBeforeProfiles) {
  write("p", "callis-profile 1\nop 100 0 a IDL:I:1.0\nop 100 0 b IDL:I:1.0\nop 100 0 c IDL:I:1.0\n");
  const std::string idl = "interface I { @stubs(interpreted) void a(); void b(); void c(); };\n";
  EXPECT_EQ(compiled(idl, "--profile=p --profile-share=100 --stubs-for=I::b=interpreted"), "I_c");
}

TEST_F(Hybrid, WarnsOfAProfileOfSomethingElse) {
  write("p", "callis-profile 1\nop 1 1 f IDL:Other:1.0\n");
  compiled(kIdl, "--profile=p");
  EXPECT_EQ(output_, "callis-idl: warning: the profile speaks of no operation that is declared here\n");
}

TEST_F(Hybrid, RefusesWhatIsNoProfile) {
  const auto refusal = [this](const std::string& text) {
    write("p", text);
    return refused_with("--stubs=hybrid --profile=p");
  };
  EXPECT_EQ(refusal(""), "callis-idl: error: 'p' is not a profile: the file is empty");
  EXPECT_EQ(refusal("callis-profile 2\n"),
            "callis-idl: error: 'p' is not a profile: line 1: expected 'callis-profile 1'");
  for (const char* bad :
       {"op", "op 1", "op 1 1", "op x 1 f", "op -1 1 f", "op 99999999999999999999 1 f", "op 1 1 f%2", "op 1 1 f%zz",
        "op 1 1  IDL:I:1.0", "type 1 1", "type 1 long", "other 1 1 x", "\x01"})
    EXPECT_EQ(refusal(std::string("callis-profile 1\n# a remark\n") + bad + "\n"),
              "callis-idl: error: 'p' is not a profile: line 3 is not 'op CALLS BYTES NAME ID...' or 'type CALLS "
              "BYTES TYPE'")
        << bad;
  EXPECT_EQ(refused_with("--stubs=hybrid --profile=nowhere"), "callis-idl: error: cannot read 'nowhere'");
}

TEST_F(Hybrid, NamesProfilesAmongWhatTheOutputDependsOn) {
  write("p", "callis-profile 1\nop 1 1 none IDL:I:1.0\n");
  write("x.idl", kIdl);
  ASSERT_TRUE(compile("--stubs=hybrid --profile=p --depfile x.d x.idl")) << output_;
  EXPECT_NE(read("x.d").find("  p\n"), std::string::npos) << read("x.d");
}

}  // namespace
