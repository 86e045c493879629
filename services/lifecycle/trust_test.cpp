// SPDX-License-Identifier: Apache-2.0
// Digests against published vectors; proofs; secrets in files.
#include <callis/corba.h>
#include <gtest/gtest.h>
#include <services/lifecycle/trust.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cstdlib>
#include <fstream>
#include <set>
#include <stdexcept>

namespace callis::life_cycle {
namespace {

std::string hex(const std::string& bytes) {
  std::string out;
  for (const char c : bytes) {
    out += "0123456789abcdef"[static_cast<unsigned char>(c) >> 4];
    out += "0123456789abcdef"[static_cast<unsigned char>(c) & 15];
  }
  return out;
}

TEST(Sha256, has_the_values_of_fips_180) {
  EXPECT_EQ(hex(sha256("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex(sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hex(sha256(std::string(1'000'000, 'a'))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Hmac, has_the_values_of_rfc_4231) {
  EXPECT_EQ(hex(hmac_sha256("Jefe", "what do ya want for nothing?")),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(hex(hmac_sha256(std::string(20, '\x0b'), "Hi There")),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(hex(hmac_sha256(std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First")),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(TrustTest, proof_holds_for_its_words_and_its_secret_alone) {
  const Trust ours("sixteen bytes it"), theirs("another sixteen.");
  const std::string shown = ours.proof({"commit", "a"});
  EXPECT_TRUE(ours.holds(shown, {"commit", "a"}));
  EXPECT_FALSE(ours.holds(shown, {"abort", "a"}));
  EXPECT_FALSE(ours.holds(shown, {"commita"})) << "words have ends";
  EXPECT_FALSE(theirs.holds(shown, {"commit", "a"}));
  EXPECT_FALSE(ours.holds("", {"commit", "a"}));
  EXPECT_FALSE(ours.holds(shown.substr(1), {"commit", "a"}));
}

TEST(TrustTest, identities_differ) {
  std::set<std::string> all;
  for (int i = 0; i < 1'000; ++i) all.insert(new_identity());
  EXPECT_EQ(all.size(), 1'000u);
  for (const std::string& identity : all) EXPECT_EQ(identity.size(), kIdentityBytes);
}

TEST(TrustTest, nothing_holds_where_there_is_no_secret) {
  const Trust none("");
  EXPECT_FALSE(none.holds(none.proof({"commit", "a"}), {"commit", "a"}));
  EXPECT_THROW(Trust("short"), CORBA::BAD_PARAM);
  EXPECT_THROW(Trust(std::string(kMostSecretBytes + 1, 'x')), CORBA::BAD_PARAM);
}

struct SecretFile : ::testing::Test {
  std::string path = "/tmp/callis-secret-XXXXXX";
  SecretFile() { ::close(::mkstemp(path.data())); }
  ~SecretFile() override { ::unlink(path.c_str()); }
  void write(const std::string& text) { std::ofstream(path) << text; }
  std::string refusal() {
    try {
      return "read: " + secret_from_file(path);
    } catch (const std::runtime_error& e) {
      return e.what();
    }
  }
};

TEST_F(SecretFile, is_read_without_the_white_space_at_its_end) {
  write("a secret of many bytes \n");
  EXPECT_EQ(secret_from_file(path), "a secret of many bytes");
}

TEST_F(SecretFile, is_refused_when_it_is_short_long_public_or_not_there) {
  write("short\n");
  EXPECT_NE(refusal().find("fewer than 16 bytes"), std::string::npos);
  write(std::string(5'000, 'x'));
  EXPECT_NE(refusal().find("more than 4096 bytes"), std::string::npos);
  write("a secret of many bytes");
  ::chmod(path.c_str(), 0644);
  EXPECT_NE(refusal().find("may be read by everybody"), std::string::npos);
  ::unlink(path.c_str());
  EXPECT_NE(refusal().find("No such file"), std::string::npos);
}

}  // namespace
}  // namespace callis::life_cycle
