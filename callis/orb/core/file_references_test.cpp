// SPDX-License-Identifier: Apache-2.0
// References in files (callis/file_references.h).
#include <gtest/gtest.h>
#include <callis/corba.h>
#include <callis/file_references.h>
#include <sys/stat.h>
#include <unistd.h>
#include <filesystem>
#include <fstream>

namespace callis {
namespace {

class FileReferences : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("callis-files-" + std::to_string(::getpid()));
    std::filesystem::create_directory(folder_);
    int none = 0;
    orb_ = CORBA::ORB_init(none, nullptr, "files");
    allow_file_references();
  }
  void TearDown() override {
    allow_file_references(false);
    orb_->destroy();
    std::filesystem::remove_all(folder_);
  }
  std::string write(const char* name, std::string_view text) {
    std::ofstream(folder_ / name) << text;
    return "file://" + (folder_ / name).string();
  }
  std::string refusal(const std::string& text) {
    try {
      const CORBA::Object_var object = orb_->string_to_object(text.c_str());
    } catch (const CORBA::BAD_PARAM& e) {
      EXPECT_EQ(e.minor(), CORBA::OMGVMCID | 9) << text;
      return std::string(e.detail());
    }
    return "taken";
  }

  std::filesystem::path folder_;
  CORBA::ORB_var orb_;
};

constexpr const char kUrl[] = "corbaloc::h:1/key";

TEST_F(FileReferences, are_what_stands_in_the_file) {
  const std::string text = write("a.ior", std::string("  ") + kUrl + "\n\n");
  const CORBA::Object_var expected = orb_->string_to_object(kUrl), object = orb_->string_to_object(text.c_str());
  EXPECT_TRUE(object->_is_equivalent(expected.in()));
  const CORBA::Object_var same = orb_->string_to_object((" FILE:" + (folder_ / "a.ior").string()).c_str());
  EXPECT_TRUE(same->_is_equivalent(expected.in()));
}

TEST_F(FileReferences, are_for_programs_that_allow_them) {
  const std::string text = write("a.ior", kUrl);
  allow_file_references(false);
  EXPECT_THROW(orb_->string_to_object(text.c_str()), CORBA::BAD_PARAM);
  allow_file_references(true);
  EXPECT_NO_THROW(CORBA::release(orb_->string_to_object(text.c_str())));
}

TEST_F(FileReferences, name_regular_files_of_bounded_size) {
  EXPECT_NE(refusal("file:///dev/zero").find("no regular file"), std::string::npos);
  EXPECT_NE(refusal("file://" + folder_.string()).find("no regular file"), std::string::npos);
  const std::string pipe = (folder_ / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_NE(refusal("file://" + pipe).find("no regular file"), std::string::npos);
  EXPECT_NE(refusal(write("big", std::string((1 << 20) + 1, ' '))).find("more than 1 MiB"), std::string::npos);
  EXPECT_NE(refusal("file:///no/such/file").find("/no/such/file: No such file"), std::string::npos);
  EXPECT_NE(refusal("file:").find("no path"), std::string::npos);
}

TEST_F(FileReferences, end_where_they_lead_to_themselves) {
  const std::string first = write("a.ior", kUrl), second = write("b.ior", first);
  EXPECT_NO_THROW(CORBA::release(orb_->string_to_object(second.c_str())));
  write("a.ior", second);
  EXPECT_NE(refusal(second).find("references that lead to each other"), std::string::npos);
}

TEST_F(FileReferences, end_where_initial_references_lead_back) {
  const std::string file = write("a.ior", "corbaloc:rir:/Around"), option = "Around=" + file;
  char program[] = "x", init[] = "-ORBInitRef";
  std::string value = option;
  char* words[] = {program, init, value.data(), nullptr};
  int count = 3;
  const CORBA::ORB_var other = CORBA::ORB_init(count, words, "around");
  EXPECT_THROW(other->string_to_object(file.c_str()), CORBA::BAD_PARAM);
  other->destroy();
}

}  // namespace
}  // namespace callis
