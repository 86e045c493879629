// SPDX-License-Identifier: Apache-2.0
// Nanoseconds an element of sequences of structs, by the engine and by two coders that go member by member; and
// sequences of primitives against memcpy of the same bytes between the same places. Everything that is compared is
// measured in turn, in slices of --slice-us, --repetitions times. Prints one JSON line a case: of each variant its
// nanoseconds in every repetition.
#include "../../common/measure.h"
#include "inlined.h"
#include "one_by_one.h"
#include <callis/marshal/memory.h>
#include <callis/marshal/plan.h>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace bench;
using callis::Buffer;
using callis::ByteOrder;
using callis::cdr::Budget;
using callis::cdr::Decoder;
using callis::cdr::Encoder;
using callis::marshal::Plan;
using callis::marshal::SequenceHeader;

int g_repetitions = 41;
double g_slice_ns = 400e3;

struct Variant {
  const char* name;
  std::function<void(long)> run;  // so many times
  std::vector<double> ns = {};    // of one run, a value a repetition
  long n = 1;
};

double time(const Variant& v, long n) {
  const std::uint64_t start = now_ns();
  v.run(n);
  return static_cast<double>(now_ns() - start);
}

void measure(std::vector<Variant>& variants) {
  for (auto& v : variants) {  // how often fits a slice; warms up
    for (double t; (t = time(v, v.n)) < g_slice_ns && v.n < 1 << 30;)
      v.n = t < g_slice_ns / 16 ? v.n * 8 : 1 + static_cast<long>(static_cast<double>(v.n) * g_slice_ns * 1.02 / t);
  }
  for (int r = 0; r < g_repetitions; ++r) {
    for (std::size_t k = 0; k < variants.size(); ++k) {
      auto& v = variants[r % 2 == 0 ? k : variants.size() - 1 - k];  // no order is always first
      v.ns.push_back(time(v, v.n) / static_cast<double>(v.n));
    }
  }
}

void print(const char* suite, const char* type, const char* what, bool swapped, std::size_t n, double unit,
           const std::vector<Variant>& variants) {
  std::printf("{\"suite\":\"%s\",\"type\":\"%s\",\"what\":\"%s\",\"order\":\"%s\",\"n\":%zu", suite, type, what,
              swapped ? "swapped" : "native", n);
  for (const auto& v : variants) {
    std::printf(",\"%s\":[", v.name);
    for (std::size_t i = 0; i < v.ns.size(); ++i) std::printf("%s%.4f", i == 0 ? "" : ",", v.ns[i] / unit);
    std::printf("]");
  }
  std::printf("}\n");
  std::fflush(stdout);
}

// ---- the engine over a sequence of Ts, whose elements are made by make(i) ----

template <class T>
struct Subject {
  std::shared_ptr<const Plan> plan = callis::marshal::make_plan(descriptors::kUnit, descriptors::kSequenceOf<T>);
  std::uint32_t n;
  ByteOrder order;
  SequenceHeader from, to{};
  Buffer out, wire;  // encoded again and again; what is decoded

  template <class Make>
  Subject(std::uint32_t count, bool swapped, Make make)
      : n(count), order(swapped ? callis::other(callis::kNativeOrder) : callis::kNativeOrder) {
    from = {n, n, callis::marshal::buffer_allocate(n, sizeof(T)), true};
    expect(plan && from.buffer, "memory");
    std::memset(from.buffer, 0, n * sizeof(T));
    for (std::uint32_t i = 0; i < n; ++i) elements()[i] = make(i);
    encode(wire);
    encode(out);
    decode();
  }
  Subject(const Subject&) = delete;
  ~Subject() {
    callis::marshal::destroy(*plan, &from);
    callis::marshal::destroy(*plan, &to);
  }

  T* elements() { return static_cast<T*>(from.buffer); }
  T* decoded() { return static_cast<T*>(to.buffer); }
  void encode(Buffer& buffer) {
    buffer.clear();
    Encoder e(buffer, order);
    if (!callis::marshal::encode(*plan, &from, e)) expect(false, "the engine encodes");
  }
  void decode() {
    Budget budget{std::numeric_limits<std::size_t>::max(), 64};
    Decoder d(wire.view(), order, budget);
    if (!callis::marshal::decode(*plan, &to, d)) expect(false, "the engine decodes");
  }
};

// ---- structs ----

