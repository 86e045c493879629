// SPDX-License-Identifier: Apache-2.0
// IOP::Codec and IOP::CodecFactory (CORBA 3.0.3, 13.8): values as encapsulations.
#include <callis/giop/message.h>
#include <callis/interceptors.h>
#include <callis/interceptors/orb_interceptors.h>
#include <callis/interceptors/reference_template.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/core/core.h>
#include <callis/orb/core/initial.h>
#include <callis/typecode/coder.h>
#include <callis/value/wire.h>

namespace callis::interceptors {
namespace {

using orb::Counted;
using orb::Core;

// A codec of one version of GIOP. It is constant; any thread may call.
class CdrCodec final : public IOP::Codec {
 public:
  CdrCodec(Core& core, ior::Version version) : core_(&core), wide_(giop::wide_form(version)) {}

  CORBA::OctetSeq* encode(const CORBA::Any& data) override {
    return encoded([&](cdr::Encoder& e) { typecode::put_any(e, data); });
  }
  CORBA::OctetSeq* encode_value(const CORBA::Any& data) override {
    return encoded([&](cdr::Encoder& e) { typecode::put_any_value(e, data); });
  }
  CORBA::Any* decode(const CORBA::OctetSeq& data) override {
    return decoded(data, [](cdr::Decoder& d, CORBA::Any& any) { typecode::get_any(d, any); });
  }
  CORBA::Any* decode_value(const CORBA::OctetSeq& data, CORBA::TypeCode_ptr type) override {
    if (!type) orb::raise<CORBA::BAD_PARAM>(own(Fault::NullPointer), CORBA::COMPLETED_NO, "no TypeCode");
    return decoded(data, [type](cdr::Decoder& d, CORBA::Any& any) { typecode::get_any_value(d, type, any); });
  }

 private:
  static CORBA::ULong own(Fault f) { return orb::own(f); }

  template <class Put>
  CORBA::OctetSeq* encoded(Put&& put) const {
    Buffer b;
    cdr::Encoder e(b);
    e.set_wide(wide_);
    e.put_octet(static_cast<Byte>(kNativeOrder));
    {
      const value::EncodeScope scope(e);
      put(e);
    }
    e.finish();
    const Fault f = e.fault();
    // This version of GIOP, or every version, cannot encode the value.
    if (f == Fault::WideInGiop10 || f == Fault::LocalObject || f == Fault::Unsupported)
      throw IOP::Codec::InvalidTypeForEncoding();
    if (f != Fault::None) orb::throw_fault(f, "to be encoded", orb::Step::Encode);
    auto bytes = std::make_unique<CORBA::OctetSeq>();
    bytes->length(static_cast<CORBA::ULong>(b.size()));
    std::copy(b.view().begin(), b.view().end(), reinterpret_cast<Byte*>(bytes->get_buffer()));
    return bytes.release();
  }

  template <class Get>
  CORBA::Any* decoded(const CORBA::OctetSeq& data, Get&& get) const {
    const ByteView bytes(reinterpret_cast<const Byte*>(data.get_buffer()), data.length());
    if (bytes.empty() || static_cast<unsigned>(bytes[0]) > 1) throw IOP::Codec::FormatMismatch();
    cdr::Budget budget = cdr::Budget::of(core_->limits(), bytes.size());
    cdr::Decoder d(bytes, static_cast<ByteOrder>(bytes[0]), budget);
    d.set_wide(wide_);
    d.set_context(core_->source(orb::MessageSource::From::Kept));
    (void)d.get_octet();
    auto any = std::make_unique<CORBA::Any>();
    {
      const value::DecodeScope scope(d);
      get(d, *any);
    }
    if (d.fault() == Fault::OutOfMemory) throw std::bad_alloc();
    if (!d.ok()) throw IOP::Codec::FormatMismatch();
    return any.release();
  }

  const Counted<Core> core_;
  const cdr::WideForm wide_;
};

class Codecs final : public IOP::CodecFactory {
 public:
  explicit Codecs(Core& core) : core_(&core) {}
  IOP::Codec_ptr create_codec(const IOP::Encoding& encoding) override {
    if (encoding.format != IOP::ENCODING_CDR_ENCAPS || encoding.major_version != 1 || encoding.minor_version > 2)
      throw IOP::CodecFactory::UnknownEncoding();
    return new CdrCodec(*core_, {1, encoding.minor_version});
  }

 private:
  const Counted<Core> core_;
};

CORBA::Object_ptr make_codecs(Core& core) { return new Codecs(core); }

}  // namespace

bool use() {
  static const bool registered = orb::register_initial_factory("CodecFactory", &make_codecs) && use_current() &&
                                 use_processing_mode() && use_templates();
  return registered;
}

}  // namespace callis::interceptors
