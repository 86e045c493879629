// SPDX-License-Identifier: Apache-2.0
// The service context, byte by byte, and what a peer may get wrong.
#include <callis/base/endian.h>
#include <callis/rt/scheduling/context.h>
#include <callis/rt/scheduling/testing/schedulers.h>

namespace callis::rt::scheduling::testing {
namespace {

ByteView view(const IOP::ServiceContext& c) {
  return {reinterpret_cast<const Byte*>(c.context_data.get_buffer()), c.context_data.length()};
}

// Bytes of a context, in either byte order.
struct Bytes {
  bool little;
  std::vector<Byte> all{};
  explicit Bytes(bool l) : little(l) { octet(l); }
  Bytes& octet(int v) {
    all.push_back(static_cast<Byte>(v));
    return *this;
  }
  Bytes& number(std::uint64_t v, std::size_t size) {
    while (all.size() % size != 0) octet(0);
    for (std::size_t i = 0; i < size; ++i) octet(static_cast<int>(v >> 8 * (little ? i : size - 1 - i) & 0xff));
    return *this;
  }
  Bytes& text(std::string_view s) {
    number(s.size() + 1, 4);
    for (const char c : s) octet(c);
    return octet(0);
  }
  Bytes& octets(const Bytes& other) {
    number(other.all.size(), 4);
    all.insert(all.end(), other.all.begin(), other.all.end());
    return *this;
  }
  Bytes& id() {
    for (int i = 1; i <= 16; ++i) octet(i);
    return *this;
  }
};

struct Context : ::testing::TestWithParam<bool> {
  ManualTime time;
  EDF_Scheduling::Scheduler_var scheduler = make_earliest_deadline_scheduler(by_turns(time));
  const Discipline& discipline = state_of(scheduler.in()).discipline();
  ThreadId id{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

  ParameterPtr due(Ticks at) {
    return state_of(scheduler.in()).parameter_of(CORBA::Policy_var(deadline(scheduler.in(), at, 7)).in());
  }
  static Bytes parameter(bool little, std::uint64_t at) { return Bytes(little).number(at, 8).number(7, 4); }
  static Bytes request(bool little, std::uint64_t executed, std::string_view name, const Bytes& p) {
    return Bytes(little).octet(1).octet(0).id().number(executed, 8).text("EDF").text(name).octets(p).number(0, 4);
  }
  std::string refused(const Bytes& bytes, ContextKind kind = ContextKind::Request) {
    return outcome_of([&] { read_context(bytes.all, kind, discipline); });
  }
};
INSTANTIATE_TEST_SUITE_P(Orders, Context, ::testing::Bool());
const std::string kRefused = "MARSHAL 229 NO";

TEST_P(Context, of_requests_has_id_execution_discipline_name_and_parameters) {
  if (GetParam() == (kNativeOrder == ByteOrder::Little)) {
    const IOP::ServiceContext c = write_request(id, 300, {"segment", due(5000), nullptr}, discipline);
    EXPECT_EQ(c.context_id, kSchedulingContext);
    const ByteView bytes = view(c);
    EXPECT_EQ(std::vector<Byte>(bytes.begin(), bytes.end()),
              request(GetParam(), 300, "segment", parameter(GetParam(), 5000)).all);
  }
  const SchedulingContext read = read_context(request(GetParam(), 300, "segment", parameter(GetParam(), 5000)).all,
                                              ContextKind::Request, discipline);
  EXPECT_EQ(read.id, id);
  EXPECT_EQ(read.executed, 300);
  EXPECT_EQ(read.segment.name, "segment");
  ASSERT_TRUE(read.segment.parameter);
  EXPECT_EQ(discipline.urgency(*read.segment.parameter, {}), discipline.urgency(*due(5000), {}));
  EXPECT_FALSE(read.segment.implicit);
}

TEST_P(Context, parameters_of_each_discipline_come_back_as_they_were) {
  const auto comes_back = [&](RTScheduling::Scheduler_ptr s, CORBA::Policy_ptr policy) {
    const Discipline& d = state_of(s).discipline();
    const ParameterPtr p = d.parameter_of(policy);
    const IOP::ServiceContext c = write_request(id, 0, {"", p, p}, d);
    const SchedulingContext read = read_context(view(c), ContextKind::Request, d);
    const Progress progress{123, 45};
    return d.urgency(*read.segment.parameter, progress) == d.urgency(*p, progress) &&
           d.urgency(*read.segment.implicit, progress) == d.urgency(*p, progress);
  };
  const FP_Scheduling::Scheduler_var fp = make_fixed_priority_scheduler(by_turns(time));
  EXPECT_TRUE(comes_back(fp.in(), CORBA::Policy_var(fp->create_segment_scheduling_parameter({32767})).in()));
  EXPECT_TRUE(comes_back(scheduler.in(), CORBA::Policy_var(deadline(scheduler.in(), 99, -3)).in()));
  const LLF_Scheduling::Scheduler_var llf = make_least_laxity_scheduler(by_turns(time));
  EXPECT_TRUE(comes_back(llf.in(), CORBA::Policy_var(llf->create_scheduling_parameter({5000, 600, -2})).in()));
  const MUF_Scheduling::Scheduler_var muf = make_maximum_urgency_scheduler(by_turns(time));
  EXPECT_TRUE(comes_back(muf.in(), CORBA::Policy_var(muf->create_scheduling_parameter({-4, 5000, 600, 8})).in()));
}

TEST_P(Context, of_another_discipline_has_an_id_but_no_parameter) {
  Bytes whole = Bytes(GetParam()).octet(1).octet(0).id().number(9, 8).text("theirs").text("n");
  whole.number(1, 4).octet(77).number(0, 4);
  const SchedulingContext read = read_context(whole.all, ContextKind::Request, discipline);
  EXPECT_EQ(read.id, id);
  EXPECT_FALSE(read.segment.parameter);
}

TEST_P(Context, that_ends_too_early_is_refused_wherever_it_ends) {
  const std::vector<Byte> whole = request(GetParam(), 300, "segment", parameter(GetParam(), 5000)).all;
  for (std::size_t n = 0; n < whole.size(); ++n) {
    Bytes cut(GetParam());
    cut.all.assign(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n));
    EXPECT_EQ(refused(cut), kRefused) << n;
  }
}

TEST_P(Context, with_values_that_mean_nothing_is_refused) {
  const bool l = GetParam();
  EXPECT_EQ(refused(request(l, 0, "n", parameter(l, ~std::uint64_t{0}))), kRefused) << "a deadline beyond all time";
  EXPECT_EQ(refused(request(l, ~std::uint64_t{0}, "n", parameter(l, 1))), kRefused) << "as much execution";
  EXPECT_EQ(refused(request(l, 0, std::string(256, 'n'), parameter(l, 1))), kRefused) << "a long name";
  EXPECT_EQ(refused(request(l, 0, "n", Bytes(l))), kRefused) << "an empty parameter";
  Bytes large(l);
  large.all.resize(2000);
  EXPECT_EQ(refused(request(l, 0, "n", large)), kRefused) << "a large one";
  EXPECT_EQ(refused(Bytes(l).octet(2).octet(0).id().number(0, 8)), kRefused) << "another form";
  EXPECT_EQ(refused(Bytes(l).octet(1).octet(3).id().number(0, 8)), kRefused) << "an unknown kind";
  Bytes nobody = request(l, 0, "n", parameter(l, 1));
  std::fill(nobody.all.begin() + 3, nobody.all.begin() + 19, Byte{0});
  EXPECT_EQ(refused(nobody), kRefused) << "no id";
  Bytes huge = Bytes(l).octet(1).octet(0).id().number(0, 8).number(0xfffffff0, 4);
  EXPECT_EQ(refused(huge), kRefused) << "a string of 4 GB";
}

TEST_P(Context, of_another_kind_is_refused) {
  const Bytes cancellation = Bytes(GetParam()).octet(1).octet(1).id();
  EXPECT_EQ(refused(cancellation), kRefused);
  EXPECT_EQ(refused(cancellation, ContextKind::Reply), kRefused);
  EXPECT_EQ(refused(cancellation, ContextKind::Cancellation), "ok");
  EXPECT_EQ(refused(request(GetParam(), 0, "n", parameter(GetParam(), 1)), ContextKind::Cancellation), kRefused);
}

TEST_P(Context, may_be_longer_than_is_known) {
  Bytes b = request(GetParam(), 300, "segment", parameter(GetParam(), 5000));
  b.text("from the future");
  EXPECT_EQ(refused(b), "ok");
}

TEST_P(Context, priorities_below_0_are_refused) {
  const FP_Scheduling::Scheduler_var fp = make_fixed_priority_scheduler(by_turns(time));
  Bytes b = Bytes(GetParam()).octet(1).octet(0).id().number(0, 8).text("FP").text("n");
  b.octets(Bytes(GetParam()).number(0x8000, 2)).number(0, 4);
  const Discipline& d = state_of(fp.in()).discipline();
  EXPECT_EQ(outcome_of([&] { read_context(b.all, ContextKind::Request, d); }), kRefused);
}

}  // namespace
}  // namespace callis::rt::scheduling::testing
