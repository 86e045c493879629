// SPDX-License-Identifier: Apache-2.0
// The programs, called over TCP: operations, attributes, exceptions, exit statuses, messages.
#include <callis/corba.h>
#include <callis/ior/ior.h>
#include <callis/ior/text.h>
#include <callis/portable_server.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdio>
#include <fstream>
#include <future>
#include <sstream>
#include <thread>
#include "call_skel.h"
#ifdef CALLIS_TEST_WITH_IFR
#include <services/ifr/feeding.h>
#include <services/ifr/service.h>
#endif

namespace callis::tools {
namespace {

class BankServant : public POA_T::Bank {
 public:
  char* title() override { return CORBA::string_dup("first"); }
  CORBA::Long level() override { return level_; }
  void level(CORBA::Long to) override { level_ = to; }
  T::Account* open(const T::Account& what) override {
    const std::string_view name = what.owner.name.in();
    if (name == "poor") throw T::NoFunds("nothing there", what);
    if (name == "none") throw T::Nothing();
    return new T::Account(what);
  }
  CORBA::Long divide(CORBA::Long a, CORBA::Long b, CORBA::Long_out rest) override {
    if (b == 0) throw CORBA::BAD_PARAM(77, CORBA::COMPLETED_NO);
    rest = a % b;
    return a / b;
  }
  void swap(char*& a, char*& b) override { std::swap(a, b); }
  CORBA::Any* pass(const CORBA::Any& value) override { return new CORBA::Any(value); }
  T::Everything* echo(const T::Everything& value) override { return new T::Everything(value); }
  void note(const char* text) override { noted.set_value(text); }
  char* get(const char* key) override { return CORBA::string_dup((std::string("got ") + key).c_str()); }
  void fail() override { throw CORBA::NO_PERMISSION(5, CORBA::COMPLETED_YES); }
  T::Money* pay(T::Money* value) override {
    CORBA::add_ref(value);
    return value;
  }
  T::Money* fetch(CORBA::Long amount) override { return new OBV_T::Money(amount, nullptr); }
  T::Bank_ptr self() override { return _this(); }

  std::promise<std::string> noted;

 private:
  CORBA::Long level_ = 3;
};

struct Ended {
  int status = -1;
  std::string output, errors;
};

struct CallProgram : ::testing::Test {
  CORBA::ORB_var orb;
  PortableServer::ServantBase_var held;
  BankServant* servant = nullptr;
  std::string reference;
  std::string errors_file;
  std::string types = " --idl " CALLIS_SOURCE_DIR "/tools/call/testing/call.idl";

  CallProgram() {
    static int number = 0;
    std::vector<std::string> words{"server", "-ORBEndpoint", "tcp:127.0.0.1"};
    std::vector<char*> argv;
    for (std::string& w : words) argv.push_back(w.data());
    int argc = static_cast<int>(argv.size());
    argv.push_back(nullptr);
    orb = CORBA::ORB_init(argc, argv.data(), ("call" + std::to_string(++number)).c_str());
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    const PortableServer::POA_var poa = PortableServer::POA::_narrow(object.in());
    held = servant = new BankServant;
    const PortableServer::ObjectId_var id = poa->activate_object(servant);
    object = poa->id_to_reference(id.in());
    const CORBA::String_var text = orb->object_to_string(object.in());
    reference = text.in();
    PortableServer::POAManager_var(poa->the_POAManager())->activate();
    errors_file = ::testing::TempDir() + "callis_call_" + std::to_string(::getpid());
  }
  ~CallProgram() override {
    orb->destroy();
    std::remove(errors_file.c_str());
  }

