// SPDX-License-Identifier: Apache-2.0
// What an Any of a peer's may cost, whatever its TypeCode says: heap in a program of its own, which counts what
// malloc() gives; and work, in the currency of the message's budget.
#include <callis/base/limits.h>
#include <callis/marshal/testing/costly_types.h>
#include <callis/typecode/any.h>
#include <callis/typecode/coder.h>
#include <callis/value/wire.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CALLIS_COUNTS_HEAP 1
namespace {
thread_local std::size_t live = 0, most = 0;
void* counted(void* p) {
  if (p) live += malloc_usable_size(p);
  if (live > most) most = live;
  return p;
}
}  // namespace

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);

void* malloc(std::size_t n) { return counted(__libc_malloc(n)); }
void* calloc(std::size_t n, std::size_t each) { return counted(__libc_calloc(n, each)); }
void* realloc(void* p, std::size_t n) {
  const std::size_t before = p ? malloc_usable_size(p) : 0;
  void* const q = __libc_realloc(p, n);
  if (!q && n != 0) return nullptr;
  // While it moves both are there.
  const std::size_t now = q ? malloc_usable_size(q) : 0;
  if (q != p && live + now > most) most = live + now;
  live -= before;
  return q ? counted(q) : q;
}
void* memalign(std::size_t alignment, std::size_t n) { return counted(__libc_memalign(alignment, n)); }
void* aligned_alloc(std::size_t alignment, std::size_t n) { return counted(__libc_memalign(alignment, n)); }
int posix_memalign(void** to, std::size_t alignment, std::size_t n) {
  *to = counted(__libc_memalign(alignment, n));
  return *to ? 0 : ENOMEM;
}
void free(void* p) {
  if (p) live -= malloc_usable_size(p);
  __libc_free(p);
}
}
#endif

namespace callis::typecode {
namespace {

using marshal::testing::Family;

// The Any is of a sequence of that type, which is empty; of an exception by itself, of which zeros follow.
std::vector<Byte> any_of(const Family& family, unsigned n) {
  const bool exception = std::strcmp(family.name, "AnException") == 0;
  marshal::testing::CostlyType t(kNativeOrder);
  if (exception) family.write(t, n);
  else t.sequence([&] { family.write(t, n); });
  std::vector<Byte> bytes = t.bytes();
  bytes.resize((bytes.size() + 3) / 4 * 4 + 4);
  return bytes;
}

struct Outcome {
  Fault fault;
  std::size_t heap, spent;
};

Outcome receive(const std::vector<Byte>& bytes) {
  cdr::Budget budget = cdr::Budget::of(Limits{}, bytes.size());
  const std::size_t all = budget.bytes_left;
  Outcome o{};
#if CALLIS_COUNTS_HEAP
  const std::size_t before = most = live;
#endif
  {
    CORBA::Any any;
    cdr::Decoder d(bytes, kNativeOrder, budget);
    const value::DecodeScope scope(d);
    get_any(d, any);
    o.fault = d.fault();
  }
#if CALLIS_COUNTS_HEAP
  o.heap = most - before;
#endif
  o.spent = all - budget.bytes_left;
  return o;
}

class AnyCost : public ::testing::TestWithParam<Family> {};
INSTANTIATE_TEST_SUITE_P(, AnyCost, ::testing::ValuesIn(marshal::testing::costly_families()),
                         [](const auto& about) { return about.param.name; });

TEST_P(AnyCost, OfAnyTypeTakesNoMoreHeapThanTheMessageMay) {
  for (const unsigned n : {2u, 20u, 100u, 300u, 1000u, 3000u, 20'000u}) {
    const std::vector<Byte> bytes = any_of(GetParam(), n);
    const Outcome o = receive(bytes);
    EXPECT_LE(o.heap, Limits{}.decode_budget(bytes.size()))
        << n << ", " << bytes.size() << " bytes: " << fault_name(o.fault);
    // Without the ORB library there are no references; zeros are no strings for an exception's members.
    EXPECT_TRUE(o.fault == Fault::None || o.fault == Fault::BudgetExceeded || o.fault == Fault::LimitExceeded ||
                o.fault == Fault::TooDeep || o.fault == Fault::Unsupported || o.fault == Fault::BadString)
        << fault_name(o.fault);
    if (n == 2) {
      EXPECT_NE(o.fault, Fault::BudgetExceeded) << "a small type has its plan";
    }
  }
}

// Many of them in one message: what the first has cost is not there for the others.
TEST(AnyCosts, OfManyTypesAddUp) {
  const Family wide{"", [](marshal::testing::CostlyType& t, unsigned n) {
    t.structure(20, [&](unsigned i) { i == 0 ? t.string(n) : i % 2 ? t.number() : t.octet(); });
  }};
  cdr::Budget budget = cdr::Budget::of(Limits{}, 4096);
  Fault fault = Fault::None;
  unsigned n = 0;
  for (; fault == Fault::None && n < 1000; ++n) {
    const std::vector<Byte> bytes = any_of(wide, n + 1);
    cdr::Decoder d(bytes, kNativeOrder, budget);
    CORBA::Any any;
    get_any(d, any);
    fault = d.fault();
  }
  EXPECT_EQ(fault, Fault::BudgetExceeded);
  EXPECT_GT(n, 40u);
  EXPECT_LT(n, 400u);
}

// How many anys, each of a struct of its own with two members, one message may have (docs/guide/limits.md).
unsigned distinct_structs(unsigned n, const Limits& limits) {
  Buffer b;
  cdr::Encoder e(b);
  for (unsigned i = 0; i < n; ++i) {
    Buffer inside;
    cdr::Encoder type(inside);
    type.put_octet(kNativeOrder == ByteOrder::Little);
    type.put_string(("IDL:Some/Struct" + std::to_string(i) + ":1.0").c_str());
    type.put_string(("Struct" + std::to_string(i)).c_str());
    type.put_ulong(2);
    type.put_string("number");
    type.put_ulong(CORBA::tk_long);
    type.put_string("text");
    type.put_ulong(CORBA::tk_string);
    type.put_ulong(0);
    type.finish();
    e.put_ulong(CORBA::tk_struct);
    e.put_octets(inside.view());
    e.put_ulong(i);
    e.put_string("abc");
  }
  e.finish();
  cdr::Budget budget = cdr::Budget::of(limits, b.size());
  cdr::Decoder d(b.view(), kNativeOrder, budget);
  const value::DecodeScope scope(d);
  unsigned good = 0;
  for (std::vector<CORBA::Any> all(n); good < n; ++good) {
    get_any(d, all[good]);
    if (!d.ok()) break;
  }
  EXPECT_TRUE(d.ok() || d.fault() == Fault::BudgetExceeded) << fault_name(d.fault());
  return good;
}

TEST(AnyCosts, OfDistinctStructsAreSomeKilobytesEach) {
  EXPECT_EQ(distinct_structs(1000, Limits{}), 1000u);
  EXPECT_LT(distinct_structs(4000, Limits{}), 4000u);
  Limits more;
  more.decode_budget_base_bytes = 16u << 20;
  EXPECT_EQ(distinct_structs(4000, more), 4000u);
}

}  // namespace
}  // namespace callis::typecode
