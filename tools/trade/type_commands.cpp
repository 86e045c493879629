// SPDX-License-Identifier: Apache-2.0
// callis trade types, settings.
#include <callis/base/text.h>
#include <services/trading/names.h>
#include <tools/trade/commands.h>
#include <tools/trade/values.h>
#include <cstdio>

namespace callis::trade {

namespace {

constexpr std::pair<const char*, Repository::PropertyMode> kModes[] = {
    {"normal", Repository::PROP_NORMAL},
    {"readonly", Repository::PROP_READONLY},
    {"mandatory", Repository::PROP_MANDATORY},
    {"mandatory-readonly", Repository::PROP_MANDATORY_READONLY}};

std::string name_of(Repository::PropertyMode mode) {
  for (const auto& [name, m] : kModes) {
    if (m == mode) return name;
  }
  return "?";
}

// "Cost:long:mandatory".
Repository::PropStruct property_of(const std::string& word) {
  const std::size_t first = word.find(':'), second = first == std::string::npos ? first : word.find(':', first + 1);
  if (first == std::string::npos)
    throw Failure{kWrongUsage, "'" + shown(word) + "' is no property: NAME:TYPE or NAME:TYPE:MODE"};
  Repository::PropStruct out;
  out.name = word.substr(0, first).c_str();
  const std::string type = word.substr(first + 1, second == std::string::npos ? second : second - first - 1);
  out.value_type = type_of(type);
  if (CORBA::is_nil(out.value_type.in()))
    throw Failure{kWrongUsage, "'" + shown(type) +
                                   "' is no type of a property here: short, unsigned long, double, "
                                   "boolean, string, sequence<long> ..."};
  out.mode = Repository::PROP_NORMAL;
  if (second == std::string::npos) return out;
  const std::string mode = word.substr(second + 1);
  for (const auto& [name, m] : kModes) {
    if (mode != name) continue;
    out.mode = m;
    return out;
  }
  throw Failure{kWrongUsage, "'" + shown(mode) + "' is no mode: normal, readonly, mandatory, mandatory-readonly"};
}

void describe(const Session& session, const std::string& name) {
  Repository::TypeStruct_var type;
  explained("types " + name, [&] { type = session.types()->fully_describe_type(name.c_str()); });
  std::printf("%s%s\n", shown(name).c_str(), type->masked ? "  masked" : "");
  if (*type->if_name.in()) std::printf("  interface %s\n", shown(type->if_name.in()).c_str());
  for (CORBA::ULong i = 0; i < type->super_types.length(); ++i)
    std::printf("  is a %s\n", shown(type->super_types[i].in()).c_str());
  for (CORBA::ULong i = 0; i < type->props.length(); ++i) {
    const Repository::PropStruct& p = type->props[i];
    std::printf("  %s:%s%s\n", shown(p.name.in()).c_str(), to_text(p.value_type.in()).c_str(),
                p.mode == Repository::PROP_NORMAL ? "" : (":" + name_of(p.mode)).c_str());
  }
}

void add(const Session& session, const Arguments& a) {
  if (a.words.size() < 2) throw Failure{kWrongUsage, "types add needs a name"};
  Repository::PropStructSeq props;
  props.length(static_cast<CORBA::ULong>(a.words.size() - 2));
  for (CORBA::ULong i = 0; i < props.length(); ++i) props[i] = property_of(a.words[i + 2]);
  const auto supers = a.values("--super");
  Repository::ServiceTypeNameSeq names;
  names.length(static_cast<CORBA::ULong>(supers.size()));
  for (CORBA::ULong i = 0; i < names.length(); ++i) names[i] = supers[i].c_str();
  explained("types add " + a.words[1],
            [&] { session.types()->add_type(a.words[1].c_str(), a.value("--interface").c_str(), props, names); });
}

}  // namespace

void types(const Session& session, const Arguments& a) {
  if (a.words.empty()) {
    Repository::SpecifiedServiceTypes all;
    all._d(Repository::all);
    const Repository::ServiceTypeNameSeq_var names = session.types()->list_types(all);
    for (CORBA::ULong i = 0; i < names->length(); ++i) {
      if (a.has("--all")) {
        describe(session, names[i]);
      } else {
        std::printf("%s\n", shown(names[i]).c_str());
      }
    }
    return;
  }
  const std::string& what = a.words[0];
  if (what == "add") return add(session, a);
  if (what != "rm" && what != "mask" && what != "unmask") {
    for (const std::string& name : a.words) describe(session, name);
    return;
  }
  if (a.words.size() < 2) throw Failure{kWrongUsage, "types " + what + " needs a name"};
  for (std::size_t i = 1; i < a.words.size(); ++i) {
    const char* const name = a.words[i].c_str();
    explained("types " + what + " " + a.words[i], [&] {
      if (what == "rm") {
        session.types()->remove_type(name);
      } else if (what == "mask") {
        session.types()->mask_type(name);
      } else {
        session.types()->unmask_type(name);
      }
    });
  }
}

namespace {

using CosTrading::Admin;

struct Number {
  const char* name;
  CORBA::ULong (CosTrading::ImportAttributes::*get)();
  CORBA::ULong (Admin::*set)(CORBA::ULong);
};
using Import = CosTrading::ImportAttributes;
constexpr Number kNumbers[] = {{"def_search_card", &Import::def_search_card, &Admin::set_def_search_card},
                               {"max_search_card", &Import::max_search_card, &Admin::set_max_search_card},
                               {"def_match_card", &Import::def_match_card, &Admin::set_def_match_card},
                               {"max_match_card", &Import::max_match_card, &Admin::set_max_match_card},
                               {"def_return_card", &Import::def_return_card, &Admin::set_def_return_card},
                               {"max_return_card", &Import::max_return_card, &Admin::set_max_return_card},
                               {"max_list", &Import::max_list, &Admin::set_max_list},
                               {"def_hop_count", &Import::def_hop_count, &Admin::set_def_hop_count},
                               {"max_hop_count", &Import::max_hop_count, &Admin::set_max_hop_count}};

bool boolean_of(const std::string& of, const std::string& text) {
  if (text == "TRUE" || text == "true") return true;
  if (text != "FALSE" && text != "false") throw Failure{kWrongUsage, of + " is TRUE or FALSE"};
  return false;
}

void set(CosTrading::Admin_ptr admin, const std::string& name, const std::string& value) {
  for (const Number& n : kNumbers) {
    if (name == n.name) return static_cast<void>((admin->*n.set)(number_of(name, value)));
  }
  if (name == "def_follow_policy") {
    admin->set_def_follow_policy(rule_of(value));
  } else if (name == "max_follow_policy") {
    admin->set_max_follow_policy(rule_of(value));
  } else if (name == "max_link_follow_policy") {
    admin->set_max_link_follow_policy(rule_of(value));
  } else if (name == "supports_modifiable_properties") {
    admin->set_supports_modifiable_properties(boolean_of(name, value));
  } else if (name == "supports_dynamic_properties") {
    admin->set_supports_dynamic_properties(boolean_of(name, value));
  } else if (name == "supports_proxy_offers") {
    admin->set_supports_proxy_offers(boolean_of(name, value));
  } else {
    throw Failure{kWrongUsage, "there is no setting '" + shown(name) + "': callis trade settings lists them"};
  }
}

}  // namespace

void settings(const Session& session, const Arguments& a) {
  const CosTrading::Admin_var admin = session.admin();
  for (const std::string& word : a.words) {
    const auto [name, value] = pair_of(word);
    set(admin.in(), name, value);
  }
  if (!a.words.empty()) return;
  for (const Number& n : kNumbers) std::printf("%s=%u\n", n.name, (admin.in()->*n.get)());
  std::printf("def_follow_policy=%s\nmax_follow_policy=%s\nmax_link_follow_policy=%s\n",
              to_text(admin->def_follow_policy()), to_text(admin->max_follow_policy()),
              to_text(admin->max_link_follow_policy()));
  const auto word = [](bool b) { return b ? "TRUE" : "FALSE"; };
  std::printf("supports_modifiable_properties=%s\nsupports_dynamic_properties=%s\nsupports_proxy_offers=%s\n",
              word(admin->supports_modifiable_properties()), word(admin->supports_dynamic_properties()),
              word(admin->supports_proxy_offers()));
}

}  // namespace callis::trade
