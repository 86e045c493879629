// SPDX-License-Identifier: Apache-2.0
// Unix-domain sockets: bytes, paths, permissions, peers.
#include <callis/transport/testing/bytes.h>
#include <callis/transport/unix/unix.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

namespace callis::transport {
namespace {

using testing::bytes;
using testing::soon;

namespace fs = std::filesystem;

class UnixSockets : public ::testing::Test {
 protected:
  UnixSockets() {
    std::string name = (fs::temp_directory_path() / "callis_unix_XXXXXX").string();
    directory_ = ::mkdtemp(name.data());
  }
  ~UnixSockets() override { fs::remove_all(directory_); }

  std::string path(const std::string& name = "s") const { return directory_ + "/" + name; }
  std::string error_of(const std::string& at) {
    auto l = listen_unix(at, 0600);
    EXPECT_FALSE(l.ok());
    return l ? "" : l.error().detail;
  }
  // A file of a socket that nobody listens on.
  void leave_behind(const std::string& at) {
    const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un a{};
    a.sun_family = AF_UNIX;
    std::memcpy(a.sun_path, at.c_str(), at.size());
    ASSERT_EQ(::bind(fd, reinterpret_cast<sockaddr*>(&a), sizeof a), 0);
    ::close(fd);
  }

  std::string directory_;
};

std::string receive_soon(Stream& s) {
  char buffer[256];
  const Transfer t = s.receive({reinterpret_cast<Byte*>(buffer), sizeof buffer}, soon());
  return t.ok() ? std::string(buffer, t.bytes) : fault_name(t.fault);
}

TEST_F(UnixSockets, carry_bytes_in_both_directions) {
  auto listener = listen_unix(path(), 0600).value();
  auto client = connect_unix(path(), soon()).value();
  auto server = listener->accept().value();
  EXPECT_TRUE(client->send(bytes("request"), soon()).ok());
  EXPECT_EQ(receive_soon(*server), "request");
  const ByteView parts[] = {bytes("re"), {}, bytes("ply")};
  EXPECT_EQ(server->send(parts, soon()).bytes, 5u);
  EXPECT_EQ(receive_soon(*client), "reply");
  server.reset();
  EXPECT_EQ(receive_soon(*client), "ConnectionLost");
}

TEST_F(UnixSockets, deadlines_hold) {
  auto listener = listen_unix(path(), 0600).value();
  auto client = connect_unix(path(), soon()).value();
  Byte b;
  EXPECT_EQ(client->receive({&b, 1}, Deadline::in(Duration(5))).fault, Fault::DeadlinePassed);
  const std::string big(64u << 20, 'x');
  EXPECT_EQ(client->send(bytes(big), Deadline::in(Duration(20))).fault, Fault::DeadlinePassed);
}

TEST_F(UnixSockets, peers_are_known_by_process_and_user) {
  auto listener = listen_unix(path(), 0600).value();
  auto client = connect_unix(path(), soon()).value();
  auto server = listener->accept().value();
  EXPECT_EQ(client->peer(), "unix:" + path());
  EXPECT_EQ(server->peer_identity().host, "user " + std::to_string(::getuid()));
  for (const Peer* const p : {&server->peer_identity(), &client->peer_identity()}) {
    EXPECT_EQ(p->kind, Peer::Kind::Local);
    EXPECT_EQ(p->reach, Reach::Machine);
    EXPECT_EQ(p->user, ::getuid());
    EXPECT_EQ(p->process, static_cast<std::uint32_t>(::getpid()));
  }
  EXPECT_EQ(server->peer(), "unix: process " + std::to_string(::getpid()) + " of user " + std::to_string(::getuid()));
}

TEST_F(UnixSockets, connecting_says_what_is_wrong_with_the_path) {
  auto none = connect_unix(path(), soon());
  EXPECT_EQ(none.fault(), Fault::TransportFailed);
  EXPECT_TRUE(
      none.error().detail.starts_with("unix:" + path() + " failed: No such file or directory (errno 2) after "));
  leave_behind(path());
  auto dead = connect_unix(path(), soon());
  EXPECT_EQ(dead.fault(), Fault::ConnectRefused);
  EXPECT_TRUE(dead.error().detail.starts_with("unix:" + path() + " refused (errno 111) after "))
      << dead.error().detail;
}

TEST_F(UnixSockets, paths_that_are_too_long_or_relative_are_errors) {
  const std::string longest = "/" + std::string(106, 'p'), too_long = longest + "p";
  EXPECT_EQ(connect_unix(too_long, soon()).error().detail, "unix:" + too_long + ": 108 bytes, at most 107");
  EXPECT_EQ(connect_unix(longest, soon()).error().os_error, ENOENT);
  EXPECT_EQ(error_of("s"), "unix:s: not an absolute path");
  EXPECT_EQ(error_of(""), "unix:: not an absolute path");
  EXPECT_EQ(error_of(std::string("/a\0b", 4)).substr(0, 7), "unix:/a");
}

TEST_F(UnixSockets, a_file_left_behind_by_a_dead_server_is_taken_over) {
  leave_behind(path());
  auto listener = listen_unix(path(), 0600);
  ASSERT_TRUE(listener.ok()) << listener.error().text();
  EXPECT_TRUE(connect_unix(path(), soon()).ok());
}

TEST_F(UnixSockets, a_living_servers_file_and_files_of_others_are_left_alone) {
  auto listener = listen_unix(path(), 0600).value();
  EXPECT_EQ(error_of(path()), "cannot listen on unix:" + path() + ", where another server does");
  EXPECT_TRUE(connect_unix(path(), soon()).ok());
  std::ofstream(path("file")) << "precious";
  EXPECT_EQ(error_of(path("file")),
            "cannot listen on unix:" + path("file") + ", where there is a file that is no socket");
  EXPECT_EQ(fs::file_size(path("file")), 8u);
  fs::create_symlink(path("file"), path("link"));
  EXPECT_NE(error_of(path("link")), "");
  EXPECT_TRUE(fs::is_symlink(path("link")));
}

TEST_F(UnixSockets, a_server_whose_queue_is_full_is_alive) {
  const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un a{};
  a.sun_family = AF_UNIX;
  std::memcpy(a.sun_path, path().c_str(), path().size());
  ASSERT_EQ(::bind(fd, reinterpret_cast<sockaddr*>(&a), sizeof a), 0);
  ASSERT_EQ(::listen(fd, 0), 0);
  auto waiting = connect_unix(path(), soon());
  ASSERT_TRUE(waiting.ok());
  auto late = connect_unix(path(), Deadline::in(Duration(30)));
  EXPECT_EQ(late.fault(), Fault::ConnectTimeout);
  EXPECT_NE(error_of(path()).find("another server"), std::string::npos);
  ::close(fd);
}

TEST_F(UnixSockets, the_file_has_the_permissions_asked_for_whatever_the_umask) {
  for (const unsigned mode : {0600u, 0660u, 0666u, 0777u}) {
    const mode_t before = ::umask(0077);
    auto listener = listen_unix(path(), mode);
    ::umask(before);
    ASSERT_TRUE(listener.ok());
    struct stat s;
    ASSERT_EQ(::stat(path().c_str(), &s), 0);
    EXPECT_EQ(s.st_mode & 0777, mode);
  }
}

TEST_F(UnixSockets, closing_wakes_accept_and_removes_the_file) {
  auto listener = listen_unix(path(), 0600).value();
  std::thread other([&] { listener->close(); });
  EXPECT_EQ(listener->accept().fault(), Fault::ConnectionClosed);
  other.join();
  EXPECT_FALSE(fs::exists(path()));
}

TEST_F(UnixSockets, closing_while_many_connect_sends_each_away_that_gets_through) {
  std::atomic<int> sent_away{0}, reset{0};
  for (int round = 0; round < 150; ++round) {
    const auto listener = listen_unix(path(), 0600).value();
    listener->set_farewell(bytes("no"));
    std::atomic<int> ready{0};
    std::vector<std::thread> clients;
    for (int i = 0; i < 4; ++i)
      clients.emplace_back([&] {
        ready.fetch_add(1);
        while (const auto client = connect_unix(path(), soon())) {
          (void)client.value()->send(bytes("?"), soon());
          ++(receive_soon(*client.value()) == "no" ? sent_away : reset);
        }
      });
    while (ready.load() < 4) std::this_thread::yield();
    listener->close();
    for (std::thread& t : clients) t.join();
  }
  EXPECT_GT(sent_away.load(), 0);
  EXPECT_EQ(reset.load(), 0);
}

TEST_F(UnixSockets, a_file_that_is_no_longer_ours_stays) {
  auto old = listen_unix(path(), 0600).value();
  fs::remove(path());
  auto young = listen_unix(path(), 0600).value();
  old.reset();
  EXPECT_TRUE(connect_unix(path(), soon()).ok());
}

TEST_F(UnixSockets, many_servers_starting_at_once_leave_one) {
  leave_behind(path());
  std::vector<std::thread> threads;
  std::vector<std::unique_ptr<Listener>> up(8);
  for (auto& place : up)
    threads.emplace_back([&] {
      auto l = listen_unix(path(), 0600);
      if (l) place = std::move(l).value();
    });
  for (auto& t : threads) t.join();
  EXPECT_EQ(std::count_if(up.begin(), up.end(), [](const auto& l) { return l != nullptr; }), 1);
  EXPECT_TRUE(connect_unix(path(), soon()).ok());
}

}  // namespace
}  // namespace callis::transport
