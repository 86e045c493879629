// SPDX-License-Identifier: Apache-2.0
// omniORB's functions for ZIOP, the compression of messages, and the policies of ZIOP 1.0. callis compresses nothing:
// ZIOP is optional on the wire, and a peer compresses only what the other side has offered to read. So programs work
// with each other and with omniORB's, by messages of full size. The log says it once, when the first policy is made.
#pragma once
#include <callis/base/log.h>
#include <callis/interceptors.h>
#include <callis/orb/base/policy_management.h>
#include <callis/poa/servant/local_interface.h>

#include <omniORB4/CORBA.h>

namespace Compression::inline callis_compat {

using CompressorId = CORBA::UShort;
using CompressionLevel = CORBA::UShort;
using CompressionRatio = CORBA::Float;
inline constexpr CompressorId COMPRESSORID_NONE = 0, COMPRESSORID_GZIP = 1, COMPRESSORID_PKZIP = 2,
                              COMPRESSORID_BZIP2 = 3, COMPRESSORID_ZLIB = 4, COMPRESSORID_LZMA = 5,
                              COMPRESSORID_LZO = 6, COMPRESSORID_RZIP = 7, COMPRESSORID_7X = 8,
                              COMPRESSORID_XAR = 9;

struct CompressorIdLevel {
  CompressorId compressor_id;
  CompressionLevel compression_level;
};
class CompressorIdLevelList : public callis::classic::Sequence<CompressorIdLevel> {
 public:
  using SequenceOf::SequenceOf;
};
using CompressorIdLevelList_var = callis::classic::SequenceVar<CompressorIdLevelList>;

}  // namespace Compression::inline callis_compat

namespace ZIOP::inline callis_compat {

inline constexpr CORBA::PolicyType COMPRESSION_ENABLING_POLICY_ID = 64, COMPRESSOR_ID_LEVEL_LIST_POLICY_ID = 65,
                                   COMPRESSION_LOW_VALUE_POLICY_ID = 66, COMPRESSION_MIN_RATIO_POLICY_ID = 67;

// The local interfaces of the policies. They never change, so any thread may use them.
#define CALLIS_ZIOP_POLICY(X, TYPE, Value, attribute)                              \
  class X final : public virtual CORBA::Policy, public virtual CORBA::LocalObject { \
   public:                                                                         \
    CALLIS_LOCAL_INTERFACE(X)                                                      \
    explicit X(const Value& value) : value_(value) {}                              \
    CORBA::PolicyType policy_type() override { return TYPE; }                      \
    CORBA::Policy_ptr copy() override { return new X(value_); }                    \
    void destroy() override {}                                                     \
    const Value& attribute() const { return value_; }                              \
                                                                                   \
   private:                                                                        \
    const Value value_;                                                            \
  };                                                                               \
  using X##_ptr = X*;                                                              \
  using X##_var = callis::classic::ReferenceVar<X>;
CALLIS_ZIOP_POLICY(CompressionEnablingPolicy, COMPRESSION_ENABLING_POLICY_ID, CORBA::Boolean, compression_enabled)
CALLIS_ZIOP_POLICY(CompressionIdLevelListPolicy, COMPRESSOR_ID_LEVEL_LIST_POLICY_ID,
                   Compression::CompressorIdLevelList, compressor_ids)
CALLIS_ZIOP_POLICY(CompressionLowValuePolicy, COMPRESSION_LOW_VALUE_POLICY_ID, CORBA::ULong, low_value)
CALLIS_ZIOP_POLICY(CompressionMinRatioPolicy, COMPRESSION_MIN_RATIO_POLICY_ID, Compression::CompressionRatio, ratio)
#undef CALLIS_ZIOP_POLICY

}  // namespace ZIOP::inline callis_compat

