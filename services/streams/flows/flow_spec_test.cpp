// SPDX-License-Identifier: Apache-2.0
// Flow specs and addresses, by A&V Streams 1.0, 2.2.4; and bytes of any kind.
#include <gtest/gtest.h>
#include <services/streams/flows/flow_failed.h>
#include <services/streams/flows/flow_spec.h>
#include <random>

namespace callis::streams {
namespace {

std::string why(const std::string& entry, FlowEntry (*parse)(std::string_view) = parse_forward) {
  try {
    parse(entry);
  } catch (const FlowFailed& e) {
    return e.what();
  }
  return "taken";
}

bool says(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

TEST(FlowSpec, reads_a_whole_forward_entry) {
  const FlowEntry e = parse_forward("video\\in\\MIME:video/H264\\RTP\\RTP/UDP=10.0.0.1:5004;5007");
  EXPECT_EQ(e.flow, "video");
  EXPECT_EQ(e.direction, Direction::In);
  EXPECT_EQ(e.format, "MIME:video/H264");
  EXPECT_EQ(e.protocol.kind, FlowProtocol::Kind::Rtp);
  ASSERT_TRUE(e.address);
  EXPECT_EQ(e.address->host, "10.0.0.1");
  EXPECT_EQ(e.address->data().port(), 5004);
  EXPECT_EQ(e.address->control().port(), 5007);
}

TEST(FlowSpec, reads_what_it_writes) {
  for (const char* text :
       {"a", "a\\out", "a\\in\\f", "a\\\\f\\SFP1.0", "a\\in\\f\\SFP1.0:credit=7\\TCP=[::1]:9", "a\\in\\\\\\UDP",
        "a\\out\\\\RTP\\RTP/UDP=1.2.3.4:10", "a\\in\\\\RTP\\RTP/UDP=239.1.2.3:10;12@1.2.3.4"}) {
    EXPECT_EQ(parse_forward(text).forward_text(), text);
  }
  for (const char* text : {"a", "a\\UDP=1.2.3.4:5", "a\\TCP=1.2.3.4:5\\SFP1.0", "a\\\\RTP"}) {
    EXPECT_EQ(parse_reverse(text).reverse_text(), text);
  }
}

TEST(FlowSpec, says_in_which_field_it_is_wrong) {
  EXPECT_TRUE(says(why(""), "field 1: the flow has no name"));
  EXPECT_TRUE(says(why("\\in"), "field 1"));
  EXPECT_TRUE(says(why("a\\sideways"), "field 2: the direction is in or out"));
  EXPECT_TRUE(says(why("a\\in\\f\\XTP"), "field 4: the flow protocol XTP is unknown"));
  EXPECT_TRUE(says(why("a\\in\\f\\SFP1.0:credit=0"), "field 4: the credit"));
  EXPECT_TRUE(says(why("a\\in\\f\\SFP1.0:credit=9x"), "field 4: the credit"));
  EXPECT_TRUE(says(why("a\\in\\f\\\\IPX=1.2.3.4:5"), "field 5: the carrier IPX is unknown"));
  EXPECT_TRUE(says(why("a\\in\\f\\\\UDP=somewhere:5"), "field 5: the host somewhere"));
  EXPECT_TRUE(says(why("a\\in\\f\\\\UDP=1.2.3.4"), "has no port"));
  EXPECT_TRUE(says(why("a\\in\\f\\\\UDP=1.2.3.4:0"), "no port from 1"));
  EXPECT_TRUE(says(why("a\\in\\f\\\\UDP=1.2.3.4:65536"), "no port from 1"));
  EXPECT_TRUE(says(why("a\\in\\f\\\\UDP=1.2.3.4:5;6"), "second port"));
  EXPECT_TRUE(says(why("a\\in\\f\\\\UDP=::1:5"), "needs [ ]"));
  EXPECT_TRUE(says(why("a\\in\\f\\\\RTP/UDP=1.2.3.4:65535"), "no port for RTCP"));
  EXPECT_TRUE(says(why("a\\in\\f\\\\UDP=1.2.3.4:5@1.2.3.5"), "no group"));
  EXPECT_TRUE(says(why("a\\in\\f\\RTP\\TCP=1.2.3.4:5"), "RTP goes over UDP"));
  EXPECT_TRUE(says(why("a\\in\\f\\SFP1.0\\RTP/UDP=1.2.3.4:5"), "SFP goes over UDP or TCP"));
  EXPECT_TRUE(says(why("a\\in\\f\\RTP\\UDP=1.2.3.4:5\\more"), "field 6: there are 5 fields"));
  EXPECT_TRUE(says(why("a\\UDP=1.2.3.4:5\\RTP\\more", parse_reverse), "field 4: there are 3 fields"));
}

TEST(FlowSpec, keeps_its_limits) {
  EXPECT_EQ(why(std::string(kMostNameBytes, 'n')), "taken");
  EXPECT_TRUE(says(why(std::string(kMostNameBytes + 1, 'n')), "too long"));
  EXPECT_EQ(why("a\\\\" + std::string(kMostFieldBytes, 'n')), "taken");
  EXPECT_TRUE(says(why("a\\\\" + std::string(kMostFieldBytes + 1, 'n')), "field 3: it is too long"));
  EXPECT_TRUE(says(why("a" + std::string(kMostEntryBytes, '\\')), "bytes; the most is"));
  EXPECT_TRUE(says(why(std::string("a\0b", 3)), "not printable"));
  EXPECT_TRUE(says(why("a\nb"), "\"a?b\""));
}

TEST(FlowSpec, survives_any_bytes) {
  std::mt19937 random(7);
  const std::string alphabet = "a\\in\\out:=;.[]0123456789RTPSFPUDC/ \t\xff";
  std::size_t taken = 0;
  for (int i = 0; i < 200000; ++i) {
    std::string text(random() % 40, ' ');
    for (char& c : text) c = random() % 8 ? alphabet[random() % alphabet.size()] : static_cast<char>(random());
    for (const auto parse : {parse_forward, parse_reverse}) {
      try {
        const FlowEntry e = parse(text);
        const std::string again = parse == parse_forward ? e.forward_text() : e.reverse_text();
        ASSERT_EQ(parse(again), e) << again;
        ++taken;
      } catch (const FlowFailed&) {}
    }
  }
  EXPECT_GT(taken, 1000u);  // the generator is not only noise
}

}  // namespace
}  // namespace callis::streams
