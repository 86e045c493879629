// SPDX-License-Identifier: Apache-2.0
// Graphs from files: JSON, and data files of omniNames as omniNames 4.2 writes them.
#include <callis/ior/ior.h>
#include <gtest/gtest.h>
#include <tools/ns/arguments.h>
#include <tools/ns/graph.h>

namespace callis::ns {
namespace {

std::string reference(std::string_view key) {
  ior::IiopProfile p;
  p.address = {"127.0.0.1", 2809};
  p.object_key.assign(key.begin(), key.end());
  return ior::to_text({"IDL:omg.org/CosNaming/NamingContextExt:1.0", {ior::to_profile(p)}});
}
const std::string kRootIor = reference("NameService"), kThing = reference("thing");
const std::string kFirstIor = reference(std::string("\xff\0ABCDEFGH0001", 14));
constexpr char kCreateRoot[] = "create 4e616d6553657276696365\n";
constexpr char kCreateFirst[] = "create 414243444546474830303031\n";

Graph read(const std::string& text, bool torn_expected = false) {
  bool torn = false;
  Graph out = graph_of_omninames(text, "names.dat", torn);
  EXPECT_EQ(torn, torn_expected);
  return out;
}
std::string problem(const std::string& text) {
  try {
    bool torn = false;
    (void)graph_of_omninames(text, "names.dat", torn);
  } catch (const Failure& f) {
    return f.text;
  }
  return "none";
}
const std::string kBegin = std::string("port 2809\npersistent 4142\n") + kCreateRoot + kCreateFirst;

TEST(OmniNamesFile, is_what_its_changes_come_to) {
  const Graph g = read(kBegin + "bind " + kRootIor + " shop dir ncontext " + kFirstIor + "\n" + "bind " + kFirstIor +
                       " a  nobject " + kRootIor + "\n" + "bind " + kFirstIor + " a  nobject " + kThing + "\n" +
                       "bind " + kRootIor + " gone  nobject " + kThing + "\nunbind " + kRootIor + " gone \n");
  ASSERT_EQ(g.contexts.size(), 2u);
  ASSERT_EQ(g.contexts[0].size(), 1u);
  EXPECT_EQ(g.contexts[0][0].id, "shop");
  EXPECT_EQ(g.contexts[0][0].kind_text, "dir");
  EXPECT_EQ(g.contexts[0][0].context, 1u);
  ASSERT_EQ(g.contexts[1].size(), 1u);
  EXPECT_EQ(g.contexts[1][0].reference, kThing);
}

TEST(OmniNamesFile, has_escapes_and_empty_words) {
  const Graph g = read(kBegin + "bind " + kRootIor + " a\\ b\\\\c\\n\\t\\r\xe4 k\\ k nobject " + kThing + "\n" +
                       "bind " + kRootIor + "   nobject " + kThing + "\n");
  ASSERT_EQ(g.contexts[0].size(), 2u);
  EXPECT_EQ(g.contexts[0][0].id, "");
  EXPECT_EQ(g.contexts[0][1].id, "a b\\c\n\t\r\xe4");
  EXPECT_EQ(g.contexts[0][1].kind_text, "k k");
}

TEST(OmniNamesFile, may_have_circles_and_other_services_contexts) {
  const std::string other = reference("elsewhere");
  const Graph g = read(kBegin + "bind " + kRootIor + " c  ncontext " + kFirstIor + "\nbind " + kFirstIor +
                       " up  ncontext " + kRootIor + "\nbind " + kFirstIor + " f  ncontext " + other + "\n");
  ASSERT_EQ(g.contexts[1].size(), 2u);
  EXPECT_EQ(g.contexts[1][0].kind, Bound::Kind::Foreign);
  EXPECT_EQ(g.contexts[1][0].reference, other);
  EXPECT_EQ(g.contexts[1][1].context, 0u);
}

TEST(OmniNamesFile, may_end_within_a_line_but_not_be_wrong) {
  EXPECT_EQ(read(kBegin + "bind " + kRootIor + " a", true).contexts[0].size(), 0u);
  EXPECT_EQ(problem(""), "names.dat:0: there is no context in it: a data file of omniNames has lines \"create ...\"");
  EXPECT_EQ(problem(kBegin + "hello\n"), "names.dat:5: no line of a data file of omniNames");
  EXPECT_EQ(problem(kBegin + "bind x\n"), "names.dat:5: 'bind' has 5 words behind it");
  EXPECT_EQ(problem("create xy\n"), "names.dat:1: an object id that is not hexadecimal");
  EXPECT_EQ(problem("create 414\n"), "names.dat:1: an odd number of hexadecimal digits");
  EXPECT_EQ(problem(kBegin + "destroy " + kThing + "\n"),
            "names.dat:5: a context that was not created, or has been destroyed");
  EXPECT_EQ(problem(kBegin + "bind " + kRootIor + " a  other " + kThing + "\n"),
            "names.dat:5: a binding is 'nobject' or 'ncontext'");
  EXPECT_NE(problem(kBegin + "destroy IOR:zz\n"), "none");
}

TEST(JsonGraph, comes_back) {
  Graph g;
  std::string all;
  for (int c = 1; c < 256; ++c) all += static_cast<char>(c);
  g.contexts.push_back({{"a", "", Bound::Kind::Local, 1, ""}, {all, all, Bound::Kind::Object, 0, "IOR:00"}});
  g.contexts.push_back({{"", "k", Bound::Kind::Foreign, 0, "IOR:01"}, {"up", "", Bound::Kind::Local, 0, ""}});
  const Graph back = graph_of_json(to_json(g), "x.json");
  ASSERT_EQ(back.contexts.size(), 2u);
  EXPECT_EQ(back.contexts[0][1].id, all);
  EXPECT_EQ(back.contexts[0][1].kind_text, all);
  EXPECT_EQ(back.contexts[0][0].context, 1u);
  EXPECT_EQ(back.contexts[1][0].kind, Bound::Kind::Foreign);
  EXPECT_EQ(back.contexts[1][0].reference, "IOR:01");
  EXPECT_EQ(to_json(back), to_json(g));
}

TEST(JsonGraph, that_is_none_is_refused_with_words) {
  for (const char* text : {"", "{", "[]", "{}", R"({"callis_names": 2, "contexts": [{"bindings": []}]})",
                           R"({"callis_names": 1, "contexts": []})", R"({"callis_names": 1, "contexts": [[]]})",
                           R"({"callis_names": 1, "contexts": [{"bindings": [1]}]})",
                           R"({"callis_names": 1, "contexts": [{"bindings": [{"id": "a"}]}]})",
                           R"({"callis_names": 1, "contexts": [{"bindings": [{"id": "a", "context": 1}]}]})",
                           R"({"callis_names": 1, "contexts": [{"bindings": [{"id": "a", "context": -1}]}]})",
                           R"({"callis_names": 1, "contexts": [{"bindings": [{"id": 1, "object": "IOR:00"}]}]})",
                           R"({"callis_names": 1, "contexts": [{"bindings": [{"id": "\u0100", "object": ""}]}]})",
                           R"({"callis_names": 1, "contexts": [{"bindings": [{"id": "\u0000", "object": ""}]}]})"})
    EXPECT_THROW(graph_of_json(text, "x.json"), Failure) << text;
}

}  // namespace
}  // namespace callis::ns
