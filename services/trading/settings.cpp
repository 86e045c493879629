// SPDX-License-Identifier: Apache-2.0
#include <services/trading/settings.h>

namespace callis::trading {

namespace {

constexpr const char* kKey = "a/settings";

}  // namespace

Settings::Values Settings::defaults() {
  Values out;
  out.def_search_card = 1'000'000;
  out.max_search_card = 10'000'000;
  out.def_match_card = 100'000;
  out.max_match_card = 1'000'000;
  out.def_return_card = 10'000;
  out.max_return_card = 100'000;
  out.max_list = 1'000;
  out.def_hop_count = 5;
  out.max_hop_count = 10;
  out.def_follow_policy = CosTrading::if_no_local;
  out.max_follow_policy = CosTrading::always;
  out.max_link_follow_policy = CosTrading::always;
  out.supports_modifiable_properties = true;
  out.supports_dynamic_properties = true;
  out.supports_proxy_offers = true;
  return out;
}

Settings::Settings(Keeper& keeper, const Values& defaults) : keeper_(keeper), values_(defaults) {
  if (values_.request_id_stem.length() == 0) {
    const std::string& stem = keeper.identity();
    values_.request_id_stem.length(static_cast<CORBA::ULong>(stem.size()));
    for (CORBA::ULong i = 0; i < stem.size(); ++i) values_.request_id_stem[i] = static_cast<CORBA::Octet>(stem[i]);
  }
  keeper_.read(kKey, [&](services::Pair&& p) {
    if (!keeper_.from_bytes(p.value, CallisTrading::_tc_StoredSettings, values_))
      throw services::StoreFailed(services::StoreFailed::Damaged, "the settings in the store cannot be read");
  });
}

Settings::Values Settings::get() const {
  const std::lock_guard lock(mutex_);
  return values_;
}

void Settings::keep(const Values& values) {
  keeper_.keep({{{kKey, keeper_.to_bytes(values)}}, {}});
  const std::lock_guard lock(mutex_);
  values_ = values;
}

}  // namespace callis::trading
