// SPDX-License-Identifier: Apache-2.0
// What callis-idl writes, and refuses to write, for the classic mapping.
#include "generator.h"

namespace {

using generator::Generator;

constexpr const char* kBank =
    "module Bank { struct Entry { string text; long amount; }; typedef sequence<Entry> Entries;"
    " exception Broke { long missing; };"
    " interface Account { attribute long balance; Entries list(in long n) raises (Broke); }; };\n";

TEST_F(Generator, WritesTheFourFilesOfAnIdlFile) {
  write("bank.idl", kBank);
  ASSERT_TRUE(compile("bank.idl")) << output_;
  for (const char* name : {"bank.h", "bank.cpp", "bank_skel.h", "bank_skel.cpp"}) EXPECT_TRUE(exists(name)) << name;
}

TEST_F(Generator, WritesTheSameTextWhereverTheFileIs) {
  write("one/bank.idl", kBank);
  write("two/deep/bank.idl", kBank);
  for (const std::string stubs : {"--stubs=interpreted ", "--stubs=compiled "}) {
    ASSERT_TRUE(compile(stubs + "-o one one/bank.idl")) << output_;
    ASSERT_TRUE(compile(stubs + "-o two/deep \"$PWD/two/deep/bank.idl\"")) << output_;
    for (const std::string name : {"bank.h", "bank.cpp", "bank_skel.h", "bank_skel.cpp"})
      EXPECT_EQ(read("one/" + name), read("two/deep/" + name)) << name;
  }
}

TEST_F(Generator, GivesBothStylesTheSameHeaders) {
  write("bank.idl", kBank);
  ASSERT_TRUE(compile("--stubs=interpreted bank.idl"));
  const std::string types = read("bank.h"), skeletons = read("bank_skel.h");
  ASSERT_TRUE(compile("--stubs=compiled bank.idl"));
  EXPECT_EQ(read("bank.h"), types);
  EXPECT_EQ(read("bank_skel.h"), skeletons);
}

TEST_F(Generator, LeavesDeclarationsOfIncludedFilesToTheirOwnHeaders) {
  write("base.idl", "struct Elsewhere { long l; }; interface Root { void f(); };\n");
  write("top.idl", "#include \"base.idl\"\ninterface Top : Root { Elsewhere get(); };\n");
  ASSERT_TRUE(compile("top.idl")) << output_;
  EXPECT_NE(read("top.h").find("#include \"base.h\""), std::string::npos);
  EXPECT_EQ(read("top.h").find("struct Elsewhere {"), std::string::npos);
  EXPECT_NE(read("top_skel.h").find("#include \"base_skel.h\""), std::string::npos);
}

TEST_F(Generator, IncludesNothingOfTheOrbForPlainData) {
  write("plain.idl", "struct S { long l; }; enum E { a, b }; const short k = 3;\n");
  ASSERT_TRUE(compile("plain.idl")) << output_;
  EXPECT_EQ(read("plain.h").find("callis/orb"), std::string::npos);
  EXPECT_EQ(read("plain_skel.h").find("callis/poa"), std::string::npos);
}

TEST_F(Generator, IncludesUnionsAndFixedOnlyWhereTheyAreUsed) {
  write("plain.idl", "struct S { string text; };\n");
  ASSERT_TRUE(compile("--no-any plain.idl")) << output_;
  for (const char* header : {"classic/union.h", "classic/fixed.h", "typecode/"})
    EXPECT_EQ(read("plain.h").find(header), std::string::npos) << header;
  write("money.idl", "union U switch (long) { case 1: sequence<fixed<5, 2> > f; };\n");
  ASSERT_TRUE(compile("--no-any money.idl")) << output_;
  for (const char* header : {"classic/union.h", "classic/fixed.h"})
    EXPECT_NE(read("money.h").find(header), std::string::npos) << header;
}

TEST_F(Generator, IncludesContextsOnlyWhereAClauseNamesThem) {
  write("without.idl", "interface I { void f(); };\n");
  ASSERT_TRUE(compile("without.idl")) << output_;
  EXPECT_EQ(read("without.h").find("context.h"), std::string::npos);
  write("with.idl", "interface I { void f(in long l) context (\"user\", \"a*\"); void g(); };\n");
  ASSERT_TRUE(compile("with.idl")) << output_;
  EXPECT_NE(read("with.h").find("callis/orb/base/operation_context.h"), std::string::npos);
  EXPECT_NE(read("with.h").find("virtual void f(::CORBA::Long l, ::CORBA::Context_ptr _ctx);"), std::string::npos);
  EXPECT_NE(read("with.h").find("virtual void g();"), std::string::npos);
}

TEST_F(Generator, WritesTiesUnlessToldOtherwise) {
  write("bank.idl", kBank);
  ASSERT_TRUE(compile("bank.idl")) << output_;
  EXPECT_NE(read("bank_skel.h").find("class Account_tie"), std::string::npos);
  ASSERT_TRUE(compile("--no-ties bank.idl")) << output_;
  EXPECT_EQ(read("bank_skel.h").find("_tie"), std::string::npos);
  EXPECT_EQ(read("bank_skel.h").find("poa/servant/tie.h"), std::string::npos);
  // The name is an interface's already.
  write("taken.idl", "interface A {}; interface A_tie {};\n");
  ASSERT_TRUE(compile("taken.idl")) << output_;
  EXPECT_EQ(read("taken_skel.h").find("class POA_A_tie : public POA_A,"), std::string::npos);
  EXPECT_NE(read("taken_skel.h").find("class POA_A_tie_tie : public POA_A_tie,"), std::string::npos);
}

TEST_F(Generator, WritesNoStubsOrSkeletonsForLocalInterfaces) {
  write("local.idl", "native Thing; local interface L { void f(in Thing t); };\n");
  ASSERT_TRUE(compile("local.idl")) << output_;
  EXPECT_NE(read("local.h").find("class L : public virtual ::CORBA::Object"), std::string::npos);
  EXPECT_EQ(read("local.cpp").find("invoke"), std::string::npos);
  EXPECT_EQ(read("local_skel.h").find("POA_L"), std::string::npos);
}

TEST_F(Generator, AcceptsConstantsOfWideCharacters) {
  write("wide.idl", "const wchar c = L'x'; const wstring s = L\"text\";\n");
  EXPECT_TRUE(compile("wide.idl")) << output_;
}

TEST_F(Generator, RefusesNamesThatTheMappingNeedsForItself) {
  EXPECT_EQ(refused("interface A {};\ntypedef long A_ptr;\n"),
            "x.idl:2:14: error: the C++ mapping of interface 'A' needs the name 'A_ptr' for itself");
  EXPECT_EQ(refused("struct S { long l; };\nstruct S_var { long l; };\n"),
            "x.idl:2:8: error: the C++ mapping of struct 'S' needs the name 'S_var' for itself");
  EXPECT_EQ(refused("bitmask Flags { one, two };\nstruct FlagsBits { long l; };\n"),
            "x.idl:2:8: error: the C++ mapping of bitmask 'Flags' needs the name 'FlagsBits' for itself");
  EXPECT_EQ(refused("module M {\n typedef long A[3];\n const long A_slice = 1;\n};\n"),
            "x.idl:3:13: error: the C++ mapping of typedef 'A' needs the name 'A_slice' for itself");
  EXPECT_EQ(refused("module M { interface I {}; };\nmodule POA_M { const long k = 1; };\n"),
            "x.idl:2:8: error: the C++ mapping of module 'M' needs the name 'POA_M' for itself");
  EXPECT_EQ(refused("#pragma prefix \"omg.org\"\nmodule M {\n struct callis_orb { long l; };\n};\n"),
            "x.idl:3:9: error: the C++ mapping of module 'M' needs the name 'callis_orb' for itself");
}

// Other ORBs' libraries define them, too (docs/design/names.md).
TEST_F(Generator, GivesModulesOfTheOmgAnInlineNamespace) {
  write("x.idl",
        "#pragma prefix \"omg.org\"\n"
        "module CosX { interface I; interface I { void f(); }; valuetype V { public long l; };"
        " module Inner { interface J {}; valuetype W { public long l; }; }; };\n"
        "module CosX { interface Later : I {}; };\n"
        "#pragma prefix \"\"\n"
        "module CosY { interface K {}; typeprefix CosY \"omg.org\"; };\n"
        "module Bank { interface A : CosX::I {}; valuetype B : CosX::V {}; };\n"
        "module Other { module CosX { interface C {}; }; };\n");
  struct Style {
    std::string option, types, skeletons;
  };
  const Style styles[] = {{"callis", "x.h", "x_skel.h"}, {"tao", "xC.h", "xS.h"}, {"omniorb", "x.hh", "x.hh"}};
  for (const Style& style : styles)
    for (const std::string stubs : {"interpreted", "compiled", "hybrid"}) {
      ASSERT_TRUE(compile("--style=" + style.option + " --stubs=" + stubs + " x.idl")) << output_;
      const std::string types = read(style.types), skeletons = read(style.skeletons);
      const auto opened = [](const std::string& text, const std::string& space) {
        int n = 0;
        for (std::size_t at = text.find("namespace " + space + " {\n"); at != text.npos;
             at = text.find("namespace " + space + " {\n", at + 1))
          ++n;
        return n;
      };
      EXPECT_EQ(opened(types, "CosX::inline callis_orb"), 2) << types;
      EXPECT_EQ(opened(types, "CosY::inline callis_orb"), 1);
      EXPECT_EQ(opened(types, "OBV_CosX::inline callis_orb"), 2);
      EXPECT_GE(opened(types, "Inner"), 2);
      EXPECT_EQ(opened(types, "Bank"), 1);
      EXPECT_EQ(opened(types, "OBV_Bank"), 1);
      EXPECT_EQ(opened(types, "CosX"), opened(types, "Other") + opened(types, "POA_Other")) << "the one in Other";
      EXPECT_GE(opened(skeletons, "POA_CosX::inline callis_orb"), 3);
      EXPECT_GE(opened(skeletons, "POA_Bank"), 2);
      EXPECT_EQ(opened(skeletons, "POA_CosX"), 0);
      EXPECT_GE(opened(skeletons, "POA_Other"), 1);
    }
}

TEST_F(Generator, TakesNamesThatOnlyLookLikeThose) {
  write("x.idl",
        "struct S { long S_var; };\ninterface A_var {};\nmodule M { typedef long S_var; struct callis_orb {}; };\n");
  EXPECT_TRUE(compile("x.idl")) << output_;
}

}  // namespace
