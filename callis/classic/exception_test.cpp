// SPDX-License-Identifier: Apache-2.0
// System and user exceptions: names, minor codes, copies, narrowing.
#include <callis/classic/exception.h>
#include <callis/classic/made_exceptions.h>
#include <gtest/gtest.h>
#include <cstring>
#include <map>
#include <sstream>

namespace {

using namespace callis::classic;

struct Row {
  const char* name;
  void (*raise)(CORBA::ULong, CORBA::CompletionStatus);
};

const Row kTable[] = {
#define X(NAME) {#NAME, [](CORBA::ULong m, CORBA::CompletionStatus c) { throw CORBA::NAME(m, c); }},
#include <callis/classic/system_exceptions.inc>
#undef X
};

class Mine final : public CORBA::UserException {
 public:
  [[noreturn]] void _raise() const override { throw *this; }
  const char* _name() const noexcept override { return "Mine"; }
  const char* _rep_id() const noexcept override { return "IDL:Mine:1.0"; }
  CORBA::Exception* _duplicate() const override { return new Mine(*this); }
};

std::string id_of(const char* name) { return std::string("IDL:omg.org/CORBA/") + name + ":1.0"; }

TEST(SystemExceptions, AreTheFortyOfCorba33InTheOrderOfTheirIdl) {
  // Part 1, A.5: written out here once more, so that a slip in the table is seen.
  const char* const names[] = {
      "UNKNOWN", "BAD_PARAM", "NO_MEMORY", "IMP_LIMIT", "COMM_FAILURE", "INV_OBJREF", "NO_PERMISSION", "INTERNAL",
      "MARSHAL", "INITIALIZE", "NO_IMPLEMENT", "BAD_TYPECODE", "BAD_OPERATION", "NO_RESOURCES", "NO_RESPONSE",
      "PERSIST_STORE", "BAD_INV_ORDER", "TRANSIENT", "FREE_MEM", "INV_IDENT", "INV_FLAG", "INTF_REPOS", "BAD_CONTEXT",
      "OBJ_ADAPTER", "DATA_CONVERSION", "OBJECT_NOT_EXIST", "TRANSACTION_REQUIRED", "TRANSACTION_ROLLEDBACK",
      "INVALID_TRANSACTION", "INV_POLICY", "CODESET_INCOMPATIBLE", "REBIND", "TIMEOUT", "TRANSACTION_UNAVAILABLE",
      "TRANSACTION_MODE", "BAD_QOS", "INVALID_ACTIVITY", "ACTIVITY_COMPLETED", "ACTIVITY_REQUIRED",
      "THREAD_CANCELLED"};
  ASSERT_EQ(std::size(kTable), std::size(names));
  for (std::size_t i = 0; i < std::size(names); ++i) EXPECT_STREQ(kTable[i].name, names[i]);
}

TEST(SystemExceptions, KeepMinorAndCompletionAndKnowTheirNames) {
  for (const Row& row : kTable) {
    try {
      row.raise(17, CORBA::COMPLETED_MAYBE);
    } catch (const CORBA::SystemException& e) {
      EXPECT_EQ(e.minor(), 17u);
      EXPECT_EQ(e.completed(), CORBA::COMPLETED_MAYBE);
      EXPECT_STREQ(e._name(), row.name);
      EXPECT_EQ(e._rep_id(), id_of(row.name));
    }
  }
}

TEST(SystemExceptions, AreMadeFromTheirRepositoryIds) {
  for (const Row& row : kTable) {
    const auto e = make_system_exception(id_of(row.name), 3, CORBA::COMPLETED_YES);
    EXPECT_STREQ(e->_name(), row.name);
    EXPECT_EQ(e->minor(), 3u);
    EXPECT_EQ(e->completed(), CORBA::COMPLETED_YES);
  }
}

TEST(SystemExceptions, OfUnknownIdBecomesUnknownWithMinor2) {
  for (const char* id : {"", "IDL:omg.org/CORBA/:1.0", "IDL:omg.org/CORBA/NO_SUCH:1.0",
                         "IDL:omg.org/CORBA/TIMEOUT:2.0", "IDL:omg.org/CORBA/UNKNOWN"}) {
    const auto e = make_system_exception(id, 99, CORBA::COMPLETED_MAYBE);
    EXPECT_STREQ(e->_name(), "UNKNOWN") << id;
    EXPECT_EQ(e->minor(), CORBA::OMGVMCID | 2) << id;
    EXPECT_EQ(e->completed(), CORBA::COMPLETED_MAYBE) << id;
  }
}

TEST(SystemExceptions, ThrownByIdAreCaughtByTheirClass) {
  EXPECT_THROW(throw_system_exception("IDL:omg.org/CORBA/TIMEOUT:1.0", 1, CORBA::COMPLETED_NO), CORBA::TIMEOUT);
}

TEST(SystemExceptions, SayWhatHappenedToPeople) {
  CORBA::TRANSIENT e(5, CORBA::COMPLETED_NO);
  EXPECT_STREQ(e.what(), "CORBA::TRANSIENT minor 0x00000005 COMPLETED_NO");
  e.minor(CORBA::OMGVMCID | 1);
  e.detail("connection refused by 10.0.0.1:2809");
  EXPECT_STREQ(e.what(), "CORBA::TRANSIENT minor 0x4f4d0001 COMPLETED_NO: connection refused by 10.0.0.1:2809");
  e.completed(CORBA::COMPLETED_MAYBE);
  EXPECT_STREQ(e.what(), "CORBA::TRANSIENT minor 0x4f4d0001 COMPLETED_MAYBE: connection refused by 10.0.0.1:2809");
}

TEST(Exceptions, ArePrintedByStreams) {
  std::ostringstream to;
  const CORBA::TRANSIENT transient(CORBA::OMGVMCID | 1, CORBA::COMPLETED_NO, "connection refused");
  const CORBA::Exception& general = transient;
  to << transient << '\n' << general << '\n' << Mine();
  EXPECT_EQ(to.str(), "CORBA::TRANSIENT minor 0x4f4d0001 COMPLETED_NO: connection refused\n"
                      "CORBA::TRANSIENT minor 0x4f4d0001 COMPLETED_NO: connection refused\n"
                      "IDL:Mine:1.0");
  std::wostringstream wide;
  wide << CORBA::TIMEOUT();
  EXPECT_EQ(wide.str(), L"CORBA::TIMEOUT minor 0x00000000 COMPLETED_NO");
}

TEST(SystemExceptions, CopiesKeepTheDetailAndStandAlone) {
  CORBA::MARSHAL a(1, CORBA::COMPLETED_YES, "one");
  const CORBA::MARSHAL b = a;
  a.detail("two");
  EXPECT_EQ(b.detail(), "one");
  EXPECT_EQ(a.detail(), "two");
}

TEST(SystemExceptions, DowncastGivesTheClassOrNull) {
  const CORBA::TIMEOUT timeout;
  const CORBA::Exception* e = &timeout;
  EXPECT_EQ(CORBA::TIMEOUT::_downcast(e), &timeout);
  EXPECT_EQ(CORBA::SystemException::_downcast(e), &timeout);
  EXPECT_EQ(CORBA::TRANSIENT::_downcast(e), nullptr);
  EXPECT_EQ(CORBA::UserException::_downcast(e), nullptr);
}

TEST(SystemExceptions, RaiseAndDuplicateKeepTheClass) {
  const CORBA::OBJ_ADAPTER original(4, CORBA::COMPLETED_NO, "x");
  const std::unique_ptr<CORBA::Exception> copy(original._duplicate());
  EXPECT_THROW(copy->_raise(), CORBA::OBJ_ADAPTER);
}

}  // namespace
