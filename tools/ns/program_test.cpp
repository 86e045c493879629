// SPDX-License-Identifier: Apache-2.0
// callis ns against callis naming: output, exit status, and what is said when something goes wrong.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace callis::ns {
namespace {

struct Ended {
  int status = -1;
  std::string output;  // both streams
};

// callis naming, in memory, at a port that the system chooses; and a folder.
struct NsProgram : ::testing::Test {
  std::filesystem::path folder = make_folder();
  std::FILE* service = nullptr;
  pid_t pid = 0;

  NsProgram() {
    const std::string command = "echo $$; exec " + std::string(CALLIS_BINARY_DIR) +
                                "/bin/callis-naming --allow admin=any -ORBEndpoint tcp:127.0.0.1:0 --ior-file " +
                                (folder / "ior").string();
    service = ::popen(command.c_str(), "r");
    char line[8192];
    if (std::fgets(line, sizeof line, service)) pid = std::stoi(line);
    if (!std::fgets(line, sizeof line, service)) ADD_FAILURE() << "callis naming has not started";
  }
  ~NsProgram() override {
    ::kill(pid, SIGTERM);
    EXPECT_EQ(::pclose(service), 0);
    std::filesystem::remove_all(folder);
  }
  static std::filesystem::path make_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "callis_ns_XXXXXX").string();
    return ::mkdtemp(name.data());
  }
  Ended run(const std::string& arguments) const { return run_with("--name-service ior ", arguments); }
  Ended run_with(const std::string& service_option, const std::string& arguments) const {
    const std::string command = "cd " + folder.string() + " && " + CALLIS_BINARY_DIR + "/bin/callis ns " + arguments +
                                " " + service_option + " 2>&1";
    Ended out;
    std::FILE* pipe = ::popen(command.c_str(), "r");
    char buffer[512];
    while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) out.output.append(buffer, n);
    const int status = ::pclose(pipe);
    out.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return out;
  }
  void expect(const std::string& arguments, int status, const std::string& output) const {
    const Ended e = run(arguments);
    EXPECT_EQ(e.output, output) << arguments;
    EXPECT_EQ(e.status, status) << arguments << "\n" << e.output;
  }
};

TEST_F(NsProgram, BindsAndShows) {
  expect("mkdir -p shop/dir.k", 0, "");
  expect("bind 'shop/a\\.b.c' corbaloc::h:1/x", 0, "");
  expect("ls", 0, "shop/\n");
  expect("ls -r", 0, "shop/\nshop/dir.k/\nshop/a\\.b.c\n");
  expect("tree", 0, ".\n└── shop/\n    ├── dir.k/\n    └── a\\.b.c\n");
  expect("resolve 'shop/a\\.b.c'", 0,
         "IOR:0000000000000001000000000000000100000000000000110001000000000002680000010000000178\n");
  expect("rebind 'shop/a\\.b.c' corbaloc::h:1/y", 0, "");
  expect("unbind 'shop/a\\.b.c'", 0, "");
  expect("rm shop/dir.k", 0, "");
  expect("ls shop", 0, "");
}

TEST_F(NsProgram, SaysWhatIsWrong) {
  expect("resolve a/b", 3, "callis ns: resolve a/b: NotFound: there is no 'a' in the root context\n");
  expect("mkdir a", 0, "");
  expect("mkdir a", 3, "callis ns: mkdir a: AlreadyBound: something is bound to that name\n");
  expect("bind a/x corbaloc::h:1/x", 0, "");
  expect("resolve a/x/y", 3, "callis ns: resolve a/x/y: NotFound: 'x' in 'a' is no context\n");
  expect("rebind a corbaloc::h:1/x", 3,
         "callis ns: rebind a: NotFound: 'a' in the root context is a context, and no object\n");
  expect("rm a", 3, "callis ns: rm a (-r removes what is in it, too): NotEmpty: something is bound in the context\n");
  expect("rm -r a", 0, "");
  expect("bind x nowhere", 1, run("bind x nowhere").output);
  EXPECT_EQ(run("resolve a.").status, 2);
  EXPECT_EQ(run("frobnicate").status, 2);
  EXPECT_EQ(run("bind x").status, 2);
  EXPECT_EQ(run("ls -p").status, 2);
  EXPECT_EQ(run_with("--name-service corbaloc::127.0.0.1:1/NameService", "ls").status, 4);
  EXPECT_EQ(run_with("--name-service /nowhere", "ls").status, 1);
}

