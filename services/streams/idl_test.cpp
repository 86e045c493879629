// SPDX-License-Identifier: Apache-2.0
// What goes over the wire of module AVStreams: repository ids, members and their order. A/V Streams 1.0, 2.2 and 2.3.
#include <callis/corba.h>
#include <gtest/gtest.h>
#include <string>
#include "AVStreams.h"

namespace callis::streams {
namespace {

// "name(member member)", of a struct, an enum or an exception.
std::string form_of(CORBA::TypeCode_ptr type) {
  std::string out = CORBA::String_var(CORBA::string_dup(type->name())).in();
  out += "(";
  for (CORBA::ULong i = 0; i < type->member_count(); ++i) out += (i ? " " : "") + std::string(type->member_name(i));
  return out + ")";
}

TEST(AvStreamsIdl, interfaces_have_the_ids_of_the_specification) {
  const auto id = [](const std::string& name) { return "IDL:omg.org/AVStreams/" + name + ":1.0"; };
  EXPECT_EQ(AVStreams::Basic_StreamCtrl::_repository_id(), id("Basic_StreamCtrl"));
  EXPECT_EQ(AVStreams::StreamCtrl::_repository_id(), id("StreamCtrl"));
  EXPECT_EQ(AVStreams::Negotiator::_repository_id(), id("Negotiator"));
  EXPECT_EQ(AVStreams::MCastConfigIf::_repository_id(), id("MCastConfigIf"));
  EXPECT_EQ(AVStreams::StreamEndPoint::_repository_id(), id("StreamEndPoint"));
  EXPECT_EQ(AVStreams::StreamEndPoint_A::_repository_id(), id("StreamEndPoint_A"));
  EXPECT_EQ(AVStreams::StreamEndPoint_B::_repository_id(), id("StreamEndPoint_B"));
  EXPECT_EQ(AVStreams::VDev::_repository_id(), id("VDev"));
  EXPECT_EQ(AVStreams::MMDevice::_repository_id(), id("MMDevice"));
  EXPECT_EQ(AVStreams::FlowConnection::_repository_id(), id("FlowConnection"));
  EXPECT_EQ(AVStreams::FlowEndPoint::_repository_id(), id("FlowEndPoint"));
  EXPECT_EQ(AVStreams::FlowProducer::_repository_id(), id("FlowProducer"));
  EXPECT_EQ(AVStreams::FlowConsumer::_repository_id(), id("FlowConsumer"));
  EXPECT_EQ(AVStreams::FDev::_repository_id(), id("FDev"));
  EXPECT_EQ(AVStreams::MediaControl::_repository_id(), id("MediaControl"));
  EXPECT_STREQ(AVStreams::streamOpFailed("")._rep_id(), id("streamOpFailed").c_str());
  EXPECT_STREQ(AVStreams::MediaControl::PostionKeyNotSupported()._rep_id(),
               id("MediaControl/PostionKeyNotSupported").c_str());
}

TEST(AvStreamsIdl, values_have_the_members_of_the_specification_in_its_order) {
  EXPECT_EQ(form_of(AVStreams::_tc_QoS), "QoS(QoSType QoSParams)");
  EXPECT_EQ(form_of(AVStreams::_tc_SFPStatus),
            "SFPStatus(isFormatted isSpecialFormat seqNums timestamps sourceIndicators)");
  EXPECT_EQ(form_of(AVStreams::_tc_flowStatus), "flowStatus(flowName directionality status theFormat theQoS)");
  EXPECT_EQ(form_of(AVStreams::_tc_Position), "Position(origin key value)");
  EXPECT_EQ(form_of(AVStreams::_tc_flowState), "flowState(stopped started dead)");
  EXPECT_EQ(form_of(AVStreams::_tc_dirType), "dirType(dir_in dir_out)");
  EXPECT_EQ(form_of(AVStreams::_tc_PositionOrigin),
            "PositionOrigin(AbsolutePosition RelativePosition ModuloPosition)");
  EXPECT_EQ(form_of(AVStreams::_tc_PositionKey), "PositionKey(ByteCount SampleCount MediaTime)");
  EXPECT_EQ(form_of(AVStreams::_tc_FPError), "FPError(flow_name)");
  EXPECT_EQ(form_of(AVStreams::_tc_QoSRequestFailed), "QoSRequestFailed(reason)");
  EXPECT_EQ(form_of(AVStreams::_tc_InvalidPosition), "InvalidPosition(key)");
}

}  // namespace
}  // namespace callis::streams
