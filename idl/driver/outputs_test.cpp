// SPDX-License-Identifier: Apache-2.0
// What callis-idl writes where: names of files, includes among them, dependencies, the outputs of --emit and -E.
#include <idl/driver/testing/program.h>

namespace callis::idl::driver {
namespace {

using testing::Program;
using Names = std::vector<std::string>;

class Outputs : public Program {
 protected:
  void SetUp() override {
    write("sub/base.idl", "interface Base { void b(); };\n");
    write("a.idl", "#include \"sub/base.idl\"\ninterface A : Base { void f(); };\n");
  }
  bool has(const std::string& file, const std::string& text) { return read(file).find(text) != std::string::npos; }
};

TEST_F(Outputs, HaveNamesAsWithTaoIdl) {
  ASSERT_EQ(run("--style=tao -o out a.idl"), 0) << output_;
  EXPECT_EQ(files("out"), (Names{"aC.cpp", "aC.h", "aS.cpp", "aS.h"}));
  EXPECT_TRUE(has("out/aC.h", "#include \"baseC.h\"\n"));
  EXPECT_TRUE(has("out/aC.cpp", "#include \"aC.h\"\n"));
  EXPECT_TRUE(has("out/aS.h", "#include \"aC.h\"\n#include \"baseS.h\"\n"));
  EXPECT_TRUE(has("out/aS.cpp", "#include \"aS.h\"\n"));
}

TEST_F(Outputs, HaveNamesAsWithOmniidl) {
  ASSERT_EQ(run("--style=omniorb -o out a.idl"), 0) << output_;
  EXPECT_EQ(files("out"), (Names{"a.hh", "aSK.cc"}));
  EXPECT_TRUE(has("out/a.hh", "#include \"base.hh\"\n"));
  EXPECT_TRUE(has("out/a.hh", "class POA_A : public virtual ::POA_Base"));
  EXPECT_TRUE(has("out/aSK.cc", "#include \"a.hh\"\n"));
  EXPECT_TRUE(has("out/aSK.cc", "POA_A::_this()"));
  EXPECT_FALSE(has("out/a.hh", "#include \"a.hh\""));
}

TEST_F(Outputs, AreThoseOfOmniidlsOwnOptions) {
  ASSERT_EQ(run("-bcxx -Wba,h=.h -Wbtp -Wbuse-quotes -nf -K -Wbkeep-inc-path -Wp-DX=1 -Cout a.idl"), 0) << output_;
  EXPECT_EQ(output_, "") << "all have their meaning";
  EXPECT_EQ(files("out"), (Names{"a.h", "aDynSK.cc", "aSK.cc"}));
  EXPECT_TRUE(has("out/a.h", "#include \"sub/base.h\"\n"));
  ASSERT_EQ(run("-bcxx -Wba -Wbd=SK.cc -C one a.idl"), 0) << output_;
  EXPECT_EQ(files("one"), (Names{"a.hh", "aSK.cc"}));
  ASSERT_EQ(run("-bcxx -Wbami,BOA -N -o two a.idl"), 0) << output_;
  EXPECT_EQ(output_,
            "callis-idl: -Wbami is ignored: there are no sendc_ and sendp_ operations; use threads, or the DII's "
            "deferred calls\ncallis-idl: -N is ignored: files always go through the preprocessor\n");
  EXPECT_TRUE(has("two/a.hh", "#include <omniORB4/boa.h>\n"));
  EXPECT_TRUE(has("two/a.hh", "class _sk_A : public virtual ::POA_A, public virtual ::_sk_Base, public virtual "
                              "::callis::compat::BoaServant {"));
  EXPECT_EQ(run("--boa a.idl"), 2) << "needs --style=omniorb";
  EXPECT_EQ(run("--style=omniorb --boa --no-skeletons a.idl"), 2);
  EXPECT_EQ(run("-bcxx -Wbnonsense a.idl"), 2);
  EXPECT_EQ(run("-bpython a.idl"), 2);
  EXPECT_EQ(run("-Wba a.idl"), 2) << "of omniidl alone";
}

TEST_F(Outputs, AreThoseOfTaoIdlsOwnOptions) {
  ASSERT_EQ(run("--tao -GT -GA -Sc -Sa -Gp -Sorb -H perfect_hash -in -t /tmp -Wb,export_macro=X_Export "
                "-Wb,stub_export_include=x_export.h,pre_include=ace/pre.h -Wb,post_include=p.h -Wp,-DX=1 -o out "
                "a.idl"),
            0)
      << output_;
  EXPECT_EQ(output_, "") << "all have their meaning";
  EXPECT_EQ(files("out"),
            (Names{"aA.cpp", "aA.h", "aC.cpp", "aC.h", "aS.cpp", "aS.h", "aS_T.h"}));
  EXPECT_TRUE(has("out/aC.h", "#include \"sub/baseC.h\"\n"));
  EXPECT_TRUE(has("out/aC.h", "#include \"x_export.h\"\n#include \"ace/pre.h\"\n"));
  EXPECT_TRUE(has("out/aC.h", "#include <callis/tao.h>\n#include \"p.h\"\n"));
  EXPECT_TRUE(has("out/aA.h", "#include \"aC.h\"\n"));
  EXPECT_TRUE(has("out/aS_T.h", "#include \"aS.h\"\n"));
  EXPECT_FALSE(has("out/aS.h", "_tie"));
  ASSERT_EQ(run("--tao -GT -hc Client.h -hs Server.h -cs Client.cc -ss Server.cc -hT Ties.h -SS -o two a.idl"),
            0);
  EXPECT_EQ(files("two"), (Names{"aClient.cc", "aClient.h"})) << "-SS: nothing of the server's side";
}

TEST_F(Outputs, SayWhichOfTaoIdlsOptionsMeanNothing) {
  ASSERT_EQ(run("--tao -GC -GI -GIh _i.h -oS elsewhere -o out a.idl"), 0) << output_;
  EXPECT_EQ(output_,
            "callis-idl: -GC is ignored: there are no sendc_ operations and reply handlers; use threads, or the "
            "DII's deferred calls\ncallis-idl: -GI is ignored: no frame of a servant is written\n"
            "callis-idl: -GIh is ignored: no frame of a servant is written\n"
            "callis-idl: -oS is ignored: all files go into the folder of -o\n");
  EXPECT_EQ(files("out"), (Names{"aC.cpp", "aC.h", "aS.cpp", "aS.h"}));
  EXPECT_EQ(run("--tao -Wb,nonsense=1 a.idl"), 2);
  EXPECT_EQ(run("--tao -Gnonsense a.idl"), 2);
  EXPECT_EQ(run("--tao a.idl -hc"), 2);
  EXPECT_EQ(run("--tao a.idl -hx .h"), 2) << "no help";
  EXPECT_EQ(run("-GT a.idl"), 2) << "of tao_idl alone";
}

TEST_F(Outputs, HaveOmniorbsThisInItsStyle) {
  ASSERT_EQ(run("--style=omniorb -o out a.idl"), 0) << output_;
  EXPECT_TRUE(has("out/aSK.cc", "::callis::poa::activated_reference(*this"));
  ASSERT_EQ(run("--style=omniorb --standard-this -o out a.idl"), 0) << output_;
  EXPECT_TRUE(has("out/aSK.cc", "::callis::poa::this_reference(*this"));
  ASSERT_EQ(run("-o out a.idl"), 0) << output_;
  EXPECT_TRUE(has("out/a_skel.cpp", "::callis::poa::this_reference(*this"));
}

// omniidl -Wba writes a third file; makefiles name it.
TEST_F(Outputs, HaveASourceForAnysWhereOneIsExpected) {
  ASSERT_EQ(run("--style=omniorb --any-source-ending=DynSK.cc -o out a.idl"), 0) << output_;
  EXPECT_EQ(files("out"), (Names{"a.hh", "aDynSK.cc", "aSK.cc"}));
  EXPECT_TRUE(has("out/aSK.cc", "_tc_A"));
  EXPECT_FALSE(has("out/aDynSK.cc", "#include"));
  EXPECT_TRUE(has("out/aDynSK.cc", "aSK.cc"));
  ASSERT_EQ(run("--emit deps --style=omniorb --any-source-ending=DynSK.cc -o out a.idl"), 0) << output_;
  EXPECT_NE(output_.find("out/aDynSK.cc"), output_.npos) << output_;
  EXPECT_EQ(run("--any-source-ending=/x.cc -o out a.idl"), 2);
}

TEST_F(Outputs, HaveTheEndingsAskedFor) {
  ASSERT_EQ(run("--header-ending=-c.hpp --source-ending=-c.cxx --skel-header-ending=-s.hpp "
                "--skel-source-ending=-s.cxx -o out a.idl"), 0) << output_;
  EXPECT_EQ(files("out"), (Names{"a-c.cxx", "a-c.hpp", "a-s.cxx", "a-s.hpp"}));
  EXPECT_TRUE(has("out/a-s.hpp", "#include \"base-s.hpp\"\n"));
  EXPECT_EQ(run("--style=tao --header-ending=.h -o mixed a.idl"), 0) << output_;
  EXPECT_EQ(files("mixed"), (Names{"a.h", "aC.cpp", "aS.cpp", "aS.h"}));
}

TEST_F(Outputs, RefuseEndingsThatArePaths) {
  EXPECT_EQ(run("--header-ending=/../x.h -o out a.idl"), 2);
  EXPECT_EQ(files("out"), Names());
}

TEST_F(Outputs, IncludeEachOtherWithAPrefix) {
  ASSERT_EQ(run("--include-prefix=gen/ -o out a.idl"), 0) << output_;
  EXPECT_TRUE(has("out/a.h", "#include \"gen/base.h\"\n"));
  EXPECT_TRUE(has("out/a.cpp", "#include \"gen/a.h\"\n"));
  EXPECT_TRUE(has("out/a_skel.h", "#include \"gen/base_skel.h\"\n"));
}

TEST_F(Outputs, SayWhichFilesDefineASkeleton) {
  ASSERT_EQ(run("-o out a.idl"), 0) << output_;
  EXPECT_TRUE(has("out/a_skel.h", "// Link a_skel.cpp, which defines these classes, and a.cpp, which it needs.\n"));
  ASSERT_EQ(run("--style=tao -o tao a.idl"), 0) << output_;
  EXPECT_TRUE(has("tao/aS.h", "// Link aS.cpp, which defines these classes, and aC.cpp, which it needs.\n"));
  ASSERT_EQ(run("--style=omniorb -o omni a.idl"), 0) << output_;
  EXPECT_FALSE(has("omni/a.hh", "// Link "));  // one file for both
}

TEST_F(Outputs, KeepThePathsOfIncludes) {
  write("inc/deep/outer.idl", "#include \"in/inner.idl\"\ninterface O : Inner {};\n");
  write("inc/deep/in/inner.idl", "interface Inner { void i(); };\n");
  write("b.idl", "#include <deep/outer.idl>\n#include \"sub/base.idl\"\ninterface B : O, Base, Inner {};\n");
  ASSERT_EQ(run("--keep-include-paths -I inc -o out b.idl"), 0) << output_;
  EXPECT_TRUE(has("out/b.h", "#include <deep/outer.h>\n#include \"sub/base.h\"\n"));
  EXPECT_TRUE(has("out/b_skel.h", "#include \"deep/in/inner_skel.h\"\n"));
  EXPECT_TRUE(has("out/b_skel.h", "#include \"sub/base_skel.h\"\n"));
  ASSERT_EQ(run("-I inc -o flat b.idl"), 0) << output_;
  EXPECT_TRUE(has("flat/b.h", "#include <outer.h>\n#include \"base.h\"\n"));
}

TEST_F(Outputs, LeaveOutSkeletons) {
  ASSERT_EQ(run("--no-skeletons -o out a.idl"), 0) << output_;
  EXPECT_EQ(files("out"), (Names{"a.cpp", "a.h"}));
  EXPECT_FALSE(has("out/a.h", "POA_"));
  EXPECT_EQ(run("--no-skeletons --join-skeletons -o out a.idl"), 2);
}

TEST_F(Outputs, IncludeNothingForAFileOfTheCompilersOwn) {
  write("o.idl", "#include <orb.idl>\ninterface O { void f(in Object o); };\n");
  ASSERT_EQ(run("-o out -MF o.d o.idl"), 0) << output_;
  EXPECT_FALSE(has("out/o.h", "orb.h"));
  EXPECT_FALSE(has("o.d", "orb.idl"));
  write("orb.idl", "typedef long Mine;\n");
  write("p.idl", "#include \"orb.idl\"\ntypedef Mine T;\n");
  ASSERT_EQ(run("-o out p.idl"), 0) << output_;  // the user's comes first
  EXPECT_TRUE(has("out/p.h", "#include \"orb.h\"\n"));
}

TEST_F(Outputs, AreTheSameEveryTimeAndWhereverTheCompilerIsRun) {
  ASSERT_EQ(run("-o one a.idl && cd sub && " CALLIS_BINARY_DIR "/bin/callis-idl -o ../two ../a.idl"), 0) << output_;
  for (const std::string& name : files("one")) {
    EXPECT_EQ(read("one/" + name), read("two/" + name)) << name;
  }
}

TEST_F(Outputs, HaveADepfileEachWithMD) {
  write("c.idl", "typedef long C;\n");
  ASSERT_EQ(run("-MD -o out a.idl c.idl"), 0) << output_;
  EXPECT_EQ(read("out/a.d"),
            "out/a.h out/a.cpp out/a_skel.h out/a_skel.cpp: \\\n  a.idl \\\n  sub/base.idl\n");
  EXPECT_TRUE(has("out/c.d", ": \\\n  c.idl\n"));
}

TEST_F(Outputs, HaveADepfileWithTheNameAndTargetsAskedFor) {
  ASSERT_EQ(run("-MD -MFdeps/all.d -MT stamp -MTother -MP -o out a.idl"), 0) << output_;
  EXPECT_EQ(read("deps/all.d"), "stamp other: \\\n  a.idl \\\n  sub/base.idl\nsub/base.idl:\n");
  EXPECT_EQ(run("-MT stamp -o out a.idl"), 2);
  EXPECT_EQ(run("-MD --emit deps a.idl"), 2);
}

TEST_F(Outputs, AreListedByEmitDeps) {
  ASSERT_EQ(run("--emit deps --style=omniorb -o out a.idl"), 0) << output_;
  EXPECT_EQ(files("out"), Names());
  EXPECT_EQ(output_, R"({
 "format": "callis-idl-deps",
 "version": 1,
 "units": [
  {
   "file": "a.idl",
   "reads": [
    "a.idl",
    "sub/base.idl"
   ],
   "writes": [
    "out/a.hh",
    "out/aSK.cc"
   ]
  }
 ]
}
)");
}

TEST_F(Outputs, OfEmitAreEmptyWhereTheFileIsWrong) {
  write("w.idl", "typedef Missing T;\n");
  EXPECT_EQ(run("--emit json a.idl w.idl 2>err; exit $?; :"), 1);
  EXPECT_EQ(output_, "");
  EXPECT_EQ(run("--emit json --syntax-only a.idl"), 2);
}

TEST_F(Outputs, OfThePreprocessorKeepLinesAndPragmas) {
  write("t.idl", "typedef long T;\n");
  write("p.idl", "#include \"t.idl\"\n#define N (1 + 2)\nmodule M {\n  typedef T X[N];\n#pragma prefix \"a\"\n};\n");
  ASSERT_EQ(run("-E p.idl"), 0) << output_;
  EXPECT_EQ(output_,
            "#line 1 \"t.idl\"\ntypedef long T;\n#line 3 \"p.idl\"\nmodule M {\n  typedef T X[ ( 1 + 2 ) ];\n"
            "#pragma prefix \"a\"\n};\n");
  const std::string text = output_;
  write("again.idl", text);
  EXPECT_EQ(run("--syntax-only again.idl"), 0) << output_;
}

}  // namespace
}  // namespace callis::idl::driver