  Ended run(const std::string& command, const std::string& arguments, const std::string& before = "") {
    const std::string line =
        before + CALLIS_BINARY_DIR "/bin/callis " + command + " " + arguments + types + " 2>" + errors_file;
    Ended out;
    std::FILE* pipe = ::popen(line.c_str(), "r");
    char buffer[4096];
    while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) out.output.append(buffer, n);
    const int status = ::pclose(pipe);
    out.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    std::ifstream errors(errors_file);
    out.errors.assign(std::istreambuf_iterator<char>(errors), {});
    return out;
  }
  Ended call(const std::string& arguments, const std::string& before = "") {
    return run("call", reference + " " + arguments, before);
  }
  void gives(const std::string& arguments, const std::string& expected) {
    const Ended e = call(arguments);
    EXPECT_EQ(e.output, expected + "\n") << arguments;
    EXPECT_EQ(e.errors, "") << arguments;
    EXPECT_EQ(e.status, 0) << arguments;
  }
  void refused(const std::string& arguments, const std::string& expected) {
    const Ended e = call(arguments);
    EXPECT_EQ(e.errors, "callis call: " + expected + "\n") << arguments;
    EXPECT_EQ(e.output, "");
    EXPECT_EQ(e.status, 2) << arguments;
  }
};

TEST_F(CallProgram, ResultsOutAndInoutArguments) {
  gives(R"(open '{"owner":{"name":"Ada","age":36},"balance":"12.50"}')",
        R"({"owner":{"name":"Ada","age":36},"balance":"12.50"})");
  gives("divide -7 2", R"({"result":-3,"out":{"rest":-1}})");
  gives(R"(swap '"a"' '"b"')", R"({"out":{"a":"b","b":"a"}})");
  gives(R"(get '"key"')", R"("got key")");
  gives("divide 7 2 --pretty", "{\n  \"result\": 3,\n  \"out\": {\n    \"rest\": 1\n  }\n}");
}

TEST_F(CallProgram, EveryTypeGoesThereAndBack) {
  const std::string value =
      R"({"b":true,"o":255,"c":"c","wc":"€","s":-1,"us":65535,"l":-5,"ul":4294967295,"ll":-9223372036854775808,)"
      R"("ull":18446744073709551615,"f":0.1,"d":"NaN","ld":0.5,"text":"café","wide":"wide ☃",)"
      R"("value":{"type":"IDL:T/Person:1.0","value":{"name":"Ada","age":36}},"target":null,"tint":"blue",)"
      R"("some_bytes":"AAEC",)"
      R"("some_digest":"AAEC/w==","some_accounts":[{"owner":{"name":"x","age":1},"balance":"0.01"}],)"
      R"("some_matrix":[[1,2,3],[4,5,6]],"some_shape":{"discriminator":"red","value":5},"price":"123.45",)"
      R"("type":"IDL:T/Node:1.0","bits":9,"some_ages":[{"key":"Ada","value":36}]})";
  gives("echo '" + value + "'", value);
  gives(R"(pass '{"type":{"kind":"struct","id":"IDL:X:1.0","name":"X","members":[{"name":"a","type":"long"}]},)"
        R"("value":{"a":1}}')",
        R"({"type":{"kind":"struct","id":"IDL:X:1.0","name":"X","members":[{"name":"a","type":"long"}]},)"
        R"("value":{"a":1}})");
  gives("pay null", "null");
  const Ended self = call("self");
  EXPECT_EQ(self.output, "\"" + reference + "\"\n");
}

TEST_F(CallProgram, Attributes) {
  gives("get level", "3");
  gives("set level 4", "null");
  gives("get level", "4");
  gives("_get_level", "4");
  gives("get title", R"("first")");
  refused("set title '\"x\"'", "the attribute cannot be set\n  readonly attribute string title;");
  refused("level", "'level' is an attribute: get level, set level JSON");
}

TEST_F(CallProgram, UserExceptionsArePrintedWithTheirMembers) {
  const Ended poor = call(R"(open '{"owner":{"name":"poor","age":1},"balance":"0.00"}')");
  EXPECT_EQ(poor.output, R"({"exception":"IDL:T/NoFunds:1.0","members":{"why":"nothing there","the_account":)"
                         R"({"owner":{"name":"poor","age":1},"balance":"0.00"}}})"
                         "\n");
  EXPECT_EQ(poor.status, 3);
  const Ended none = call(R"(open '{"owner":{"name":"none","age":1},"balance":"0.00"}')");
  EXPECT_EQ(none.output, R"({"exception":"IDL:T/Nothing:1.0","members":{}})"
                         "\n");
  EXPECT_EQ(none.status, 3);
}

TEST_F(CallProgram, SystemExceptionsSayWhatToTryNext) {
  const Ended e = call("fail");
  EXPECT_EQ(e.status, 4);
  EXPECT_EQ(e.output, "");
  EXPECT_NE(e.errors.find("NO_PERMISSION"), std::string::npos) << e.errors;
  EXPECT_NE(e.errors.find("\n  to try next: what the server wants to know of its callers\n"), std::string::npos)
      << e.errors;
  const Ended nobody = run("call", "corbaloc::127.0.0.1:1/x get level --interface T::Bank --timeout 2000");
  EXPECT_EQ(nobody.status, 4);
  EXPECT_NE(nobody.errors.find("callis ior --ping"), std::string::npos) << nobody.errors;
}

TEST_F(CallProgram, WrongArgumentsAreToldWithTheSignature) {
  const std::string open = "\n  T::Account open(in T::Account what) raises (T::NoFunds, T::Nothing);";
  refused(R"(open '{"owner":{"name":5,"age":36},"balance":"1.00"}')",
          "arguments.what.owner.name: expected a string, found the number 5" + open);
  refused("open", "expected 1 argument, found 0" + open);
  refused("open 1 2", "expected 1 argument, found 2" + open);
  refused(
      "open '{'",
      "argument 1 (what) is not JSON: line 1, column 2: syntax error while parsing object key - unexpected end of "
      "input; expected string literal" +
          open);
  refused("opn 1", "T::Bank has no operation 'opn'; did you mean 'open'?\ncallis describe shows what it has");
  refused("set levl 1",
          "T::Bank has no attribute 'levl'; did you mean 'get level'?\ncallis describe shows what it has");
  EXPECT_EQ(call("--nonsense open").status, 2);
  EXPECT_EQ(run("call", "").status, 2);
}

TEST_F(CallProgram, ArgumentsComeFromTheStandardInput) {
  const Ended list = call("divide -", "echo '[7, 2]' | ");
  EXPECT_EQ(list.output, R"({"result":3,"out":{"rest":1}})"
                         "\n")
      << list.errors;
  const Ended names = call("divide -", "echo '{\"b\": 2, \"a\": 9}' | ");
  EXPECT_EQ(names.output, R"({"result":4,"out":{"rest":1}})"
                          "\n")
      << names.errors;
  EXPECT_NE(call("divide -", "echo '{\"a\": 2}' | ").errors.find("the member 'b' is missing"), std::string::npos);
  EXPECT_NE(call("divide -", "echo '{\"a\": 2, \"c\": 1, \"b\": 1}' | ").errors.find("arguments.c:"),
            std::string::npos);
  EXPECT_EQ(call("divide -", "echo 5 | ").status, 2);
}

TEST_F(CallProgram, ReferencesComeFromFilesAndTheStandardInput) {
  const std::string file = errors_file + ".ior";
  std::ofstream(file) << "ready\n" << reference << "\n";
  for (const std::string& ref : {file, "@" + file}) EXPECT_EQ(run("call", ref + " get level").output, "3\n");
  EXPECT_EQ(run("call", "- get level", "cat " + file + " | ").output, "3\n");
  std::remove(file.c_str());
  EXPECT_EQ(run("call", "/nowhere get level").status, 1);
  EXPECT_EQ(run("call", "IOR:00zz get level").status, 1);
}

TEST_F(CallProgram, ValuetypesAreShownWithTheirMembers) {
  const Ended e = call("fetch 5");
  EXPECT_EQ(e.status, 0);
  EXPECT_EQ(e.output, "{\"members\":{\"amount\":5,\"next\":null}}\n");
  EXPECT_EQ(e.errors, "");
}

TEST_F(CallProgram, OnewaysArePassedOnWithoutOutput) {
  const Ended e = call(R"(note '"hello"')");
  EXPECT_EQ(e.status, 0);
  EXPECT_EQ(e.output + e.errors, "");
  EXPECT_EQ(servant->noted.get_future().get(), "hello");
}

TEST_F(CallProgram, RepeatedCallsEndWithTheirLatencies) {
  const Ended e = call("divide 7 2 --repeat 50");
  EXPECT_EQ(e.output, R"({"result":3,"out":{"rest":1}})"
                      "\n");
  EXPECT_EQ(e.errors.substr(0, 12), "50 calls in ");
  EXPECT_NE(e.errors.find("median"), std::string::npos);
}

TEST_F(CallProgram, TheInterfaceIsFoundByAskingWhereTheReferenceDoesNotSayIt) {
  auto known = std::get<ior::Ior>(ior::parse_reference(reference));
  for (const char* id : {"", "IDL:Unknown/Derived:1.0"}) {
    known.type_id = id;
    const Ended e = run("call", ior::to_text(known) + R"( get '"key"')");
    EXPECT_EQ(e.output, "\"got key\"\n") << e.errors;
  }
  EXPECT_EQ(call("get level --interface IDL:T/Base:1.0").output, "3\n");
  const Ended wrong = call("get level --interface T::Bnk");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_EQ(wrong.errors, "callis call: the IDL files have no interface 'T::Bnk'; did you mean 'T::Bank'?\n");
}

TEST_F(CallProgram, DescribeShowsInheritedOperationsAndTypes) {
  const Ended e = run("describe", reference);
  EXPECT_EQ(e.status, 0) << e.errors;
  for (const char* part :
       {"// T::Bank  IDL:T/Bank:1.0\n// inherits T::Base\ninterface Bank {\n", "  // of T::Base\n",
        "  readonly attribute string title;\n  attribute long level;\n", "  oneway void note(in string text);\n",
        "  long divide(in long a, in long b, out long rest);\n",
        "// T::Account\nstruct Account {\n  T::Person owner;\n  fixed<10, 2> balance;\n};\n",
        "typedef octet Digest[4];\n", "  case T::green:\n"})
    EXPECT_NE(e.output.find(part), std::string::npos) << part << "\nin\n" << e.output;
}

TEST_F(CallProgram, WithoutIdlAndARepositoryItSaysSo) {
  types.clear();
  const Ended e = call("get level");
  EXPECT_EQ(e.status, 2);
  EXPECT_EQ(e.errors,
            "callis call: the types are not known: say --idl FILE, or --ifr REF (an Interface Repository); the "
            "object's server has none to ask\n");
  types = " --ifr " + reference;
  EXPECT_EQ(call("get level").errors, "callis call: the Interface Repository is none\n");
  types += " --idl x.idl";
  EXPECT_EQ(call("get level").status, 2);
}

TEST_F(CallProgram, SaysWhoWasAskedForTypesInVain) {
  types = "";
  const auto asks = [&](const std::string& words, const std::string& whom) {
    const Ended e = run("describe", words);
    EXPECT_EQ(e.status, 4);
    EXPECT_TRUE(e.errors.starts_with("callis describe: asking " + whom + ": CORBA::TRANSIENT ")) << e.errors;
    EXPECT_NE(e.errors.find("\n  to try next: --idl FILE, for which nobody is asked;"), std::string::npos);
  };
  asks(reference + " --ifr corbaloc::127.0.0.1:1/Types", "the Interface Repository");
  asks("corbaloc::127.0.0.1:1/x", "the object for its interface");
}

#ifdef CALLIS_TEST_WITH_IFR
TEST_F(CallProgram, WithoutIdlTypesComeFromARepository) {
  ifr::Service repository(orb.in(), nullptr);
  repository.serve();
  {
    std::ifstream file(CALLIS_SOURCE_DIR "/tools/call/testing/call.idl");
    std::stringstream text;
    text << file.rdbuf();
    const idl::driver::Compilation compiled = ifr::compile_text("call.idl", text.str());
    ifr::Change change(repository.model());
    ifr::feed(repository.model(), repository.type_codes(), *compiled.unit);
    change.commit(nullptr);
  }
  const std::string with_idl = run("describe", reference).output;
  const CORBA::Object_var object = repository.reference();
  const CORBA::String_var text = orb->object_to_string(object.in());
  // The server names it; it is named on the command line; it is the initial reference.
  for (const std::string& from : {std::string(), " --ifr " + std::string(text.in()),
                                  " -ORBInitRef InterfaceRepository=" + std::string(text.in())}) {
    types = from;
    gives("divide -7 2", R"({"result":-3,"out":{"rest":-1}})");
    gives(R"(open '{"owner":{"name":"Ada","age":36},"balance":"12.50"}')",
          R"({"owner":{"name":"Ada","age":36},"balance":"12.50"})");
    const Ended described = run("describe", reference);
    EXPECT_EQ(described.status, 0) << described.errors;
    // But for types that only the compiler has: maps, bit masks.
    for (const char* part : {"\n// T::Bank  IDL:T/Bank:1.0\n", "// T::Person\n", "\n// T::Shape\n"}) {
      const std::size_t here = described.output.find(part), there = with_idl.find(part);
      ASSERT_NE(here, std::string::npos);
      EXPECT_EQ(described.output.substr(here, 100), with_idl.substr(there, 100));
    }
    EXPECT_EQ(call("get level --interface T::Base").status, 0);
    EXPECT_EQ(call("get level --interface T::Nowhere").errors,
              "callis call: the Interface Repository has no interface 'T::Nowhere'\n");
  }
  orb->shutdown(true);
}
#endif

TEST_F(CallProgram, IdlWithErrorsEndsWithTheCompilersWords) {
  const std::string file = errors_file + ".idl";
  std::ofstream(file) << "interface X { void f(in Unknown u); };\n";
  const Ended e = call("get level --idl " + file);
  EXPECT_EQ(e.status, 1);
  EXPECT_NE(e.errors.find(":1:25: error: "), std::string::npos) << e.errors;
  std::remove(file.c_str());
}

}  // namespace
}  // namespace callis::tools
