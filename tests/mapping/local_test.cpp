// SPDX-License-Identifier: Apache-2.0
// Local interfaces: how programs implement them, and anys of types that hold them.
#include "local/local.h"
#include <callis/corba.h>
#include <callis/interceptors.h>
#include <callis/orb/core/interface_def.h>
#include <callis/portable_server.h>
#include <gtest/gtest.h>

namespace {

// Neither base is virtual, as programs for other ORBs have it.
class Plain : public Local::Alarm, public CORBA::LocalObject {
 public:
  explicit Plain(CORBA::Long level) : level_(level) { ++alive; }
  ~Plain() override { --alive; }
  CORBA::Long level() override { return level_; }
  void ring() override { ++level_; }
  static inline int alive = 0;

 private:
  CORBA::Long level_;
};
class Virtual final : public virtual Local::Gauge, public virtual CORBA::LocalObject {
 public:
  CORBA::Long level() override { return 1; }
};
class Activator final : public PortableServer::AdapterActivator, public CORBA::LocalObject {
 public:
  CORBA::Boolean unknown_adapter(PortableServer::POA_ptr, const char*) override { return false; }
};

TEST(LocalInterfaces, AreImplementedWithVirtualBasesAndWithout) {
  const Local::Alarm_var alarm = new Plain(3);
  const CORBA::Object_var object = CORBA::Object::_duplicate(alarm.in());
  EXPECT_FALSE(object->_non_existent());
  EXPECT_TRUE(object->_is_a("IDL:omg.org/CORBA/LocalObject:1.0"));
  EXPECT_TRUE(object->_is_equivalent(alarm.in()));
  EXPECT_EQ(Local::Gauge_var(Local::Gauge::_narrow(object.in()))->level(), 3);
  const Local::Gauge_var gauge = new Virtual;
  EXPECT_EQ(gauge->level(), 1);
  const PortableServer::AdapterActivator_var activator = new Activator;
  EXPECT_FALSE(activator->unknown_adapter(nullptr, "x"));
}

TEST(LocalInterfaces, GoThroughAnys) {
  {
    CORBA::Any any, copy;
    any <<= Local::Alarm_var(new Plain(5)).in();
    copy = any;
    any <<= CORBA::Long(1);
    Local::Alarm_ptr found = nullptr;
    ASSERT_TRUE(copy >>= found);
    EXPECT_EQ(found->level(), 5);
    Local::Gauge_ptr other = nullptr;
    EXPECT_FALSE(copy >>= other);
    EXPECT_EQ(CORBA::TypeCode_var(copy.type())->kind(), CORBA::tk_local_interface);
  }
  EXPECT_EQ(Plain::alive, 0);
}

TEST(LocalInterfaces, GoThroughAnysInTypesThatHoldThem) {
  {
    Local::Holding holding;
    holding.length(2);
    holding[0].name = "first";
    holding[0].meter = new Plain(7);
    Local::Either either;
    either.bell(Local::Alarm_var(new Plain(8)).in());
    CORBA::Any of_list, of_union, of_exception;
    of_list <<= holding;
    of_union <<= either;
    of_exception <<= Local::Broken(holding[0].meter.in());
    holding.length(0);
    const Local::Holding* list = nullptr;
    ASSERT_TRUE(of_list >>= list);
    EXPECT_EQ((*list)[0].meter->level(), 7);
    EXPECT_TRUE(CORBA::is_nil((*list)[1].meter.in()));
    const Local::Either* found = nullptr;
    ASSERT_TRUE(of_union >>= found);
    EXPECT_EQ(found->bell()->level(), 8);
    const Local::Broken* broken = nullptr;
    ASSERT_TRUE(of_exception >>= broken);
    EXPECT_EQ(broken->which->level(), 7);
  }
  EXPECT_EQ(Plain::alive, 0);
}

TEST(LocalInterfaces, DoNotLeaveTheProcess) {
  int argc = 0;
  const CORBA::ORB_var orb = CORBA::ORB_init(argc, nullptr, "local_test");
  const CORBA::Object_var factory = orb->resolve_initial_references("CodecFactory");
  const IOP::CodecFactory_var codecs = IOP::CodecFactory::_narrow(factory.in());
  const IOP::Codec_var codec = codecs->create_codec({IOP::ENCODING_CDR_ENCAPS, 1, 2});
  Local::Held held;
  CORBA::Any any;
  any <<= held;
  const CORBA::OctetSeq_var of_nil = codec->encode_value(any);
  EXPECT_NO_THROW(CORBA::Any_var(codec->decode_value(of_nil.in(), Local::_tc_Held)));
  held.meter = new Plain(1);
  any <<= held;
  EXPECT_ANY_THROW(CORBA::OctetSeq_var(codec->encode_value(any)));
  // Nor does one come from outside: the reference of another object in its place.
  const CORBA::Object_var remote = orb->string_to_object("corbaloc::192.0.2.1:1/x");
  CORBA::Any of_remote;
  of_remote <<= remote.in();
  const CORBA::OctetSeq_var bytes = codec->encode_value(of_remote);
  CORBA::Any_var decoded;
  Local::Gauge_ptr gauge = nullptr;
  EXPECT_TRUE([&] {
    try {
      decoded = codec->decode_value(bytes.in(), Local::_tc_Gauge);
      return !(decoded.in() >>= gauge);
    } catch (const CORBA::Exception&) {
      return true;
    }
  }());
  EXPECT_TRUE(CORBA::is_nil(gauge));
  orb->destroy();
}

TEST(LocalInterfaces, NativesHaveNoValuesInAnys) {
  CORBA::Any any;
  EXPECT_THROW(any <<= Local::Opaque(), CORBA::BAD_TYPECODE);
}

// What members of TypeCodes are set to.
TEST(IdlTypes, AreNilWithoutAnInterfaceRepository) {
  CORBA::StructMember member;
  member.type_def = CORBA::IDLType::_nil();
  const CORBA::IDLType_var none = CORBA::IDLType::_duplicate(member.type_def.in());
  EXPECT_TRUE(CORBA::is_nil(none.in()));
  EXPECT_STREQ(CORBA::IDLType::_repository_id(), "IDL:omg.org/CORBA/IDLType:1.0");
}

}  // namespace
