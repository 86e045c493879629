// SPDX-License-Identifier: Apache-2.0
// TypeCodes that cost as much as their size can: families that grow with a number. Any quadratic cost shows in one of
// the families. This is only for tests and fuzzers.
#pragma once
#include <callis/base/buffer.h>
#include <callis/cdr/encoder.h>
#include <functional>
#include <string>
#include <vector>

namespace callis::marshal::testing {

// Writes TypeCodes (CORBA 3.3 part 2, 9.3.5), with indirections to places noted before.
class CostlyType {
 public:
  using Inside = std::function<void()>;

  explicit CostlyType(ByteOrder order) : e_(buffer_, order) {}

  std::vector<Byte> bytes() {
    e_.finish();
    return {buffer_.data(), buffer_.data() + buffer_.size()};
  }
  // Where the next TypeCode will stand.
  std::size_t here() {
    e_.align(4);
    return e_.position();
  }
  void again(std::size_t place) {
    e_.put_ulong(0xffffffff);
    e_.put_ulong(static_cast<std::uint32_t>(place - e_.position()));
  }
  void simple(std::uint32_t kind) { e_.put_ulong(kind); }
  void octet() { simple(10); }
  void number() { simple(3); }
  void string(std::uint32_t bound) { simple(18), e_.put_ulong(bound); }
  // each(i) writes the type of member i.
  void structure(unsigned members, const std::function<void(unsigned)>& each, const std::string& id = "",
                 std::uint32_t kind = 15) {
    begin(kind, id);
    e_.put_ulong(members);
    for (unsigned i = 0; i < members; ++i) {
      e_.put_string("");
      each(i);
    }
    end();
  }
  void empty() { structure(0, {}); }
  void array(std::uint32_t n, const Inside& of) { list(20, n, of); }
  void sequence(const Inside& of) { list(19, 0, of); }
  void alias(const Inside& of) {
    begin(21, "");
    of();
    end();
  }
  void enumeration(unsigned n) {
    begin(17, "");
    e_.put_ulong(n);
    for (unsigned i = 0; i < n; ++i) e_.put_string("");
    end();
  }
  // Switched by a long; labels are spread.
  void one_of(unsigned members, const std::function<void(unsigned)>& each, const std::string& id = "") {
    begin(16, id);
    number();
    e_.put_ulong(0xffffffff);
    e_.put_ulong(members);
    for (unsigned i = 0; i < members; ++i) {
      e_.put_ulong(7 * i);
      e_.put_string(std::to_string(i).c_str());
      each(i);
    }
    end();
  }
  void value(const std::string& id, unsigned members, const std::function<void(unsigned)>& each) {
    derived(id, [this] { simple(0); }, members, each);
  }
  // base writes the TypeCode of its base.
  void derived(const std::string& id, const Inside& base, unsigned members,
               const std::function<void(unsigned)>& each) {
    begin(29, id);
    e_.put_ushort(0);
    base();
    e_.put_ulong(members);
    for (unsigned i = 0; i < members; ++i) {
      e_.put_string("");
      each(i);
      e_.put_ushort(1);
    }
    end();
  }
  void box(const std::string& id, const Inside& of) {
    begin(30, id);
    of();
    end();
  }
  void fixed(std::uint16_t digits, std::int16_t scale) {
    e_.put_ulong(28);
    e_.put_ushort(digits);
    e_.put_ushort(static_cast<std::uint16_t>(scale));
  }
  void reference(const std::string& id) {
    begin(14, id);
    end();
  }

 private:
  void begin(std::uint32_t kind, const std::string& id) {
    open(kind);
    e_.put_string(id.c_str());
    e_.put_string("");
  }
  void open(std::uint32_t kind) {
    e_.put_ulong(kind);
    open_.push_back(e_.begin_encapsulation());
  }
  void end() {
    e_.end_encapsulation(open_.back());
    open_.pop_back();
  }
  void list(std::uint32_t kind, std::uint32_t n, const Inside& of) {
    open(kind);
    of();
    e_.put_ulong(n);
    end();
  }

