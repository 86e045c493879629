// SPDX-License-Identifier: Apache-2.0
// TAO's options in callis's words, from the command line and from svc.conf. Programs that use them: tests/compat.
#include <gtest/gtest.h>
#include <tao/options.h>

namespace callis::compat {
namespace {

using Words = std::vector<std::string>;

TaoWords of_line(const Words& given) {
  TaoWords to;
  translate(given, TaoPlace::CommandLine, "", to);
  return to;
}
TaoWords of_file(const char* text) {
  TaoWords to;
  read_directives(text, "f", to);
  return to;
}

TEST(TaoOptions, have_callis_words) {
  EXPECT_EQ(of_line({"-ORBMaxMessageSize", "4096"}).words, (Words{"-ORBFragmentSize", "4096"}));
  EXPECT_EQ(of_line({"-ORBCollocation", "no"}).words, (Words{"-ORBCollocation", "marshaled"}));
  EXPECT_EQ(of_line({"-ORBCollocation", "global"}).words, Words{});
  EXPECT_EQ(of_line({"-ORBCollocationStrategy", "thru_poa"}).words, (Words{"-ORBCollocation", "adapter"}));
  EXPECT_EQ(of_line({"-orbnegotiatecodesets", "0"}).words, (Words{"-ORBCodeSetsInReferences", "no"})) << "any case";
  EXPECT_EQ(of_line({"-ORBDefaultSyncScope", "SERVER"}).words, (Words{"-ORBSyncScope", "server"}));
  EXPECT_EQ(of_line({"-ORBNameServiceIOR", "file://x"}).words, (Words{"-ORBInitRef", "NameService=file://x"}));
}

TEST(TaoOptions, leave_others_as_they_are) {
  const Words others = {"-x", "-ORBInitRef", "A=corbaloc::h/A", "-ORBNonsense", "-ORBDaemon", "y"};
  const TaoWords to = of_line(others);
  EXPECT_EQ(to.words, others) << "a value is no option, whatever it looks like";
  EXPECT_TRUE(to.notes.empty());
  EXPECT_EQ(of_line({"-ORBSvcConf"}).words, Words{"-ORBSvcConf"}) << "without a value: the ORB refuses it";
}

TEST(TaoOptions, are_named_where_they_mean_nothing) {
  EXPECT_EQ(of_line({"-ORBDottedDecimalAddresses", "1", "-ORBNodelay", "1", "-ORBKeepalive", "0"}).notes, Words{});
  EXPECT_EQ(of_line({"-ORBDottedDecimalAddresses", "0"}).notes,
            Words{"-ORBDottedDecimalAddresses 0 is ignored: references have numbers; -ORBPublish NAME puts a name "
                  "there"});
  const TaoWords lane = of_line({"-ORBLaneEndpoint", "1:1", "iiop://h:1", "-a"});
  EXPECT_EQ(lane.words, Words{"-a"}) << "two values";
  EXPECT_EQ(lane.notes.size(), 1u);
  const TaoWords rule = of_line({"-ORBEnforcePreferredInterfaces", "1"});
  ASSERT_EQ(rule.notes.size(), 1u);
  EXPECT_NE(rule.notes[0].find("weakens"), std::string::npos) << rule.notes[0];
}

TEST(TaoOptions, have_endpoints_with_their_own_options) {
  EXPECT_EQ(of_line({"-ORBListenEndpoints", "iiop://h:1/reuse_addr=1;uiop:///tmp/s;shmiop://3;iiop://"}).words,
            (Words{"-ORBEndpoint", "iiop://h:1", "-ORBEndpoint", "uiop:///tmp/s", "-ORBEndpoint", "iiop://:"}));
  EXPECT_EQ(of_line({"-ORBEndpoint", "iiop://h:1/reuse_addr=1&hostname_in_ior=n"}).words,
            (Words{"-ORBEndpoint", "iiop://h:1/hostname_in_ior=n"}));
  EXPECT_EQ(of_line({"-ORBEndpoint", "ssliop://h:1"}).words, Words{}) << "never a port in clear in its place";
  EXPECT_EQ(of_line({"-ORBEndpoint", "ssliop://h:1"}).notes.size(), 1u);
}

TEST(TaoOptions, come_from_directives_of_both_forms) {
  const TaoWords plain = of_file("# no\nstatic Resource_Factory \"-ORBConnectionCacheMax 7\"\n"
                                 "static Client_Strategy_Factory \\\n \"-ORBTransportMuxStrategy MUXED\"\n");
  EXPECT_EQ(plain.words, (Words{"-ORBMaxConnections", "7", "-ORBClientConnections", "shared"}));
  EXPECT_EQ(plain.notes, Words{});
  const TaoWords xml = of_file("<?xml version='1.0'?><ACE_Svc_Conf><!-- <static id='A' params='-x'/> -->"
                               "<static id=\"Server_Strategy_Factory\" params = "
                               "'-ORBConcurrency thread-per-connection'/></ACE_Svc_Conf>");
  EXPECT_EQ(xml.words, (Words{"-ORBServerThreads", "connection"}));
  EXPECT_EQ(xml.notes, Words{});
}

TEST(TaoOptions, of_files_are_named_with_their_place) {
  EXPECT_EQ(of_file("\nstatic Resource_Factory \"-ORBFoo 3 -ORBBar -ORBConnectionCacheMax 4\"\n").notes,
            (Words{"f:2: -ORBFoo 3 is ignored: callis has no such option",
                   "f:2: -ORBBar is ignored: callis has no such option"}));
  EXPECT_EQ(of_file("suspend Bank\n").notes, Words{"f:1: suspend is ignored: no directive with options of the ORB"});
  EXPECT_EQ(of_file("static Bank \"-x\"").notes,
            Words{"f:1: Bank is ignored: services of the program's own are not loaded"});
}

TEST(TaoOptions, of_broken_files_are_notes_or_nothing) {
  for (const char* text : {"static", "dynamic", "\"", "static \"", "static Resource_Factory \"-ORBFoo", "<?xml",
                           "<?xml <static", "<?xml <static id=\"Resource_Factory\" params=\"-ORB>", "\\",
                           "<?xml <!--", "'"})
    (void)of_file(text);
  TaoWords to;
  EXPECT_FALSE(read_svc_conf("/no/such/file", to));
  EXPECT_FALSE(read_svc_conf("/dev/zero", to)) << "more than 1 MiB";
  EXPECT_FALSE(read_svc_conf("/", to));
  EXPECT_TRUE(read_svc_conf("/dev/null", to));
}

}  // namespace
}  // namespace callis::compat
