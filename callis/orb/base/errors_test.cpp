// SPDX-License-Identifier: Apache-2.0
// The table in errors.h, row by row.
#include <callis/orb/base/errors.h>
#include <gtest/gtest.h>

namespace callis::orb {
namespace {

struct Row {
  Fault fault;
  Step step;
  const char* name;
  CORBA::ULong minor;
  CORBA::CompletionStatus completed;
};

const Row kRows[] = {
    {Fault::Truncated, Step::DecodeReply, "MARSHAL", own(Fault::Truncated), CORBA::COMPLETED_YES},
    {Fault::BadCount, Step::DecodeRequest, "MARSHAL", own(Fault::BadCount), CORBA::COMPLETED_NO},
    {Fault::BadBoolean, Step::DecodeReply, "MARSHAL", own(Fault::BadBoolean), CORBA::COMPLETED_YES},
    {Fault::BadReference, Step::DecodeRequest, "MARSHAL", own(Fault::BadReference), CORBA::COMPLETED_NO},
    {Fault::NullPointer, Step::Encode, "BAD_PARAM", own(Fault::NullPointer), CORBA::COMPLETED_NO},
    {Fault::BadBound, Step::Encode, "BAD_PARAM", own(Fault::BadBound), CORBA::COMPLETED_NO},
    {Fault::BadEnum, Step::Encode, "BAD_PARAM", own(Fault::BadEnum), CORBA::COMPLETED_NO},
    {Fault::NullPointer, Step::EncodeReply, "BAD_PARAM", own(Fault::NullPointer), CORBA::COMPLETED_YES},
    {Fault::BadBound, Step::EncodeReply, "BAD_PARAM", own(Fault::BadBound), CORBA::COMPLETED_YES},
    {Fault::BadBound, Step::DecodeReply, "MARSHAL", own(Fault::BadBound), CORBA::COMPLETED_YES},
    {Fault::TooDeep, Step::DecodeReply, "IMP_LIMIT", own(Fault::TooDeep), CORBA::COMPLETED_YES},
    {Fault::BudgetExceeded, Step::DecodeRequest, "IMP_LIMIT", own(Fault::BudgetExceeded), CORBA::COMPLETED_NO},
    {Fault::LimitExceeded, Step::Exchange, "IMP_LIMIT", own(Fault::LimitExceeded), CORBA::COMPLETED_MAYBE},
    {Fault::BadMagic, Step::Exchange, "COMM_FAILURE", own(Fault::BadMagic), CORBA::COMPLETED_MAYBE},
    {Fault::BadFragment, Step::Exchange, "COMM_FAILURE", own(Fault::BadFragment), CORBA::COMPLETED_MAYBE},
    {Fault::ConnectRefused, Step::Connect, "TRANSIENT", own(Fault::ConnectRefused), CORBA::COMPLETED_NO},
    {Fault::ConnectTimeout, Step::Connect, "TRANSIENT", own(Fault::ConnectTimeout), CORBA::COMPLETED_NO},
    {Fault::ResolveFailed, Step::Connect, "TRANSIENT", own(Fault::ResolveFailed), CORBA::COMPLETED_NO},
    {Fault::TransportFailed, Step::Connect, "TRANSIENT", own(Fault::TransportFailed), CORBA::COMPLETED_NO},
    {Fault::TransportFailed, Step::Exchange, "COMM_FAILURE", own(Fault::TransportFailed), CORBA::COMPLETED_MAYBE},
    {Fault::ConnectionLost, Step::Exchange, "COMM_FAILURE", own(Fault::ConnectionLost), CORBA::COMPLETED_MAYBE},
    {Fault::ConnectionClosed, Step::Exchange, "TRANSIENT", kClosedByPeer, CORBA::COMPLETED_NO},
    {Fault::DeadlinePassed, Step::Connect, "TIMEOUT", omg(2), CORBA::COMPLETED_NO},
    {Fault::DeadlinePassed, Step::Exchange, "TIMEOUT", omg(2), CORBA::COMPLETED_MAYBE},
    {Fault::OutOfMemory, Step::Encode, "NO_MEMORY", own(Fault::OutOfMemory), CORBA::COMPLETED_NO},
    {Fault::Unsupported, Step::Encode, "NO_IMPLEMENT", own(Fault::Unsupported), CORBA::COMPLETED_NO},
    {Fault::BadCharacter, Step::Encode, "DATA_CONVERSION", omg(1), CORBA::COMPLETED_NO},
    {Fault::BadCharacter, Step::DecodeReply, "DATA_CONVERSION", omg(1), CORBA::COMPLETED_YES},
    {Fault::WideInGiop10, Step::Encode, "MARSHAL", omg(5), CORBA::COMPLETED_NO},
    {Fault::WideInGiop10, Step::DecodeRequest, "MARSHAL", omg(5), CORBA::COMPLETED_NO},
    {Fault::WideInGiop10, Step::EncodeReply, "MARSHAL", omg(6), CORBA::COMPLETED_YES},
    {Fault::WideInGiop10, Step::DecodeReply, "MARSHAL", omg(6), CORBA::COMPLETED_YES},
    {Fault::NoWideCodeSet, Step::Encode, "INV_OBJREF", omg(1), CORBA::COMPLETED_NO},
    {Fault::NoValueFactory, Step::DecodeReply, "MARSHAL", omg(1), CORBA::COMPLETED_YES},
    {Fault::NoValueFactory, Step::DecodeRequest, "MARSHAL", omg(1), CORBA::COMPLETED_NO},
    {Fault::LocalObject, Step::Encode, "MARSHAL", omg(4), CORBA::COMPLETED_NO},
    {Fault::NotTrusted, Step::Connect, "NO_PERMISSION", own(Fault::NotTrusted), CORBA::COMPLETED_NO},
    {Fault::NotTrusted, Step::Exchange, "NO_PERMISSION", own(Fault::NotTrusted), CORBA::COMPLETED_MAYBE},
    {Fault::Rejected, Step::DecodeRequest, "MARSHAL", own(Fault::Rejected), CORBA::COMPLETED_NO},
};

class EveryRow : public ::testing::TestWithParam<Row> {};

TEST_P(EveryRow, gives_exception_minor_and_completion) {
  const Row& r = GetParam();
  const auto e = exception_of({r.fault, 0, {}}, r.step);
  EXPECT_STREQ(e->_name(), r.name);
  EXPECT_EQ(e->minor(), r.minor);
  EXPECT_EQ(e->completed(), r.completed);
}

INSTANTIATE_TEST_SUITE_P(Errors, EveryRow, ::testing::ValuesIn(kRows), [](const auto& p) {
  return std::string(fault_name(p.param.fault)) + "_" + std::to_string(static_cast<int>(p.param.step));
});

TEST(Errors, the_text_says_what_happened) {
  const auto e = exception_of({Fault::ConnectRefused, 111, "10.0.0.1:1"}, Step::Connect);
  EXPECT_NE(std::string(e->what()).find("ConnectRefused: 10.0.0.1:1 (errno 111"), std::string::npos) << e->what();
}

TEST(Errors, own_minor_codes_have_our_vendor_number_and_differ_from_each_other) {
  EXPECT_EQ(kVmcid & 0xfff, 0u) << "a VMCID is the upper 20 bits";
  EXPECT_LT(static_cast<int>(Fault::Rejected), 0x80) << "the numbers above are for others";
}

}  // namespace
}  // namespace callis::orb
