// SPDX-License-Identifier: Apache-2.0
// The program as operators use it: words, exit statuses, what is kept, who is refused.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

namespace callis::imr {
namespace {

struct Ended {
  int status = -1;
  std::string output;  // both streams
};

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// A folder of the test's own, and the programs in it.
struct ImrProgram : ::testing::Test {
  std::filesystem::path folder = make_folder();
  pid_t served = 0;
  std::string reference;

  ~ImrProgram() override {
    end(SIGTERM);
    std::filesystem::remove_all(folder);
  }
  static std::filesystem::path make_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "callis_imr_XXXXXX").string();
    return ::mkdtemp(name.data());
  }
  Ended run(const std::string& arguments) const {
    const std::size_t first = arguments.find(' ');
    const std::string told = reference.empty() ? "" : " --imr " + reference;
    const std::string command = "cd " + folder.string() + " && " + CALLIS_BINARY_DIR + "/bin/callis imr " +
                                arguments.substr(0, first) + told +
                                (first == arguments.npos ? "" : arguments.substr(first)) + " 2>&1";
    Ended out;
    std::FILE* pipe = ::popen(command.c_str(), "r");
    char buffer[512];
    while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) out.output.append(buffer, n);
    const int status = ::pclose(pipe);
    out.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return out;
  }
  void serve(const std::string& who = "admin=any", const std::string& endpoint = "tcp:127.0.0.1:0") {
    const std::string store = (folder / "servers.db").string(), log = (folder / "log").string(),
                      ior = (folder / "ior").string();
    std::filesystem::remove(ior);
    served = ::fork();
    if (served == 0) {
      if (!std::freopen(log.c_str(), "a", stdout) || ::dup2(1, 2) < 0) ::_exit(1);
      ::execl(CALLIS_BINARY_DIR "/bin/callis-imr", "callis-imr", "serve", "--store", store.c_str(), "--ior-file",
              ior.c_str(), "--allow", who.c_str(), "-ORBEndpoint", endpoint.c_str(), nullptr);
      ::_exit(1);
    }
    for (int i = 0; i < 400 && !std::filesystem::exists(ior); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(25));  // another process says when
    reference = ior;
    ASSERT_TRUE(std::filesystem::exists(ior)) << text_of(log);
  }
  static std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  int end(int signal) {
    if (served == 0) return 0;
    ::kill(served, signal);
    int status = 0;
    ::waitpid(served, &status, 0);
    served = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
};

TEST_F(ImrProgram, wrong_words_are_said_and_end_with_2) {
  for (const char* const words :
       {"what", "add", "add a b", "add a --what", "add a --env X", "add a --pause 0", "start", "ls x", "status",
        "ior x", "add a --activation never", "add a --key-prefix 0", "ls --imr", "serve --allow nobody"}) {
    const Ended ended = run(words);
    EXPECT_EQ(ended.status, 2) << words << ": " << ended.output;
    EXPECT_TRUE(has(ended.output, " --help lists all")) << words << ": " << ended.output;
  }
  EXPECT_EQ(run("--help").status, 0);
  EXPECT_TRUE(has(run("serve --help").output, "--max-waiting"));
}

TEST_F(ImrProgram, repository_that_is_not_there_is_a_system_exception) {
  EXPECT_EQ(run("ls --imr corbaloc::127.0.0.1:1/ImplRepoService").status, 4);
  EXPECT_EQ(run("ls --imr nothing").status, 1);
}

TEST_F(ImrProgram, registrations_survive_a_kill) {
  serve();
  const Ended added =
      run("add tanks --env 'A=b c' --directory /tmp --start-deadline 2.5 -- /usr/bin/tankd --x 'y z'");
  EXPECT_EQ(added.status, 0) << added.output;
  end(SIGKILL);
  serve();
  EXPECT_TRUE(has(run("ls").output, "tanks"));
  const std::string status = run("status tanks").output;
  for (const char* const part : {"stopped", "/usr/bin/tankd --x y z", "A=b c", "/tmp", "start 2500 ms", "on-demand"})
    EXPECT_TRUE(has(status, part)) << part << " in " << status;
  EXPECT_EQ(run("rm tanks").status, 0);
  EXPECT_FALSE(has(run("ls").output, "tanks"));
  EXPECT_EQ(end(SIGTERM), 0);
}

TEST_F(ImrProgram, operators_are_told_what_does_not_work) {
  serve();
  const auto fails = [&](const std::string& words, const std::string& part) {
    const Ended ended = run(words);
    EXPECT_EQ(ended.status, 1) << words << ": " << ended.output;
    EXPECT_TRUE(has(ended.output, part)) << words << ": " << ended.output;
  };
  fails("status tanks", "no server of that name");
  fails("add ../x -- /bin/true", "is no name of a server");
  fails("add tanks -- true", "no absolute path");
  fails("add tanks --activation always", "no command line");
  EXPECT_EQ(run("add tanks -- /bin/false").status, 0);
  fails("add tanks -- /bin/false", "--replace");
  fails("start tanks", "exit status 1");
  EXPECT_TRUE(has(run("status tanks").output, "1 in a row"));
  EXPECT_EQ(run("add tanks --replace -- /bin/sleep 1000").status, 0);
  EXPECT_EQ(run("add other --key-prefix 0102 --endpoint 127.0.0.1:1").status, 0);
  fails("add third --key-prefix 0102", "already");
  fails("start other", "no command line");
}

TEST_F(ImrProgram, references_lead_through_the_repository) {
  serve();
  EXPECT_EQ(run("add tanks -- /bin/false").status, 0);
  const Ended made = run("ior tanks a%00b --type IDL:Tank:1.0");
  EXPECT_EQ(made.status, 0);
  EXPECT_TRUE(has(made.output, "IOR:")) << made.output;
  EXPECT_EQ(run("ior tanks 'a b'").status, 2);
  EXPECT_EQ(run("ior nobody a").status, 1);
}

TEST_F(ImrProgram, output_of_servers_comes_into_the_log) {
  serve();
  EXPECT_EQ(run("add tanks -- /bin/echo level 3").status, 0);
  EXPECT_EQ(run("start tanks").status, 1);
  end(SIGTERM);
  EXPECT_TRUE(has(text_of(folder / "log"), "[tanks] level 3")) << text_of(folder / "log");
}

// A loopback address is nobody's identity, whoever runs the repository.
TEST_F(ImrProgram, takes_orders_over_its_unix_domain_socket_alone_unless_told_otherwise) {
  serve("read=any");
  const Ended added = run("add tanks -- /bin/false");
  EXPECT_EQ(added.status, 4) << added.output;
  EXPECT_TRUE(has(added.output, "NO_PERMISSION")) << added.output;
  EXPECT_TRUE(has(added.output, "root and the service's own user over a Unix-domain socket")) << added.output;
  end(SIGTERM);
  serve("read=any", "unix:" + (folder / "socket").string());
  const Ended again = run("add tanks -- /bin/false");
  EXPECT_EQ(again.status, 0) << again.output;
}

}  // namespace
}  // namespace callis::imr
