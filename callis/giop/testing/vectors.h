// SPDX-License-Identifier: Apache-2.0
// Message headers, byte for byte, in both byte orders: what their tests share.
#pragma once
#include <callis/giop/giop.h>
#include <callis/giop/testing/wire.h>
#include <gtest/gtest.h>
#include <string_view>

namespace callis::giop::testing {

inline Bytes copy(ByteView v) { return {v.begin(), v.end()}; }

class Vector : public ::testing::TestWithParam<ByteOrder> {
 protected:
  // The bytes of a message built by begin(Encoder&) and body(Encoder&).
  template <class Begin, class Body>
  Bytes build(Begin&& begin, Body&& body) {
    Buffer b;
    cdr::Encoder e(b, GetParam());
    const Started s = begin(e);
    body(e);
    EXPECT_EQ(finish_message(e, s), Fault::None);
    return copy(b.view());
  }
  template <class Begin>
  Bytes build(Begin&& begin) {
    return build(begin, [](cdr::Encoder&) {});
  }
  Bytes message(int minor, int type, std::string_view body) { return giop_message(GetParam(), minor, type, body); }

  // Opens a message for reading its header.
  cdr::Decoder open(const Bytes& whole) {
    bytes_ = whole;
    EXPECT_EQ(parse_header(bytes_, kLimits, message_.header), Fault::None);
    message_.body = ByteView(bytes_).subspan(kHeaderBytes);
    EXPECT_EQ(message_.header.order, GetParam());
    return message_.decoder(budget_);
  }
  Version version() const { return message_.header.version; }

  Bytes bytes_;
  Message message_;
  cdr::Budget budget_{1u << 20, 64};
};

}  // namespace callis::giop::testing
