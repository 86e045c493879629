// SPDX-License-Identifier: Apache-2.0
// callis trade link.
#include <tools/trade/commands.h>
#include <cstdio>

namespace callis::trade {

namespace {

constexpr const char* kRules[] = {"local_only", "if_no_local", "always"};

void print(const Session& session, CosTrading::Link_ptr link, const std::string& name) {
  CosTrading::Link::LinkInfo_var info;
  explained("link " + name, [&] { info = link->describe_link(name.c_str()); });
  std::printf("%s  --pass-on %s --limit %s\n  %s\n", shown(name).c_str(), to_text(info->def_pass_on_follow_rule),
              to_text(info->limiting_follow_rule), session.text_of(info->target.in()).c_str());
}

}  // namespace

CosTrading::FollowOption rule_of(const std::string& text) {
  for (unsigned i = 0; i < 3; ++i) {
    if (text == kRules[i]) return static_cast<CosTrading::FollowOption>(i);
  }
  throw Failure{kWrongUsage, "'" + shown(text) + "' is no rule: local_only, if_no_local, always"};
}

const char* to_text(CosTrading::FollowOption rule) { return rule <= CosTrading::always ? kRules[rule] : "?"; }

void link(const Session& session, const Arguments& a) {
  const CosTrading::Link_var link = session.link();
  if (a.words.empty()) {
    const CosTrading::LinkNameSeq_var names = link->list_links();
    for (CORBA::ULong i = 0; i < names->length(); ++i) print(session, link.in(), names[i]);
    return;
  }
  const std::string& what = a.words[0];
  const auto limit = rule_of(a.value("--limit", "always"));
  const auto pass_on = rule_of(a.value("--pass-on", kRules[std::min(limit, CosTrading::if_no_local)]));
  if (what == "add" && a.words.size() == 3) {
    const CORBA::Object_var object = session.object(a.words[2]);
    const CosTrading::Lookup_var target = CosTrading::Lookup::_unchecked_narrow(object.in());
    explained("link add " + a.words[1], [&] { link->add_link(a.words[1].c_str(), target.in(), pass_on, limit); });
  } else if (what == "rm" && a.words.size() == 2) {
    explained("link rm " + a.words[1], [&] { link->remove_link(a.words[1].c_str()); });
  } else if (what == "set" && a.words.size() == 2) {
    explained("link set " + a.words[1], [&] { link->modify_link(a.words[1].c_str(), pass_on, limit); });
  } else if (what == "add" || what == "rm" || what == "set") {
    throw Failure{kWrongUsage, "link add takes a name and a reference, link rm and link set a name"};
  } else {
    for (const std::string& name : a.words) print(session, link.in(), name);
  }
}

}  // namespace callis::trade