template <class T>
void structs(const char* name, std::uint32_t n, bool swapped) {
  Subject<T> s(n, swapped, [](std::uint32_t i) {
    T v;
    std::memset(static_cast<void*>(&v), 0, sizeof v);
    v.l = static_cast<std::int32_t>(i * 2654435761u);
    v.c = static_cast<char>(i);
    v.d = i * 0.37;
    if constexpr (requires { v.s; }) v.s = static_cast<std::int16_t>(i * 77), v.o = static_cast<std::uint8_t>(i >> 3);
    if constexpr (requires { v.pad; }) for (auto& b : v.pad) b = static_cast<std::uint8_t>(i ^ 0x55);
    return v;
  });
  std::vector<unsigned char> slow(s.wire.size() + 64);
  unsigned char* aligned = slow.data() + ((0 - reinterpret_cast<std::uintptr_t>(slow.data())) & 15);
  std::vector<T> room(n);
  std::memset(static_cast<void*>(room.data()), 0, n * sizeof(T));
  const auto put_slowly = [&] {
    one_by_one::Writer w(aligned, s.wire.size(), swapped);
    expect(one_by_one::put(w, s.elements(), n), "one by one encodes");
  };
  const auto get_slowly = [&] {
    one_by_one::Reader r(s.wire.data(), s.wire.size(), swapped);
    expect(one_by_one::get(r, room.data(), n), "one by one decodes");
  };
  Buffer inlined_out;
  const auto put_inlined = [&] {
    inlined_out.clear();
    Encoder e(inlined_out, s.order);
    expect(inlined::put(e, s.elements(), n), "inlined encodes");
  };
  const auto get_inlined = [&] {
    Budget budget{std::numeric_limits<std::size_t>::max(), 64};
    Decoder d(s.wire.view(), s.order, budget);
    expect(inlined::get(d, room.data(), n), "inlined decodes");
  };

  put_slowly();
  put_inlined();
  expect(std::memcmp(aligned, s.wire.data(), s.wire.size()) == 0, "one by one's bytes are the engine's");
  expect(inlined_out.size() == s.wire.size() && std::memcmp(inlined_out.data(), s.wire.data(), s.wire.size()) == 0,
         "inlined's bytes are the engine's");
  const auto equal = [&](const T* p) {
    return std::memcmp(static_cast<const void*>(p), s.elements(), n * sizeof(T)) == 0;
  };
  get_slowly();
  expect(equal(room.data()), "one by one's values are right");
  get_inlined();
  expect(equal(room.data()), "inlined's values are right");
  expect(s.to.length == n, "the engine's count is right");
  for (std::uint32_t i = 0; i < n; ++i) {  // by members: decoding need not keep the padding
    const T &a = s.decoded()[i], &b = s.elements()[i];
    expect(a.l == b.l && a.c == b.c && a.d == b.d, "the engine's values are right");
    if constexpr (requires { a.s; }) expect(a.s == b.s && a.o == b.o, "the engine's values are right");
    if constexpr (requires { a.pad; }) expect(std::memcmp(a.pad, b.pad, 8) == 0, "the engine's values are right");
  }

  const auto times = [](auto f) { return [f](long k) { for (long i = 0; i < k; ++i) f(); }; };
  std::vector<Variant> encoders = {{"engine", times([&s] { s.encode(s.out); })},
                                   {"one_by_one", times(put_slowly)}, {"inlined", times(put_inlined)}};
  measure(encoders);
  print("structs", name, "encode", swapped, n, n, encoders);
  std::vector<Variant> decoders = {{"engine", times([&s] { s.decode(); })},
                                   {"one_by_one", times(get_slowly)}, {"inlined", times(get_inlined)}};
  measure(decoders);
  print("structs", name, "decode", swapped, n, n, decoders);
}

// ---- primitives ----

// The same bytes between the same places, or between the same places modulo 64 when the engine takes new memory.
void copy(void* to, const void* from, std::size_t n, long k) {
  for (long i = 0; i < k; ++i) {
    std::memcpy(to, from, n);
    asm volatile("" : : "r"(to), "r"(from) : "memory");
  }
}

template <class T>
void primitives(const char* name, std::size_t bytes, bool swapped) {
  const auto n = static_cast<std::uint32_t>(bytes / sizeof(T));
  Subject<T> s(n, swapped, [](std::uint32_t i) { return static_cast<T>(i * 7 + i / 251); });
  expect(s.to.length == n && std::memcmp(s.to.buffer, s.from.buffer, bytes) == 0, "the engine's values are right");
  const std::size_t head = s.wire.size() - bytes;  // count and padding
  Subject<T> none(0, swapped, [](std::uint32_t) { return T{}; });  // what a message costs without the bytes
  std::vector<Variant> encoders = {
      {"engine", [&s](long k) { for (long i = 0; i < k; ++i) s.encode(s.out); }},
      {"memcpy", [&](long k) { copy(s.out.data() + head, s.from.buffer, bytes, k); }},
      {"empty", [&none](long k) { for (long i = 0; i < k; ++i) none.encode(none.out); }}};
  measure(encoders);
  print("primitives", name, "encode", swapped, bytes, 1, encoders);
  std::vector<Variant> decoders = {
      {"engine", [&s](long k) { for (long i = 0; i < k; ++i) s.decode(); }},
      {"memcpy", [&](long k) { copy(s.to.buffer, s.wire.data() + head, bytes, k); }},
      {"empty", [&none](long k) { for (long i = 0; i < k; ++i) none.decode(); }}};
  measure(decoders);
  print("primitives", name, "decode", swapped, bytes, 1, decoders);
}

long option(int argc, char** argv, const char* name, long otherwise) {
  for (int i = 1; i + 1 < argc; ++i)
    if (std::strcmp(argv[i], name) == 0) return std::strtol(argv[i + 1], nullptr, 10);
  return otherwise;
}

}  // namespace

int main(int argc, char** argv) {
  g_repetitions = static_cast<int>(option(argc, argv, "--repetitions", g_repetitions));
  g_slice_ns = 1e3 * static_cast<double>(option(argc, argv, "--slice-us", 400));
  for (const bool swapped : {false, true}) {
    for (const std::uint32_t n : {512u, 65536u}) {
      structs<BinStruct>("BinStruct", n, swapped);
      structs<ThreeStruct>("{long,double,char}", n, swapped);
      structs<FiveStruct>("{short,char,long,octet,double}", n, swapped);
    }
  }
  for (const bool swapped : {false, true}) {
    for (const std::size_t bytes : {4096u, 65536u, 1048576u}) {
      primitives<std::uint8_t>("octet", bytes, swapped);
      primitives<std::int16_t>("short", bytes, swapped);
      primitives<std::int32_t>("long", bytes, swapped);
      primitives<double>("double", bytes, swapped);
    }
  }
}
