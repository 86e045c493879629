// SPDX-License-Identifier: Apache-2.0
// What the source of a point-to-multipoint stream says to all members, those that come later, too. A&V Streams 1.0,
// 2.2.7 (MCastConfigIf).
#pragma once
#include <services/streams/properties.h>
#include <mutex>
#include <vector>
#include "AVStreams_skel.h"

namespace callis::streams {

class MCastConfigServant final : public WithProperties<POA_AVStreams::MCastConfigIf> {
 public:
  MCastConfigServant(const Adapter& adapter, AVStreams::StreamCtrl_ptr ctrl)
      : WithProperties(adapter), adapter_(adapter), ctrl_(AVStreams::StreamCtrl::_duplicate(ctrl)) {}

  CORBA::Boolean set_peer(CORBA::Object_ptr peer, AVStreams::streamQoS& qos,
                          const AVStreams::flowSpec& spec) override;
  void configure(const CosPropertyService::Property& message) override;
  void set_initial_configuration(const CosPropertyService::Properties& initial) override;
  void set_format(const char* flow, const char* format) override;
  void set_dev_params(const char* flow, const CosPropertyService::Properties& parameters) override;

 private:
  static constexpr std::size_t kMostPeers = 256, kMostSettings = 256;
  std::vector<AVStreams::VDev_var> peers() const;

  struct Peer {
    AVStreams::VDev_var vdev;
    Held held;
  };
  template<class T>
  struct Setting {
    T value;
    Held held;
  };
  const Adapter& adapter_;
  const AVStreams::StreamCtrl_var ctrl_;
  mutable std::mutex mutex_;
  std::vector<Peer> peers_;
  Setting<CosPropertyService::Properties> initial_;
  std::map<std::string, Setting<std::string>> formats_;
  std::map<std::string, Setting<CosPropertyService::Properties>> parameters_;
};

}  // namespace callis::streams
