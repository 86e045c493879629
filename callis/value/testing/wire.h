// SPDX-License-Identifier: Apache-2.0
// What tests of values on the wire (CORBA 3.3 part 2, 9.3.4) have in common. Vectors start at a multiple of 8; every
// case runs in both byte orders.
#pragma once
#include <callis/base/buffer.h>
#include <callis/base/limits.h>
#include <callis/value/testing/node.h>
#include <callis/value/testing/values.h>
#include <gtest/gtest.h>
#include <string_view>

namespace callis::value::testing {

// Words and text as bytes: numbers have four, in the order; strings are as they stand.
class Bytes {
 public:
  explicit Bytes(ByteOrder order) : order_(order) {}
  Bytes& u(std::uint32_t v) {
    while (bytes.size() % 4) bytes.push_back(0);
    for (int i = 0; i < 4; ++i)
      bytes.push_back(static_cast<Byte>(v >> 8 * (order_ == ByteOrder::Big ? 3 - i : i)));
    return *this;
  }
  Bytes& o(Byte b) {
    bytes.push_back(b);
    return *this;
  }
  // A string: length, characters, NUL.
  Bytes& s(std::string_view text) {
    u(static_cast<std::uint32_t>(text.size() + 1));
    for (char c : text) bytes.push_back(static_cast<Byte>(c));
    return o(0);
  }
  std::vector<Byte> bytes;

 private:
  ByteOrder order_;
};

class Wire : public ::testing::TestWithParam<ByteOrder> {
 protected:
  using Write = std::function<void(cdr::Encoder&)>;
  static std::vector<Byte> written(const Write& write, Fault expected = Fault::None) {
    Buffer buffer;
    cdr::Encoder e(buffer, GetParam());
    {
      const EncodeScope scope(e);
      write(e);
    }
    EXPECT_EQ(e.fault(), expected) << fault_name(e.fault());
    e.finish();
    return {buffer.data(), buffer.data() + buffer.size()};
  }
  static void reads(const std::vector<Byte>& bytes, const std::function<void(cdr::Decoder&)>& read) {
    cdr::Budget budget = cdr::Budget::of(Limits{}, bytes.size());
    cdr::Decoder d(ByteView(bytes.data(), bytes.size()), GetParam(), budget);
    const DecodeScope scope(d);
    read(d);
  }
  static Fault fault_of(const std::vector<Byte>& bytes, const ValueLink* formal) {
    Fault fault{};
    reads(bytes, [&](cdr::Decoder& d) {
      const CORBA::ValueBase_var v(get_value(d, formal));
      EXPECT_EQ(v.in() != nullptr && !d.ok(), false);
      fault = d.fault();
    });
    return fault;
  }
  // And read back: no bytes left.
  static CORBA::ValueBase_var read_one(const std::vector<Byte>& bytes, const ValueLink* formal) {
    CORBA::ValueBase_var v;
    reads(bytes, [&](cdr::Decoder& d) {
      v = get_value(d, formal);
      EXPECT_EQ(d.fault(), Fault::None) << fault_name(d.fault());
      EXPECT_EQ(d.remaining(), 0u);
    });
    return v;
  }
  static Bytes b() { return Bytes(GetParam()); }

  const Registered point_{"IDL:Point:1.0", [] { return new Point; }};
};

inline const auto kOrders = ::testing::Values(ByteOrder::Big, ByteOrder::Little);
inline std::string order_name(const ::testing::TestParamInfo<ByteOrder>& i) {
  return i.param == ByteOrder::Big ? "big" : "little";
}

}  // namespace callis::value::testing
