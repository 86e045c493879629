// SPDX-License-Identifier: Apache-2.0
// The file with a service's reference, in a folder where others have put something in its way.
#include <gtest/gtest.h>
#include <services/common/testing/folder.h>
#include <services/common/write_file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <stdexcept>

namespace callis::services::testing {
namespace {

std::size_t entries(const Folder& folder) {
  std::size_t out = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path())) ++out;
  return out;
}

TEST(WriteFile, replaces_the_text_and_lets_all_read_it_whatever_the_umask) {
  const Folder folder;
  const mode_t before = ::umask(0077);
  write_file(folder / "ior", "one");
  write_file(folder / "ior", "two");
  ::umask(before);
  EXPECT_EQ(bytes_of(folder / "ior"), "two");
  EXPECT_EQ(entries(folder), 1u);
  struct stat s {};
  ASSERT_EQ(::stat((folder / "ior").c_str(), &s), 0);
  EXPECT_EQ(s.st_mode & 0777, 0644u);
}

TEST(WriteFile, follows_no_link_and_waits_for_no_reader) {
  const Folder folder;
  set_bytes(folder / "victim", "precious");
  for (const char* name : {"ior", "ior.new"}) {
    ASSERT_EQ(::symlink((folder / "victim").c_str(), (folder / name).c_str()), 0);
    write_file(folder / "ior", "text");
    EXPECT_EQ(bytes_of(folder / "victim"), "precious") << name;
    EXPECT_EQ(bytes_of(folder / "ior"), "text") << name;
    ASSERT_EQ(::unlink((folder / name).c_str()), 0);
  }
  ASSERT_EQ(::mkfifo((folder / "ior.new").c_str(), 0600), 0);
  write_file(folder / "ior", "again");
  EXPECT_EQ(bytes_of(folder / "ior"), "again");
}

TEST(WriteFile, refuses_what_is_no_plain_file_and_leaves_it) {
  const Folder folder;
  ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0600), 0);
  ASSERT_EQ(::mkdir((folder / "folder").c_str(), 0700), 0);
  ASSERT_EQ(::symlink("/dev/null", (folder / "null").c_str()), 0);
  for (const char* name : {"fifo", "folder", "null"})
    EXPECT_THROW(write_file(folder / name, "text"), std::runtime_error) << name;
  EXPECT_THROW(write_file(folder / "no/such/folder", "text"), std::runtime_error);
  EXPECT_EQ(entries(folder), 3u);
}

}  // namespace
}  // namespace callis::services::testing
