// SPDX-License-Identifier: Apache-2.0
// Copying, comparing, hashing, validating and skipping values of random types.
#include <callis/marshal/internal/layout.h>
#include <callis/marshal/testing/reference_reader.h>
#include <callis/marshal/values.h>
#include <gtest/gtest.h>
#include <clocale>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>

namespace callis::marshal {
namespace {

using testing::Bytes;
using testing::Random;
using testing::Types;

// std::max_align_t has bytes that nobody sets to zero.
struct alignas(16) Chunk {
  Byte b[16] = {};
};
using Memory = std::vector<Chunk>;

// A random type and one random value of it.
class Subject {
 public:
  explicit Subject(Random& random) : type(testing::random_type(types_, random)) { make(random); }
  Subject(Types types, Word t, Random& random) : types_(std::move(types)), type(t) { make(random); }
  ~Subject() { destroy(*plan, data()); }
  Byte* data() { return memory(value_); }

  static Byte* memory(Memory& v) { return reinterpret_cast<Byte*>(v.data()); }
  Memory zeros() const { return Memory(native_size(*plan) / 16 + 1); }

 private:
  Types types_;

 public:
  Word type;
  Unit unit{};
  std::shared_ptr<const Plan> plan;

 private:
  void make(Random& random) {
    unit = types_.unit();
    plan = make_plan(unit, type);
    value_ = zeros();
    testing::random_value(unit, type, data(), random);
  }
  Memory value_;
};

// Calls back with the type and place of everything that is no struct, array or sequence with elements.
template <class Leaf>
void each_leaf(const Unit& u, Word type, Byte* at, const Leaf& leaf) {
  const Resolved r = resolve(u, type);
  const Word* e = u.words + r.entry;
  if (r.kind == Kind::Struct) {
    StructLayout l;
    for (Word i = 0; i < r.payload; ++i) each_leaf(u, e[1 + i], at + l.add(layout_of(u, e[1 + i])), leaf);
  } else if (r.kind == Kind::Union) {
    // The discriminator stays: another one may select another member.
    const testing::UnionParts p = testing::union_parts(u, e, at);
    if (p.member != kNoDefault) each_leaf(u, UnionView{e}.member(p.member), at + p.area, leaf);
  } else if (r.kind == Kind::Array) {
    for (Word i = 0; i < e[1]; ++i) each_leaf(u, e[2], at + i * layout_of(u, e[2]).size, leaf);
  } else {
    leaf(r, at);
    if (r.kind != Kind::Sequence) return;
    SequenceHeader s;
    std::memcpy(&s, at, sizeof s);
    for (Word i = 0; i < s.length; ++i)
      each_leaf(u, e[2], static_cast<Byte*>(s.buffer) + i * layout_of(u, e[2]).size, leaf);
  }
}

std::set<const void*> owned(const Unit& u, Word type, Byte* at) {
  std::set<const void*> all;
  each_leaf(u, type, at, [&](const Resolved& r, Byte* p) {
    SequenceHeader s{};
    if (r.kind == Kind::Sequence) std::memcpy(&s, p, sizeof s);
    if (r.kind == Kind::String || r.kind == Kind::WString) std::memcpy(&s.buffer, p, sizeof s.buffer);
    if (s.buffer && s.buffer != kEmptyString && s.buffer != kEmptyWide) all.insert(s.buffer);
  });
  return all;
}

// Another value for one leaf. False when it has none (an enum of one enumerator, an empty sequence).
bool change(const Resolved& r, Byte* p, Random& random) {
  switch (r.kind) {
    case Kind::Boolean: *p ^= 1; return true;
    case Kind::Enum:
      if (r.payload == 1) return false;
      store(p, (load<std::uint32_t>(p) + 1) % r.payload);
      return true;
    case Kind::LongDouble: {
      long double v;
      std::memcpy(&v, p, sizeof v);
      v = std::nextafter(v, std::numeric_limits<long double>::infinity());
      std::memcpy(p, &v, sizeof v);
      return true;
    }
    case Kind::String: {
      char* s = load<char*>(p);
      const std::size_t n = std::strlen(s);
      if (n == 0) {
        string_free(s);
        store(p, string_duplicate("x"));
      } else {
        s[random() % n] ^= 0x1;
        if (std::strlen(s) != n) s[0] = 'z';  // an embedded NUL is a change too; keep it a shorter text
      }
      return true;
    }
    case Kind::WChar: store(p, load<std::uint32_t>(p) ^ 1); return true;
    case Kind::WString: {
      wchar_t* s = load<wchar_t*>(p);
      if (s[0] != 0) return s[0] = s[0] == L'z' ? L'y' : L'z', true;
      wide_free(s);
      store(p, wide_duplicate(L"x"));
      return true;
    }
    case Kind::Fixed: {
      FixedValue v = testing::fixed_at(p);
      v.magnitude[0] ^= 1;
      std::memcpy(p, &v, sizeof v);
      return true;
    }
    case Kind::Sequence: {
      SequenceHeader s;
      std::memcpy(&s, p, sizeof s);
      if (s.length == 0) return false;
      --s.length;
      std::memcpy(p, &s, sizeof s);
      return true;
    }
    default: {
      const std::size_t bit = random() % (8 * run_size(r.kind));
      p[bit / 8] ^= static_cast<Byte>(1u << bit % 8);
      return true;
    }
  }
}

class RandomValues : public ::testing::TestWithParam<unsigned> {
 protected:
  Random random_{GetParam() * 7919u + 5};
};
INSTANTIATE_TEST_SUITE_P(, RandomValues, ::testing::Range(0u, 10u));

TEST_P(RandomValues, CopiesAreEqualAndShareNothing) {
  for (int i = 0; i < 60; ++i) {
    Subject s(random_);
    auto memory = s.zeros();
    Byte* const to = Subject::memory(memory);
    ASSERT_TRUE(copy(*s.plan, s.data(), to));
    EXPECT_TRUE(testing::same_value(s.unit, s.type, s.data(), to));
    EXPECT_TRUE(equal(*s.plan, s.data(), to));
    const auto mine = owned(s.unit, s.type, s.data());
    for (const void* p : owned(s.unit, s.type, to)) EXPECT_EQ(mine.count(p), 0u);
    destroy(*s.plan, to);
  }
}

TEST_P(RandomValues, CopiesHaveTheSameHash) {
  for (int i = 0; i < 60; ++i) {
    Subject s(random_);
    auto memory = s.zeros();
    ASSERT_TRUE(copy(*s.plan, s.data(), Subject::memory(memory)));
    EXPECT_EQ(hash(*s.plan, s.data(), 3), hash(*s.plan, Subject::memory(memory), 3));
    destroy(*s.plan, Subject::memory(memory));
  }
}

TEST_P(RandomValues, AnySingleChangeMakesThemUnequalAndChangesTheHash) {
  for (int i = 0; i < 60; ++i) {
    Subject s(random_);
    std::size_t leaves = 0;
    each_leaf(s.unit, s.type, s.data(), [&](const Resolved&, Byte*) { ++leaves; });
    for (int k = 0; k < 4 && leaves != 0; ++k) {
      auto memory = s.zeros();
      Byte* const to = Subject::memory(memory);
      ASSERT_TRUE(copy(*s.plan, s.data(), to));
      std::size_t at = random_() % leaves;
      bool changed = false;
      Byte* place = nullptr;
      Resolved what{};
      each_leaf(s.unit, s.type, to, [&](const Resolved& r, Byte* p) {
        if (at-- == 0) what = r, place = p;
      });
      changed = change(what, place, random_);
      EXPECT_EQ(equal(*s.plan, s.data(), to), !changed);
      EXPECT_EQ(hash(*s.plan, s.data()) == hash(*s.plan, to), !changed);
      destroy(*s.plan, to);
    }
  }
}

struct Read {
  Fault fault;
  std::size_t remaining;
  cdr::Budget budget;
};
template <class How>
Read read_by(How how, const Plan& plan, const Bytes& b, ByteOrder order, std::size_t phase, cdr::Budget budget) {
  cdr::Decoder d(b, order, budget, phase);
  const bool ok = how(plan, d);
  EXPECT_EQ(ok, d.ok());
  return {d.fault(), d.remaining(), budget};
}

TEST_P(RandomValues, ValidateAcceptsWhatDecodeAcceptsAndSkipFindsTheSameEnd) {
  for (int i = 0; i < 60; ++i) {
    Subject s(random_);
    const auto order = static_cast<ByteOrder>(random_() & 1);
    const std::size_t phase = random_() & 7;
    testing::ReferenceWriter writer(s.unit, order, phase);
    writer.value(s.type, s.data());
    for (int k = 0; k < 20; ++k) {
      Bytes b = writer.out;
      if (k % 4 == 1) b.resize(random_() % (b.size() + 1));
      for (int n = 0; n < k % 3 && !b.empty(); ++n)
        b[random_() % b.size()] = static_cast<Byte>(random_() % (n ? 256 : 4));
      const cdr::Budget budget{static_cast<std::size_t>(k % 5 ? 1u << 20 : random_() % 400),
                               k % 7 ? 64u : static_cast<std::uint32_t>(random_() % 3)};
      const auto by_decode = [&](const Plan& p, cdr::Decoder& d) {
        auto memory = s.zeros();
        const bool ok = decode(p, Subject::memory(memory), d);
        destroy(p, Subject::memory(memory));
        return ok;
      };
      const Read decoded = read_by(by_decode, *s.plan, b, order, phase, budget);
      const Read valid = read_by(validate, *s.plan, b, order, phase, budget);
      ASSERT_EQ(decoded.fault == Fault::None, valid.fault == Fault::None)
          << fault_name(decoded.fault) << ' ' << fault_name(valid.fault);
      if (decoded.fault != Fault::None) continue;
      const Read skipped = read_by(skip, *s.plan, b, order, phase, budget);
      EXPECT_EQ(skipped.fault, Fault::None);
      for (const Read& r : {valid, skipped}) {
        EXPECT_EQ(r.remaining, decoded.remaining);
        EXPECT_EQ(r.budget.bytes_left, decoded.budget.bytes_left);
        EXPECT_EQ(r.budget.depth_left, decoded.budget.depth_left);
      }
    }
  }
}

TEST(Skip, LooksAtCountsButNotAtContents) {
  Types t;
  const Word type = t.structure({type_word(Kind::Boolean), type_word(Kind::Enum, 2), type_word(Kind::String)});
  const Unit u = t.unit();
  const auto p = make_plan(u, type);
  const auto fault = [&](auto how, const Bytes& b) {
    return read_by(how, *p, b, ByteOrder::Big, 0, {1000, 64}).fault;
  };
  const Bytes bad = {7, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 2, 'x', 'y'};
  EXPECT_EQ(fault(skip, bad), Fault::None);
  EXPECT_NE(fault(validate, bad), Fault::None);
  EXPECT_EQ(fault(skip, {1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 3, 'x', 0}), Fault::BadCount);
}

TEST(Equal, ComparesFloatingPointNumbersByTheirBits) {
  Types t;
  const auto p = make_plan(t.unit(), type_word(Kind::Double));
  const double zero = 0.0, minus = -0.0, nan = __builtin_nan("");
  EXPECT_FALSE(equal(*p, &zero, &minus));
  EXPECT_TRUE(equal(*p, &nan, &nan));
}

TEST(Equal, DoesNotLookAtPadding) {
  Types t;
  const Word s = t.structure({type_word(Kind::Octet), type_word(Kind::Long)});
  const auto p = make_plan(t.unit(), s);
  const Byte a[8] = {1, 9, 9, 9, 2}, b[8] = {1, 0, 0, 0, 2};
  EXPECT_TRUE(equal(*p, a, b));
  EXPECT_EQ(hash(*p, a), hash(*p, b));
}

TEST(Copy, OfWhatNeedsNoElementsIsEmpty) {
  Types t;
  const Word s = t.structure({t.sequence(type_word(Kind::String)), type_word(Kind::String)});
  const auto p = make_plan(t.unit(), s);
  Byte zeros[64] = {}, to[64] = {};
  EXPECT_TRUE(copy(*p, zeros, to));
  EXPECT_EQ(std::memcmp(zeros, to, native_size(*p)), 0);
}

// ---- print()

struct Text {
  Types t;
  std::string of(Word type, const void* value, std::size_t room = 200) {
    std::vector<char> to(room);
    const std::size_t n = print(t.unit(), type, value, to);
    EXPECT_EQ(n, std::strlen(to.data()));
    return to.data();
  }
};

TEST(Print, ShowsMembersInBracesAndStringsQuoted) {
  Text x;
  const Word type = x.t.structure({type_word(Kind::Boolean), type_word(Kind::Char), type_word(Kind::Short),
                                   type_word(Kind::String), x.t.array(type_word(Kind::Float), 2)});
  struct { bool b; char c; short s; const char* text; float f[2]; } v{true, '\'', -3, "say \"\\\" \x01", {0.5, -2}};
  EXPECT_EQ(x.of(type, &v), R"({TRUE, '\'', -3, "say \"\\\" \x01", [0.5, -2]})");
}
TEST(Print, ShowsSequencesInBracketsAndEnumsByNumber) {
  Text x;
  std::uint32_t numbers[] = {2, 0};
  const SequenceHeader s{2, 2, numbers, false};
  EXPECT_EQ(x.of(x.t.sequence(type_word(Kind::Enum, 3)), &s), "[#2, #0]");
  EXPECT_EQ(x.of(x.t.sequence(type_word(Kind::ULong)), &s), "[2, 0]");
}
TEST(Print, CutsOffWhatDoesNotFit) {
  Text x;
  const char* s = "a rather long text";
  EXPECT_EQ(x.of(type_word(Kind::String), &s, 10), "\"a rat...");
  EXPECT_EQ(x.of(type_word(Kind::String), &s, 3), "..");
  EXPECT_EQ(x.of(type_word(Kind::String), &s, 1), "");
  EXPECT_EQ(print(x.t.unit(), type_word(Kind::String), &s, {}), 0u);
}
// Locales of the machine the test does not know: it makes one, with a decimal point of a byte or of two.
TEST(Print, HasADecimalPointUnderEveryLocale) {
  char folder[] = "/tmp/callis-locale-XXXXXX";
  ASSERT_NE(::mkdtemp(folder), nullptr);
  const std::string in = folder;
  for (const char* point : {",", "<U066B>"}) {
    std::ofstream(in + "/source") << "LC_NUMERIC\ndecimal_point \"" << point
                                  << "\"\nthousands_sep \".\"\ngrouping 3;3\nEND LC_NUMERIC\n";
    const std::string make = "cd " + in + " && localedef -c -i source " +
                             (point[0] == ',' ? "./comma" : "-f UTF-8 ./arabic") + " >log 2>&1; true";
    ASSERT_EQ(std::system(make.c_str()), 0);
  }
  const char* const before = std::getenv("LOCPATH");
  ::setenv("LOCPATH", folder, 1);
  Text x;
  const double numbers[] = {1234567.25, -0.5, 1e300, 3};
  const long double precise = 0.75;
  ASSERT_NE(std::setlocale(LC_NUMERIC, "comma"), nullptr);
  char shown[16];
  std::snprintf(shown, sizeof shown, "%.1f", 0.5);
  EXPECT_STREQ(shown, "0,5") << "the locale is in force";
  EXPECT_EQ(x.of(x.t.array(type_word(Kind::Double), 4), numbers), "[1234567.25, -0.5, 1.0000000000000001e+300, 3]");
  EXPECT_EQ(x.of(type_word(Kind::LongDouble), &precise), "0.75");
  if (std::setlocale(LC_NUMERIC, "arabic")) {  // where the machine has the map of UTF-8
    EXPECT_EQ(x.of(x.t.array(type_word(Kind::Double), 2), numbers), "[1234567.25, -0.5]");
  }
  std::setlocale(LC_NUMERIC, "C");
  if (before) ::setenv("LOCPATH", before, 1);
  else ::unsetenv("LOCPATH");
  std::filesystem::remove_all(folder);
}
TEST(Print, StopsWithTheRoomHoweverLongTheValue) {
  Text x;
  std::vector<double> many(5000000, 1.5);
  const SequenceHeader s{5000000, 5000000, many.data(), false};
  EXPECT_EQ(x.of(x.t.sequence(type_word(Kind::Double)), &s, 20).size(), 19u);
}

// A bound that does not fit a type word stands in an entry, which may be the unit's first.
TEST(Bound, OfALongStringIsTheOneInItsEntry) {
  const Word words[] = {type_word(Kind::String, kBigBound), kBigBound + 3};
  const Unit u{words, "", nullptr, nullptr};
  const auto p = make_plan(u, type_word(Kind::Ref, 0));
  for (const bool fits : {true, false}) {
    Buffer wire;
    cdr::Encoder e(wire);
    const std::string text(words[1] + !fits, 'x');
    const char* s = text.c_str();
    EXPECT_EQ(encode(*p, &s, e), fits) << fault_name(e.fault());
  }
}

}  // namespace
}  // namespace callis::marshal
