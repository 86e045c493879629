// SPDX-License-Identifier: Apache-2.0
// ConfiguredTransport: TCP, Unix-domain sockets or memory, whose connections get the properties of a
// ClientProtocolPolicy (RT-CORBA 1.2, 2.12). An endpoint with this transport opens such connections; nobody else
// knows of it. It is constant; any thread may call.
#pragma once
#include <callis/orb/options/transport.h>
#include <callis/rt/priorities/network_mappings.h>
#include <callis/rt/protocols/protocol_terms.h>

namespace callis::rt {

class ConfiguredTransport final : public orb::Transport {
 public:
  // of: the transport that opens the connections; lives as long as the process.
  ConfiguredTransport(const orb::Transport& of, const ProtocolTerms& terms, std::optional<CodePoint> code_point)
      : of_(of), terms_(terms), code_point_(code_point) {}

  bool is(const orb::Transport& of, const ProtocolTerms& terms, std::optional<CodePoint> code_point) const {
    return &of_ == &of && terms_ == terms && code_point_ == code_point;
  }

  std::string text(const orb::EndpointAddress& a) const override { return of_.text(a); }
  bool has_hosts() const override { return of_.has_hosts(); }
  transport::Reach reach(const orb::EndpointAddress& a) const override { return of_.reach(a); }
  bool is_inside() const override { return of_.is_inside(); }
  // TransportFailed when the system refuses a property; the text says which.
  Result<std::unique_ptr<transport::Stream>> connect(const orb::EndpointAddress& to,
                                                     Deadline deadline) const override;

 private:
  const orb::Transport& of_;
  const ProtocolTerms terms_;
  const std::optional<CodePoint> code_point_;
};

}  // namespace callis::rt