namespace callis::compat {

inline void tell_of_compression() {
  static const bool told = [] {
    log(LogLevel::Warning, "ZIOP: policies of compression are taken, and messages are sent uncompressed");
    return true;
  }();
  (void)told;
}

template <class Policy, class Value>
Policy* make_ziop_policy(const Value& value) {
  tell_of_compression();
  return new Policy(value);
}
// ORB::create_policy() makes the policies, too, but for the list of compressors, which has no TypeCode here. An
// adapter takes the policies because they have a factory.
class ZiopPolicies final : public virtual PortableInterceptor::PolicyFactory, public virtual CORBA::LocalObject {
 public:
  CORBA::Policy_ptr create_policy(CORBA::PolicyType type, const CORBA::Any& any) override {
    if (type == ZIOP::COMPRESSION_ENABLING_POLICY_ID) {
      CORBA::Boolean enabled = false;
      if (!(any >>= CORBA::Any::to_boolean(enabled))) throw CORBA::PolicyError(CORBA::BAD_POLICY_TYPE);
      return make_ziop_policy<ZIOP::CompressionEnablingPolicy>(enabled);
    }
    if (type == ZIOP::COMPRESSION_LOW_VALUE_POLICY_ID) {
      CORBA::ULong low = 0;
      if (!(any >>= low)) throw CORBA::PolicyError(CORBA::BAD_POLICY_TYPE);
      return make_ziop_policy<ZIOP::CompressionLowValuePolicy>(low);
    }
    if (type == ZIOP::COMPRESSION_MIN_RATIO_POLICY_ID) {
      CORBA::Float ratio = 0;
      if (!(any >>= ratio)) throw CORBA::PolicyError(CORBA::BAD_POLICY_TYPE);
      return make_ziop_policy<ZIOP::CompressionMinRatioPolicy>(ratio);
    }
    throw CORBA::PolicyError(CORBA::UNSUPPORTED_POLICY_VALUE);
  }
};

class ZiopInOrbs final : public virtual PortableInterceptor::ORBInitializer, public virtual CORBA::LocalObject {
 public:
  void pre_init(PortableInterceptor::ORBInitInfo_ptr info) override {
    const PortableInterceptor::PolicyFactory_var factory = new ZiopPolicies;
    for (CORBA::PolicyType type = ZIOP::COMPRESSION_ENABLING_POLICY_ID;
         type <= ZIOP::COMPRESSION_MIN_RATIO_POLICY_ID; ++type)
      info->register_policy_factory(type, factory.in());
  }
  void post_init(PortableInterceptor::ORBInitInfo_ptr) override {}
};

// Lets ORBs know the policies; done by including this file.
inline bool use_ziop() {
  static const bool used_before = [] {
    const PortableInterceptor::ORBInitializer_var initializer = new ZiopInOrbs;
    PortableInterceptor::register_orb_initializer(initializer.in());
    return true;
  }();
  return used_before;
}
[[maybe_unused]] static const bool ziop_used = use_ziop();

}  // namespace callis::compat

namespace omniZIOP::inline callis_compat {

// The caller owns the policies.
inline ZIOP::CompressionEnablingPolicy_ptr create_compression_enabling_policy(CORBA::Boolean enabled) {
  return callis::compat::make_ziop_policy<ZIOP::CompressionEnablingPolicy>(enabled);
}
inline ZIOP::CompressionIdLevelListPolicy_ptr create_compression_id_level_list_policy(
    const Compression::CompressorIdLevelList& compressors) {
  return callis::compat::make_ziop_policy<ZIOP::CompressionIdLevelListPolicy>(compressors);
}
inline ZIOP::CompressionLowValuePolicy_ptr create_compression_low_value_policy(CORBA::ULong low_value) {
  return callis::compat::make_ziop_policy<ZIOP::CompressionLowValuePolicy>(low_value);
}
inline ZIOP::CompressionMinRatioPolicy_ptr create_compression_min_ratio_policy(Compression::CompressionRatio ratio) {
  return callis::compat::make_ziop_policy<ZIOP::CompressionMinRatioPolicy>(ratio);
}

// Changes nothing.
inline void setGlobalPolicies(const CORBA::PolicyList&) { callis::compat::tell_of_compression(); }
// Returns the same object; the caller owns the count.
inline CORBA::Object_ptr setServerPolicies(CORBA::Object_ptr object, const CORBA::PolicyList&) {
  callis::compat::tell_of_compression();
  return CORBA::Object::_duplicate(object);
}

}  // namespace omniZIOP::inline callis_compat
