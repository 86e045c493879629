// SPDX-License-Identifier: Apache-2.0
// What the peers without marshaling (raw, ace) say to each other.
//
// param_test, the floor: the client sends an Exchange for each operation; from then on both ends know how many bytes
// a message has, and nothing but arguments travels: the bytes that CDR makes of them in native byte order, without
// GIOP's headers. Done in each call: a memcpy of `in` and inout to where they are sent from, one write; one read (as
// a rule), three memcpys of `in` to result, inout and out, one write; one read, a memcpy of all three to the client's
// variables. Not done: marshaling, finding an object or an operation, allocating and freeing memory.
//
// ttcp: a Header with its buffer, both by one writev. The receiver has been told the size of the point's buffers and
// reads header and buffer by one readv, then what is still missing of the buffer (as the papers' C version does).
#pragma once
#include <cstring>
#include <functional>
#include "flood.h"
#include "latency.h"
#include "text.h"

namespace bench::plain {

// Native CDR, as far as Param_Test needs it.
class Cdr {
 public:
  template <class T>
  void put(T value) {
    bytes.resize((bytes.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T));
    const auto at = bytes.size();
    bytes.resize(at + sizeof(T));
    std::memcpy(&bytes[at], &value, sizeof(T));
  }
  void put_string(unsigned seed) {
    const std::string s = text(seed);
    put(static_cast<std::uint32_t>(s.size() + 1));
    bytes.insert(bytes.end(), s.c_str(), s.c_str() + s.size() + 1);
  }
  void put_strings(unsigned seed) {
    put(std::uint32_t{kElements});
    for (unsigned i = 0; i < kElements; ++i) put_string(seed + i);
  }
  void put_struct(unsigned seed) {  // Var_Struct; Nested_Struct has the same bytes
    put_string(seed);
    put_string(seed + 1);
    put_strings(seed + 2);
  }

