// SPDX-License-Identifier: Apache-2.0
// Multimedia devices: factories of end points and virtual devices. A&V Streams 1.0, 2.2.1 (MMDevice).
#pragma once
#include <services/streams/party.h>
#include <services/streams/properties.h>
#include <set>
#include "AVStreams_skel.h"

namespace callis::streams {

class Streams;

// The parties that a device has made. Outlived by none of them: they have it.
class PartyList final {
 public:
  explicit PartyList(std::size_t most) : most_(most) {}
  // False: there are as many as may be.
  bool add(std::shared_ptr<Party> party);
  void remove(Party& party);
  std::vector<std::shared_ptr<Party>> all() const;

 private:
  const std::size_t most_;
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<Party>> all_;
};

class MMDeviceServant final : public WithProperties<POA_AVStreams::MMDevice> {
 public:
  MMDeviceServant(Streams& streams, const Adapter& adapter, std::shared_ptr<const DeviceOffer> offer);
  // All its streams end.
  void end();
  std::size_t streams() const { return parties_->all().size(); }

  AVStreams::StreamEndPoint_A_ptr create_A(AVStreams::StreamCtrl_ptr ctrl, AVStreams::VDev_out vdev,
                                           AVStreams::streamQoS& qos, CORBA::Boolean_out met, char*& named_vdev,
                                           const AVStreams::flowSpec& spec) override;
  AVStreams::StreamEndPoint_B_ptr create_B(AVStreams::StreamCtrl_ptr ctrl, AVStreams::VDev_out vdev,
                                           AVStreams::streamQoS& qos, CORBA::Boolean_out met, char*& named_vdev,
                                           const AVStreams::flowSpec& spec) override;
  AVStreams::StreamCtrl_ptr bind(AVStreams::MMDevice_ptr peer, AVStreams::streamQoS& qos, CORBA::Boolean_out met,
                                 const AVStreams::flowSpec& spec) override;
  AVStreams::StreamCtrl_ptr bind_mcast(AVStreams::MMDevice_ptr first, AVStreams::streamQoS& qos,
                                       CORBA::Boolean_out met, const AVStreams::flowSpec& spec) override;
  void destroy(AVStreams::StreamEndPoint_ptr end_point, const char* vdev_name) override;
  char* add_fdev(CORBA::Object_ptr fdev) override;
  CORBA::Object_ptr get_fdev(const char* flow) override;
  void remove_fdev(const char* flow) override;

 private:
  std::shared_ptr<Party> create(bool a, AVStreams::StreamCtrl_ptr ctrl, AVStreams::VDev_out vdev,
                                AVStreams::streamQoS& qos, CORBA::Boolean_out met, char*& named_vdev,
                                const AVStreams::flowSpec& spec);
  void need_full_profile() const;

  Streams& streams_;
  const Adapter& adapter_;
  const std::shared_ptr<const DeviceOffer> offer_;
  const std::shared_ptr<PartyList> parties_;
  std::mutex fdevs_mutex_;
  struct FDev {
    CORBA::Object_var object;
    Held held;
  };
  std::map<std::string, FDev> fdevs_;
  std::vector<Active> own_fdevs_;
};

}  // namespace callis::streams