  Buffer buffer_{4096};
  cdr::Encoder e_;
  std::vector<cdr::Encoder::Encapsulation> open_;
};

struct Family {
  const char* name;
  void (*write)(CostlyType& t, unsigned n);
};

inline const std::vector<Family>& costly_families() {
  using T = CostlyType;
  static const std::vector<Family> all = {
      {"ArraysOfArraysOfNothing",
       [](T& t, unsigned n) {
         std::size_t a = 0;
         t.structure(n, [&](unsigned i) {
           if (i != 0) return t.again(a);
           a = t.here();
           t.structure(1, [&](unsigned) {
             t.array(200, [&] { t.structure(1, [&](unsigned) { t.array(200, [&] { t.empty(); }); }); });
           });
         });
       }},
      {"LongArraysOfNothing",
       [](T& t, unsigned n) {
         std::size_t e = 0;
         t.structure(n, [&](unsigned i) {
           t.array(1000 + i % 7, [&] {
             if (i != 0) return t.again(e);
             e = t.here();
             t.empty();
           });
         });
       }},
      {"SequencesOfNumbersAndNothing",
       [](T& t, unsigned n) {
         t.structure(n, [&](unsigned i) {
           t.sequence([&] {
             t.structure(2, [&](unsigned k) { k == 0 ? t.number() : t.array(1 + i, [&] { t.empty(); }); });
           });
         });
       }},
      {"WideStruct", [](T& t, unsigned n) { t.structure(n, [&](unsigned i) { i % 2 ? t.number() : t.octet(); }); }},
      {"WideStructOfStrings", [](T& t, unsigned n) { t.structure(n, [&](unsigned i) { t.string(i); }); }},
      {"FlattenedArrays",
       [](T& t, unsigned n) {
         std::size_t a = 0;
         t.structure(n, [&](unsigned i) {
           if (i != 0) return t.again(a);
           a = t.here();
           t.array(128, [&] { t.structure(2, [&](unsigned k) { k ? t.number() : t.octet(); }); });
         });
       }},
      {"SequencesOfStructs",
       [](T& t, unsigned n) {
         t.structure(n, [&](unsigned i) {
           t.sequence([&] {
             t.structure(2, [&](unsigned k) { k ? t.string(0) : t.array(1 + i, [&] { t.octet(); }); });
           });
         });
       }},
      {"EachSequenceWithinTheNext",
       [](T& t, unsigned n) {
         std::vector<std::size_t> places;
         t.structure(n, [&](unsigned i) {
           places.push_back(t.here());
           t.structure(2, [&](unsigned k) {
             if (k == 1 || i % 60 == 0) t.string(i);
             else t.sequence([&] { t.again(places[i - 1]); });
           });
         });
       }},
      {"EachStructWithinTheNext",
       [](T& t, unsigned n) {
         std::vector<std::size_t> places;
         t.structure(n, [&](unsigned i) {
           places.push_back(t.here());
           t.structure(2, [&](unsigned k) { k == 1 || i % 60 == 0 ? t.string(i) : t.again(places[i - 1]); });
         });
       }},
      {"ManyOfOneId",
       [](T& t, unsigned n) {
         std::vector<std::size_t> places;
         t.structure(n, [&](unsigned i) {
           places.push_back(t.here());
           const auto member = [&](unsigned k) {
             k != 0 || i < 60 ? t.string(i / 2) : t.sequence([&] { t.again(places[i - 60]); });
           };
           t.structure(3, member, "IDL:One:1.0");
         });
       }},
      {"TheSameInFull",
       [](T& t, unsigned n) {
         t.structure(n, [&](unsigned) { t.structure(3, [&](unsigned k) { t.string(k); }, "IDL:One:1.0"); });
       }},
      {"CyclesInFull",
       [](T& t, unsigned n) {
         t.structure(n, [&](unsigned i) {
           const std::size_t outer = t.here();
           t.structure(2, [&](unsigned k) {
             if (k == 0) return t.string(i % 5);
             t.sequence([&] {
               const std::size_t inner = t.here();
               t.structure(3, [&](unsigned m) {
                 m == 0 ? t.octet() : t.sequence([&] { t.again(m == 1 ? outer : inner); });
               });
             });
           });
         });
       }},
      {"CyclesInEachOther",
       [](T& t, unsigned n) {
         for (; n > 0; n = 0) {
           const std::size_t root = t.here();
           std::vector<std::size_t> places;
           t.structure(n, [&](unsigned i) {
             places.push_back(t.here());
             t.structure(2, [&](unsigned k) {
               t.sequence([&] { t.again(k == 0 || i % 50 == 0 ? root : places[i - 1]); });
             });
           });
         }
       }},
      {"UnionsOfManyLabels", [](T& t, unsigned n) { t.one_of(n, [&](unsigned) { t.number(); }); }},
      {"UnionsOfManyMembers", [](T& t, unsigned n) { t.one_of(n, [&](unsigned i) { t.string(i); }); }},
      {"ManyUnions",
       [](T& t, unsigned n) {
         t.structure(n, [&](unsigned i) { t.one_of(2, [&](unsigned k) { t.string(2 * i + k); }, "IDL:U:1.0"); });
       }},
      {"EachUnionWithinTheNext",
       [](T& t, unsigned n) {
         std::vector<std::size_t> places;
         t.structure(n, [&](unsigned i) {
           places.push_back(t.here());
           t.one_of(2, [&](unsigned k) { k == 1 || i % 60 == 0 ? t.string(i) : t.again(places[i - 1]); });
         });
       }},
      {"Doubled",
       [](T& t, unsigned n) {
         std::vector<std::size_t> places;
         t.structure(n, [&](unsigned i) {
           places.push_back(t.here());
           t.structure(2, [&](unsigned) { i % 6 == 0 ? t.octet() : t.again(places[i - 1]); });
         });
       }},
      {"DoubledThroughSequences",
       [](T& t, unsigned n) {
         std::vector<std::size_t> places;
         t.structure(n, [&](unsigned i) {
           places.push_back(t.here());
           t.structure(2, [&](unsigned) { t.sequence([&] { i % 60 == 0 ? t.octet() : t.again(places[i - 1]); }); });
         });
       }},
      {"UsesOfManyAliases",
       [](T& t, unsigned n) {
         std::size_t a = 0;
         t.structure(n, [&](unsigned i) {
           if (i != 0) return t.again(a);
           a = t.here();
           const CostlyType::Inside leaf = [&] { t.string(7); };
           CostlyType::Inside chain[30];
           for (int k = 0; k < 30; ++k) chain[k] = [&, k] { t.alias(k == 0 ? leaf : chain[k - 1]); };
           chain[29]();
         });
       }},
      {"Enums", [](T& t, unsigned n) { t.structure(n / 16 + 1, [&](unsigned i) { t.enumeration(16 + i % 3); }); }},
      {"LongEnum", [](T& t, unsigned n) { t.enumeration(n); }},
      {"UsesOfALongId",
       [](T& t, unsigned n) {
         std::size_t a = 0;
         const std::string id(8 * std::size_t{n} + 1, 'x');
         t.structure(n, [&](unsigned i) {
           if (i != 0) return t.again(a);
           a = t.here();
           t.structure(1, [&](unsigned) { t.octet(); }, id);
         });
       }},
      {"References",
       [](T& t, unsigned n) {
         t.structure(n, [&](unsigned i) { t.reference("IDL:I" + std::to_string(i) + ":1.0"); });
       }},
      {"Values",
       [](T& t, unsigned n) {
         t.structure(n, [&](unsigned i) {
           t.value("IDL:V" + std::to_string(i) + ":1.0", 1, [&](unsigned) { t.string(0); });
         });
       }},
      {"ValuesOfOneWideStruct",
       [](T& t, unsigned n) {
         std::size_t wide = 0;
         t.structure(n / 2 + 1, [&](unsigned i) {
           t.value("IDL:V" + std::to_string(i) + ":1.0", 1, [&](unsigned) {
             if (i != 0) return t.again(wide);
             wide = t.here();
             t.structure(n / 2, [&](unsigned k) { t.string(k); });
           });
         });
       }},
      {"AnException", [](T& t, unsigned n) { t.structure(n, [&](unsigned i) { t.string(i); }, "IDL:X:1.0", 22); }},
  };
  return all;
}

inline std::vector<Byte> costly_type(const Family& family, unsigned n, ByteOrder order) {
  CostlyType t(order);
  family.write(t, n);
  return t.bytes();
}

}  // namespace callis::marshal::testing
