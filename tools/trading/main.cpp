// SPDX-License-Identifier: Apache-2.0
// callis trading: a trader.
#include <services/common/program.h>
#include <services/trading/service.h>
#include <memory>

namespace {

using namespace callis;
using services::Frame;
using services::Options;

class Running final : public services::RunningService {
 public:
  Running(Frame& frame, const trading::ServiceOptions& options)
      : service_(frame.orb, frame.root_poa, *frame.store, frame.counters, options) {}

  CORBA::Object_ptr reference() override { return service_.parts().lookup.in(); }
  bool healthy() override { return service_.healthy(); }
  void stop() override { service_.stop(); }

 private:
  trading::Service service_;
};

trading::ServiceOptions options_of(const Options& given) {
  trading::ServiceOptions out;
  const auto ms = [&](const char* name, std::chrono::milliseconds& to) {
    to = std::chrono::milliseconds(given.number(name, static_cast<std::uint64_t>(to.count()), 1, 600'000));
  };
  const auto threads = [&](const char* name, std::size_t& to) { to = given.number(name, to, 1, 1'024); };
  out.market.offers = given.number("--max-offers", out.market.offers, 1, 100'000'000);
  ms("--dynamic-timeout", out.dynamic.deadline);
  ms("--dynamic-query-timeout", out.dynamic.query_deadline);
  threads("--dynamic-threads", out.dynamic.threads);
  ms("--link-timeout", out.federation.deadline);
  threads("--link-threads", out.federation.threads);
  ms("--operation-timeout", out.market.operation);
  out.market.answers = given.number("--max-answers", out.market.answers >> 20, 1, 4'096) << 20;
  out.admin = !given.has("--no-admin");
  return out;
}

services::ServiceDescription describe() {
  services::ServiceDescription out;
  out.name = "trading";
  out.says =
      "A trader (OMG Trading Object Service 1.0): servers export offers with properties, clients find them by\n"
      "constraints. Clients reach it as corbaloc::HOST:2810/TradingService; callis trade is one.";
  out.options = {
      {"--max-offers", "NUMBER", "more are refused: IMP_LIMIT; 10000000"},
      {"--dynamic-timeout", "MILLISECONDS", "how long it waits for the value of one dynamic property; 1000"},
      {"--dynamic-query-timeout", "MILLISECONDS", "the same for all those that a query needs at once; 3000"},
      {"--dynamic-threads", "NUMBER", "that ask for them; 16"},
      {"--link-timeout", "MILLISECONDS", "how long a query waits for other traders; 5000"},
      {"--link-threads", "NUMBER", "that ask them; 32"},
      {"--operation-timeout", "MILLISECONDS", "how long one operation may work and wait in all; 10000"},
      {"--max-answers", "MIB", "of other traders' answers and dynamic properties that one query keeps; 8"},
      {"--no-admin", "", "links and settings do not change: NO_PERMISSION"},
  };
  out.store_kind = trading::store_kind();
  out.port = 2810;
  out.guarded = {
      {services::Group::Write, "IDL:omg.org/CosTrading/Register:1.0",
       {"export", "withdraw", "modify"}},
      {services::Group::Admin, "IDL:omg.org/CosTrading/Register:1.0",
       {"withdraw_using_constraint"}},
      {services::Group::Write, "IDL:omg.org/CosTrading/Proxy:1.0",
       {"export_proxy", "withdraw_proxy"}},
      {services::Group::Admin, "IDL:omg.org/CosTrading/Link:1.0",
       {"add_link", "remove_link", "modify_link"}},
      {services::Group::Admin, "IDL:omg.org/CosTrading/Admin:1.0",
       {"set_def_search_card", "set_max_search_card", "set_def_match_card", "set_max_match_card",
        "set_def_return_card", "set_max_return_card", "set_max_list", "set_supports_modifiable_properties",
        "set_supports_dynamic_properties", "set_supports_proxy_offers", "set_def_hop_count",
        "set_max_hop_count", "set_def_follow_policy", "set_max_follow_policy", "set_max_link_follow_policy",
        "set_type_repos", "set_request_id_stem", "list_offers", "list_proxies"}},
      {services::Group::Write, "IDL:omg.org/CosTradingRepos/ServiceTypeRepository:1.0",
       {"add_type"}},
      {services::Group::Admin, "IDL:omg.org/CosTradingRepos/ServiceTypeRepository:1.0",
       {"remove_type", "mask_type", "unmask_type"}},
  };
  out.start = [](Frame& frame) -> std::unique_ptr<services::RunningService> {
    trading::ServiceOptions options = options_of(frame.options);
    options.market.memory = &frame.memory;
    return std::make_unique<Running>(frame, options);
  };
  return out;
}

}  // namespace

int main(int argc, char** argv) { return services::run_service(argc, argv, describe()); }
