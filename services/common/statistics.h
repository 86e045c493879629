// SPDX-License-Identifier: Apache-2.0
// Statistics: the CORBA object with a service's counters, and a client that asks such an object.
#pragma once
#include <services/common/program.h>
#include "CallisService_skel.h"

namespace callis::services {

class StatisticsServant final : public virtual POA_CallisService::Statistics {
 public:
  // All arguments must live until the ORB is destroyed. healthy: called one at a time.
  StatisticsServant(std::string service, const Counters& counters, std::function<bool()> healthy);

  char* service() override;
  CORBA::ULongLong uptime_ms() override;
  CORBA::Boolean healthy() override;
  CallisService::Values* counters() override;

 private:
  const std::string service_;
  const Counters& counters_;
  const std::function<bool()> healthy_;
  const std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
};

// Makes the servant reachable by the key SERVICE.statistics.
void serve_statistics(CORBA::ORB_ptr orb, PortableServer::POA_ptr root, const std::string& service,
                      StatisticsServant& servant);

// Returns the corbaloc URL of the statistics of the service `name` at `of`: HOST[:PORT], a reference, or a file with
// one. Throws ProgramFailed if there is none.
std::string statistics_url(const std::string& of, const std::string& name, std::uint16_t default_port);

}  // namespace callis::services
