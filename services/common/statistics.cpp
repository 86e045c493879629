// SPDX-License-Identifier: Apache-2.0
// A service's statistics stand at the addresses of its own references, with another key.
#include <callis/ior/ior.h>
#include <callis/ior/tls_component.h>
#include <services/common/statistics.h>
#include <services/programs/reference_text.h>
#include <services/programs/site.h>
#include <chrono>
#include <filesystem>

namespace callis::services {

StatisticsServant::StatisticsServant(std::string service, const Counters& counters, std::function<bool()> healthy)
    : service_(std::move(service)), counters_(counters), healthy_(std::move(healthy)) {}

char* StatisticsServant::service() { return CORBA::string_dup(service_.c_str()); }
CORBA::ULongLong StatisticsServant::uptime_ms() {
  using std::chrono::milliseconds;
  return static_cast<CORBA::ULongLong>(
      std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - since_).count());
}
CORBA::Boolean StatisticsServant::healthy() { return healthy_(); }

CallisService::Values* StatisticsServant::counters() {
  const std::vector<Value> all = counters_.values();
  CallisService::Values_var out = new CallisService::Values;
  out->length(static_cast<CORBA::ULong>(all.size()));
  for (CORBA::ULong i = 0; i < out->length(); ++i) {
    out[i].name = all[i].name.c_str();
    out[i].number = all[i].number;
    out[i].gauge = all[i].gauge;
  }
  return out._retn();
}

void serve_statistics(CORBA::ORB_ptr orb, PortableServer::POA_ptr root, const std::string& service,
                      StatisticsServant& servant) {
  const PortableServer::POAManager_var manager = root->the_POAManager();
  CORBA::PolicyList policies;
  policies.length(2);
  policies[0] = root->create_lifespan_policy(PortableServer::PERSISTENT);
  policies[1] = root->create_id_assignment_policy(PortableServer::USER_ID);
  const PortableServer::POA_var poa = root->create_POA("callis.statistics", manager.in(), policies);
  const std::string key = service + ".statistics";
  const PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId(key.c_str());
  poa->activate_object_with_id(id.in(), &servant);
  const CORBA::Object_var object = poa->id_to_reference(id.in());
  orb->register_initial_reference(key.c_str(), object.in());
}

namespace {

void add_address(std::string& list, const char* protocol, const std::string& host, std::uint16_t port) {
  if (!list.empty()) list += ',';
  const bool v6 = host.find(':') != std::string::npos;
  list += protocol + ("1.2@" + (v6 ? "[" + host + "]" : host)) + ":" + std::to_string(port);
}

std::string addresses_of(const ior::Ior& reference) {
  std::string out;
  for (const ior::TaggedProfile& p : reference.profiles) {
    if (p.tag == ior::kUiopProfile) {
      if (const auto profile = ior::parse_uiop(p.data))
        out += (out.empty() ? "" : ",") + ("uiop:1.2@" + profile.value().address.host);
    } else if (p.tag == ior::kInternetProfile) {
      const auto profile = ior::parse_iiop(p.data);
      if (!profile) continue;
      // A program without a certificate goes to a port without TLS, if there is one.
      if (programs::in_site())
        for (const ior::Address& a : ior::tls_addresses(profile.value())) add_address(out, "ssliop:", a.host, a.port);
      for (const ior::Address& a : ior::addresses(profile.value()))
        if (a.port != 0) add_address(out, "iiop:", a.host, a.port);
    }
  }
  return out;
}

}  // namespace

std::string statistics_url(const std::string& of, const std::string& name, std::uint16_t default_port) {
  std::error_code ignored;
  if (!programs::looks_like_reference(of) && !of.starts_with('@') && of != "-" &&
      !std::filesystem::exists(of, ignored)) {
    // HOST, HOST:PORT, [v6], [v6]:PORT
    const bool has_port =
        of.find(':', of.starts_with('[') ? std::min(of.find(']'), of.size()) : 0) != std::string::npos;
    if (!has_port && default_port == 0) throw ProgramFailed{kWrongUsage, "--stats: which port? HOST:PORT"};
    const std::string protocol = programs::in_site() ? "corbaloc:ssliop:1.2@" : "corbaloc:iiop:1.2@";
    return protocol + of + (has_port ? "" : ":" + std::to_string(default_port)) + "/" + name + ".statistics";
  }
  std::string text, problem;
  if (!programs::read_reference(of, text, problem)) throw ProgramFailed{kCannot, problem};
  const ior::ParsedReference parsed = ior::parse_reference(text);
  if (const auto* error = std::get_if<ior::TextError>(&parsed))
    throw ProgramFailed{kCannot, programs::error_text(text, *error)};
  const auto* reference = std::get_if<ior::Ior>(&parsed);
  const std::string list = reference ? addresses_of(*reference) : std::string();
  if (list.empty()) throw ProgramFailed{kCannot, "the reference carries no address where statistics could be"
                                                    " (ports of TLS need --tls DIR)"};
  const bool uiop = list.find("uiop:") != std::string::npos;
  return "corbaloc:" + list + (uiop ? "|" : "/") + name + ".statistics";
}

}  // namespace callis::services