  std::vector<char> bytes;
};

using Put = std::function<void(Cdr&, unsigned seed)>;
struct Operation {
  const char* name;
  Put put;  // one argument
};

inline const std::vector<Operation>& operations() {
  static const std::vector<Operation> all = {
      {"test_short", [](Cdr& c, unsigned seed) { c.put(static_cast<std::int16_t>(seed)); }},
      {"test_unbounded_string", [](Cdr& c, unsigned seed) { c.put_string(seed); }},
      {"test_fixed_struct",
       [](Cdr& c, unsigned seed) {
         c.put(static_cast<std::int32_t>(seed));
         c.put('c');
         c.put(std::int16_t{2});
         c.put(std::uint8_t{3});
         c.put(4.5f);
         c.put(true);
         c.put(6.5);
       }},
      {"test_strseq", [](Cdr& c, unsigned seed) { c.put_strings(seed); }},
      {"test_var_struct", [](Cdr& c, unsigned seed) { c.put_struct(seed); }},
      {"test_nested_struct", [](Cdr& c, unsigned seed) { c.put_struct(seed); }},
      {"test_struct_sequence",
       [](Cdr& c, unsigned seed) {
         c.put(std::uint32_t{kElements});
         for (unsigned i = 0; i < kElements; ++i) c.put_struct(seed + 10 * i);
       }},
  };
  return all;
}

// Arguments of one message, one behind the other.
inline std::vector<char> encoded(const Operation& op, const std::vector<unsigned>& seeds) {
  Cdr cdr;
  for (const unsigned seed : seeds) op.put(cdr, seed);
  return cdr.bytes;
}

struct Exchange {
  std::uint32_t request = 0, reply = 0;  // bytes of the messages: `in` and inout; result, inout and out
  std::uint32_t argument = 0;            // bytes of one argument
  std::uint32_t stride = 0;              // from the start of one argument to that of the next
  std::uint32_t calls = 0;               // that follow
};

inline Exchange exchange_of(const Operation& op, int calls) {
  const auto size = [&](std::size_t n) {
    return static_cast<std::uint32_t>(encoded(op, std::vector<unsigned>(n, 1)).size());
  };
  return {size(2), size(3), size(1), size(2) - size(1), static_cast<std::uint32_t>(calls)};
}

// The servant: `in` becomes result, inout and out.
inline void copy_argument(const Exchange& x, const char* in, char* out) {
  for (int i = 0; i < 3; ++i, out += x.stride) std::memcpy(out, in, x.argument);
}
inline bool holds_argument(const Exchange& x, const char* in, const char* out) {
  for (int i = 0; i < 3; ++i, out += x.stride)
    if (std::memcmp(out, in, x.argument) != 0) return false;
  return true;
}

// The client, over a connection with `bool send(bytes, n)` and `bool receive(bytes, n)`.
template <class Connection>
void call_operations(const Options& o, Connection& c) {
  for (const Operation& op : operations()) {
    if (!wanted(o.operations, op.name)) continue;
    const int warm = warm_calls(o), calls = timed_calls(o, op.name);
    const Exchange x = exchange_of(op, warm + calls);
    const std::vector<char> values = encoded(op, {1, 2});
    std::vector<char> out(x.request), in(x.reply), results(x.reply);
    expect(c.send(&x, sizeof x), "send");
    latency(
        op.name, warm, calls,
        [&] {
          std::memcpy(out.data(), values.data(), x.request);
          if (!c.send(out.data(), x.request) || !c.receive(in.data(), x.reply))
            throw std::runtime_error("connection");
          std::memcpy(results.data(), in.data(), x.reply);
        },
        [&] {
          const bool right = holds_argument(x, values.data(), results.data());
          std::fill(results.begin(), results.end(), '\0');
          std::fill(in.begin(), in.end(), '\0');
          return right;
        });
  }
}

// The server's side of one connection, until its client closes it.
template <class Connection>
void serve_operations(const Options& o, Connection& c) {
  for (Exchange x; c.receive(&x, sizeof x);) {
    std::vector<char> in(x.request), out(x.reply);
    for (std::uint32_t i = 0; i < x.calls; ++i) {
      if (!c.receive(in.data(), x.request)) return;
      copy_argument(x, in.data(), out.data());
      if (o.corrupt) out.back() = static_cast<char>(out.back() ^ 1);
      if (!c.send(out.data(), x.reply)) return;
    }
  }
}

enum class Kind : std::uint32_t { Point, Short, Char, Long, Octet, Double, Struct, Barrier };
struct Header {
  Kind kind;            // Point: `bytes` is the size of the buffers to come; answered by an empty Receipt
  std::uint32_t bytes;  // of the buffer behind the header; none for Point and Barrier
};

template <class T, class Connection>
void flood_type(const Options& o, const char* type, Kind kind, Connection& c) {
  each_size(o, type, [&](std::uint64_t size) {
    const auto bytes = static_cast<std::uint32_t>(size);
    const std::vector<T> buffer = elements<T>(size / sizeof(T), o.corrupt);
    const auto ask = [&](Header h) {
      Receipt r;
      expect(c.send(&h, sizeof h) && c.receive(&r, sizeof r), "connection");
      return r;
    };
    ask({Kind::Point, bytes});
    const Header header{kind, bytes};
    flood(
        o, type, size,
        [&] {
          if (!c.send_both(&header, sizeof header, buffer.data(), bytes)) throw std::runtime_error("connection");
        },
        [&](std::uint64_t) {
          return ask({Kind::Barrier, 0});
        });
  });
}

template <class Connection>
void send_floods(const Options& o, Connection& c) {
  if (o.buffered) throw std::invalid_argument("this peer sends each buffer at once");
  flood_type<std::int16_t>(o, "short", Kind::Short, c);
  flood_type<char>(o, "char", Kind::Char, c);
  flood_type<std::int32_t>(o, "long", Kind::Long, c);
  flood_type<std::uint8_t>(o, "octet", Kind::Octet, c);
  flood_type<double>(o, "double", Kind::Double, c);
  flood_type<BinStruct>(o, "BinStruct", Kind::Struct, c);
}

template <class T>
bool intact_bytes(const void* buffer, std::size_t bytes) {
  return bytes % sizeof(T) == 0 && intact(static_cast<const T*>(buffer), bytes / sizeof(T));
}
inline bool intact_kind(Kind kind, const void* buffer, std::size_t bytes) {
  switch (kind) {
    case Kind::Short: return intact_bytes<std::int16_t>(buffer, bytes);
    case Kind::Char: return intact_bytes<char>(buffer, bytes);
    case Kind::Long: return intact_bytes<std::int32_t>(buffer, bytes);
    case Kind::Octet: return intact_bytes<std::uint8_t>(buffer, bytes);
    case Kind::Double: return intact_bytes<double>(buffer, bytes);
    case Kind::Struct: return intact_bytes<BinStruct>(buffer, bytes);
    default: return false;
  }
}

// receive_both(header, its bytes, buffer, most): reads the header and up to `most` bytes behind it; how many bytes of
// the buffer have come, or -1.
template <class Connection>
void receive_floods(Connection& c) {
  Tally tally;
  std::vector<double> buffer;  // aligned for every type
  std::size_t expected = 0;
  for (Header h;;) {
    const long got = c.receive_both(&h, sizeof h, buffer.data(), expected);
    if (got < 0) return;
    if (h.kind == Kind::Point || h.kind == Kind::Barrier) {
      if (h.kind == Kind::Point) {
        expected = h.bytes;
        buffer.resize((expected + sizeof(double) - 1) / sizeof(double));
      }
      const Receipt r = h.kind == Kind::Barrier ? tally.take() : Receipt{};
      if (!c.send(&r, sizeof r)) return;
      continue;
    }
    expect(h.bytes == expected, "size of a buffer");
    const auto here = static_cast<std::size_t>(got);
    if (!c.receive(reinterpret_cast<char*>(buffer.data()) + here, expected - here)) return;
    tally.add(expected, intact_kind(h.kind, buffer.data(), expected));
  }
}

}  // namespace bench::plain
