// SPDX-License-Identifier: Apache-2.0
// Codecs (CORBA 3.0.3, 13.8).
#include <callis/interceptors.h>
#include <callis/orb/testing/scripted_peer.h>
#include <gtest/gtest.h>

namespace callis::interceptors {
namespace {

using namespace orb::testing;

struct Codecs : ::testing::TestWithParam<int> {
  orb::Counted<orb::Core> core = make_core();
  CORBA::Object_var object = core->resolve_initial_references("CodecFactory");
  IOP::CodecFactory_var factory = IOP::CodecFactory::_narrow(object);
  IOP::Codec_var codec = make(static_cast<CORBA::Octet>(GetParam()));

  IOP::Codec_ptr make(CORBA::Octet minor) { return factory->create_codec({IOP::ENCODING_CDR_ENCAPS, 1, minor}); }
  ~Codecs() override { core->destroy(); }
};

// The bytes as an OctetSeq.
CORBA::OctetSeq octets(std::initializer_list<int> bytes) {
  CORBA::OctetSeq seq;
  seq.length(static_cast<CORBA::ULong>(bytes.size()));
  CORBA::ULong i = 0;
  for (int b : bytes) seq[i++] = static_cast<CORBA::Octet>(b);
  return seq;
}

CORBA::Any any_of(CORBA::ULong value) {
  CORBA::Any a;
  a <<= value;
  return a;
}

bool same(const CORBA::OctetSeq& a, const CORBA::OctetSeq& b) {
  return a.length() == b.length() && std::equal(a.get_buffer(), a.get_buffer() + a.length(), b.get_buffer());
}

TEST_P(Codecs, an_any_goes_with_its_type) {
  CORBA::OctetSeq_var bytes = codec->encode(any_of(0x01020304));
  EXPECT_EQ(bytes->length(), 12u) << "byte order, padding, TypeCode, value";
  CORBA::Any_var back = codec->decode(bytes);
  CORBA::ULong value = 0;
  ASSERT_TRUE(back.in() >>= value);
  EXPECT_EQ(value, 0x01020304u);
}

TEST_P(Codecs, a_value_goes_without_it) {
  CORBA::OctetSeq_var bytes = codec->encode_value(any_of(7));
  EXPECT_EQ(bytes->length(), 8u);
  CORBA::Any_var back = codec->decode_value(bytes, CORBA::_tc_ulong);
  CORBA::ULong value = 0;
  ASSERT_TRUE(back.in() >>= value);
  EXPECT_EQ(value, 7u);
}

TEST_P(Codecs, both_byte_orders_are_read) {
  for (const auto& bytes : {octets({0, 0, 0, 0, 0, 0, 1, 2}), octets({1, 0, 0, 0, 2, 1, 0, 0})}) {
    CORBA::Any_var back = codec->decode_value(bytes, CORBA::_tc_ulong);
    CORBA::ULong value = 0;
    ASSERT_TRUE(back.in() >>= value);
    EXPECT_EQ(value, 0x102u);
  }
}

TEST_P(Codecs, structs_strings_and_references_come_back) {
  IOP::TaggedComponent c;
  c.tag = 4711;
  c.component_data = octets({1, 2, 3});
  CORBA::Any any;
  any <<= c;
  for (const bool typed : {true, false}) {
    CORBA::OctetSeq_var bytes = typed ? codec->encode(any) : codec->encode_value(any);
    CORBA::Any_var back = typed ? codec->decode(bytes) : codec->decode_value(bytes, IOP::_tc_TaggedComponent);
    const IOP::TaggedComponent* read = nullptr;
    ASSERT_TRUE(back.in() >>= read);
    EXPECT_EQ(read->tag, 4711u);
    EXPECT_TRUE(same(read->component_data, c.component_data));
  }
  CORBA::Object_var o = core->string_to_object("corbaloc::127.0.0.1:4711/key");
  CORBA::Any reference;
  reference <<= o.in();
  CORBA::OctetSeq_var bytes = codec->encode(reference);
  CORBA::Any_var back = codec->decode(bytes);
  CORBA::Object_var read;
  ASSERT_TRUE(back.in() >>= CORBA::Any::to_object(read.out()));
  EXPECT_TRUE(o->_is_equivalent(read));
}

TEST_P(Codecs, an_empty_any_is_a_value_too) {
  CORBA::Any none;
  CORBA::OctetSeq_var bytes = codec->encode(none);
  CORBA::Any_var back = codec->decode(bytes);
  EXPECT_EQ(CORBA::TypeCode_var(back->type())->kind(), CORBA::tk_null);
  CORBA::OctetSeq_var value = codec->encode_value(none);
  EXPECT_EQ(value->length(), 1u);
  CORBA::Any_var nothing = codec->decode_value(value, CORBA::_tc_null);
  EXPECT_EQ(CORBA::TypeCode_var(nothing->type())->kind(), CORBA::tk_null);
}

TEST_P(Codecs, bytes_that_are_no_value_are_FormatMismatch) {
  EXPECT_THROW(codec->decode(octets({})), IOP::Codec::FormatMismatch);
  EXPECT_THROW(codec->decode(octets({2, 0, 0, 0, 0, 0, 0, 3})), IOP::Codec::FormatMismatch);
  EXPECT_THROW(codec->decode_value(octets({0, 0, 0, 0, 0, 0, 1}), CORBA::_tc_ulong), IOP::Codec::FormatMismatch);
  CORBA::OctetSeq_var whole = codec->encode(any_of(5));
  for (CORBA::ULong n = 0; n < whole->length(); ++n) {
    CORBA::OctetSeq cut(whole.in());
    cut.length(n);
    EXPECT_THROW(codec->decode(cut), IOP::Codec::FormatMismatch) << n;
  }
  EXPECT_THROW(codec->decode_value(octets({0}), CORBA::TypeCode::_nil()), CORBA::BAD_PARAM);
}

TEST_P(Codecs, wide_characters_are_none_of_1_0) {
  CORBA::Any any;
  any <<= CORBA::Any::from_wchar(L'\u00e9');
  if (GetParam() == 0) {
    EXPECT_THROW(codec->encode(any), IOP::Codec::InvalidTypeForEncoding);
    EXPECT_THROW(codec->encode_value(any), IOP::Codec::InvalidTypeForEncoding);
    return;
  }
  CORBA::OctetSeq_var bytes = codec->encode_value(any);
  CORBA::Any_var back = codec->decode_value(bytes, CORBA::_tc_wchar);
  CORBA::WChar c = 0;
  ASSERT_TRUE(back.in() >>= CORBA::Any::to_wchar(c));
  EXPECT_EQ(c, L'\u00e9');
}

TEST_P(Codecs, local_objects_cannot_be_encoded) {
  CORBA::Any any;
  any <<= CORBA::Object_ptr(object.in());
  EXPECT_THROW(codec->encode(any), IOP::Codec::InvalidTypeForEncoding);
}

TEST_P(Codecs, of_other_formats_and_versions_are_UnknownEncoding) {
  EXPECT_THROW(factory->create_codec({1, 1, 2}), IOP::CodecFactory::UnknownEncoding);
  EXPECT_THROW(factory->create_codec({IOP::ENCODING_CDR_ENCAPS, 2, 0}), IOP::CodecFactory::UnknownEncoding);
  EXPECT_THROW(make(3), IOP::CodecFactory::UnknownEncoding);
}

INSTANTIATE_TEST_SUITE_P(Giop, Codecs, ::testing::Values(0, 1, 2),
                         [](const auto& p) { return "1_" + std::to_string(p.param); });

}  // namespace
}  // namespace callis::interceptors