TEST_F(NsProgram, ShowsACircleOnce) {
  expect("mkdir -p a/b", 0, "");
  expect("bind --context a/b/up ior", 0, "");
  expect("ls -r", 0, "a/\na/b/\na/b/up/\n");
  expect("rm -r a", 0, "");
  expect("ls", 0, "");
}

TEST_F(NsProgram, ListsAndRemovesContextsThatNoNameLeadsTo) {
  expect("orphans", 0, "");
  expect("mkdir -p a/b", 0, "");
  expect("mkdir c", 0, "");
  expect("unbind a", 0, "");
  expect("unbind c", 0, "");
  const Ended listed = run("orphans");
  EXPECT_EQ(listed.status, 0);
  EXPECT_NE(listed.output.find("1 bindings, "), std::string::npos) << listed.output;
  EXPECT_NE(listed.output.find(" s: IOR:"), std::string::npos) << listed.output;
  expect("orphans --remove --older-than 100000", 0, "0 removed\n");
  expect("orphans --remove", 0, "2 removed\n");
  expect("orphans --remove --with-bindings", 0, "1 removed\n");
  expect("orphans", 0, "");
  EXPECT_EQ(run("orphans --with-bindings").status, 2);
  EXPECT_EQ(run("orphans x").status, 2);
}

TEST_F(NsProgram, ExportsAndImports) {
  expect("mkdir -p shop/dir", 0, "");
  expect("bind shop/a corbaloc::h:1/x", 0, "");
  expect("bind --context shop/dir/up ior", 0, "");
  const Ended exported = run("export");
  ASSERT_EQ(exported.status, 0);
  std::ofstream(folder / "names.json") << exported.output;
  expect("rm -r shop", 0, "");
  expect("import names.json", 0, "1 objects, 3 contexts\n");
  EXPECT_EQ(run("export").output, exported.output);
  const Ended again = run("import names.json");
  EXPECT_EQ(again.status, 3);
  EXPECT_NE(again.output.find("2 names were bound already"), std::string::npos) << again.output;
  EXPECT_EQ(run("import --replace names.json").status, 0);
  EXPECT_EQ(run("export").output, exported.output);
  std::ofstream(folder / "bad.json") << "{";
  EXPECT_EQ(run("import bad.json").status, 1);
  EXPECT_EQ(run("import nothing.json").status, 1);
}

TEST_F(NsProgram, CountsWhatItDid) {
  expect("mkdir a", 0, "");
  expect("bind a/x corbaloc::h:1/x", 0, "");
  expect("resolve a/y", 3, "callis ns: resolve a/y: NotFound: there is no 'y' in 'a'\n");
  const std::string command = "cd " + folder.string() + " && " + CALLIS_BINARY_DIR + "/bin/callis naming --stats ior";
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  std::string told(4096, '\0');
  told.resize(std::fread(told.data(), 1, told.size(), pipe));
  EXPECT_EQ(::pclose(pipe), 0);
  for (const char* name : {"bindings", "contexts", "changed", "resolved", "refused", "instances", "iterators"})
    EXPECT_NE(told.find(name), std::string::npos) << told;
}

TEST_F(NsProgram, WatchesWhatChanges) {
  expect("bind a corbaloc::h:1/x", 0, "");
  expect("watch --once", 0, "+ a\n");
  const std::string command = "cd " + folder.string() + " && exec " + CALLIS_BINARY_DIR +
                              "/bin/callis-ns watch --interval 5 --name-service ior 2>&1 & echo $!; wait";
  std::FILE* const watching = ::popen(("sh -c '" + command + "'").c_str(), "r");
  char line[512];
  ASSERT_TRUE(std::fgets(line, sizeof line, watching));
  const pid_t watcher = std::stoi(line);
  const auto next = [&] { return std::fgets(line, sizeof line, watching) ? std::string(line) : "ended"; };
  EXPECT_EQ(next(), "+ a\n");
  expect("bind b corbaloc::h:1/x", 0, "");
  EXPECT_EQ(next(), "+ b\n");
  expect("rebind b corbaloc::h:1/y", 0, "");
  EXPECT_EQ(next(), "~ b\n");
  expect("unbind b", 0, "");
  EXPECT_EQ(next(), "- b\n");
  ::kill(watcher, SIGTERM);
  ::pclose(watching);
}

}  // namespace
}  // namespace callis::ns
