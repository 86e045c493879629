// SPDX-License-Identifier: Apache-2.0
// callis trade offer, modify, show, ls, query, withdraw.
#include <callis/base/json_text.h>
#include <callis/base/text.h>
#include <services/constraints/preference.h>
#include <tools/trade/commands.h>
#include <tools/trade/values.h>
#include <cstdio>

namespace callis::trade {

namespace {

constexpr CORBA::ULong kStep = 500;

// The declared types of a service type's properties, for values that are written as text.
class Declared {
 public:
  Declared(const Session& session, const std::string& type, const std::string& what) {
    explained(what, [&] { type_ = session.types()->fully_describe_type(type.c_str()); });
  }
  CORBA::Any value(const std::string& name, const std::string& text) const {
    for (CORBA::ULong i = 0; i < type_->props.length(); ++i) {
      if (name == type_->props[i].name.in()) return value_of(type_->props[i].value_type.in(), text);
    }
    return value_of(CORBA::TypeCode::_nil(), text);
  }
  CosTrading::PropertySeq properties(const std::vector<std::string>& words, std::size_t from) const {
    CosTrading::PropertySeq out;
    out.length(static_cast<CORBA::ULong>(words.size() - from));
    for (CORBA::ULong i = 0; i < out.length(); ++i) {
      const auto [name, text] = pair_of(words[from + i]);
      out[i].name = name.c_str();
      out[i].value = value(name, text);
    }
    return out;
  }

 private:
  Repository::TypeStruct_var type_;
};

void print(const CosTrading::PropertySeq& properties) {
  for (CORBA::ULong i = 0; i < properties.length(); ++i)
    std::printf("  %s=%s\n", shown(properties[i].name.in()).c_str(), to_text(properties[i].value).c_str());
}

std::string where(CORBA::Object_ptr object) {
  if (CORBA::is_nil(object)) return "nil";
  const std::string type = object->_interface_repository_id();
  return type.empty() ? "(type unknown)" : shown(type);
}

}  // namespace

std::pair<std::string, std::string> pair_of(const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0)
    throw Failure{kWrongUsage, "'" + shown(word) + "' is no property with its value: NAME=VALUE"};
  return {word.substr(0, equals), word.substr(equals + 1)};
}

CORBA::ULong number_of(const std::string& of, const std::string& text) {
  std::uint64_t out = 0;
  if (!parse_decimal(text, 0xffffffffu, out))
    throw Failure{kWrongUsage, of + " takes a number, from 0 to 4294967295"};
  return static_cast<CORBA::ULong>(out);
}

void offer(const Session& session, const Arguments& a) {
  const std::string what = "offer " + a.words[0];
  const Declared declared(session, a.words[0], what);
  const CosTrading::PropertySeq properties = declared.properties(a.words, 2);
  const CORBA::Object_var object = session.object(a.words[1]);
  CORBA::String_var id;
  explained(what, [&] {
    if (!a.has("--proxy")) {
      id = session.registering()->_cxx_export(object.in(), a.words[0].c_str(), properties);
      return;
    }
    id = session.proxy()->export_proxy(
        CosTrading::Lookup_var(CosTrading::Lookup::_unchecked_narrow(object.in())).in(), a.words[0].c_str(),
        properties, a.has("--match-all"), a.value("--proxy").c_str(), CosTrading::PolicySeq());
  });
  std::printf("%s\n", shown(id.in()).c_str());
}

void modify(const Session& session, const Arguments& a) {
  const std::string& id = a.words[0];
  CosTrading::Register::OfferInfo_var info;
  explained("modify " + id, [&] { info = session.registering()->describe(id.c_str()); });
  const Declared declared(session, info->type.in(), "modify " + id);
  const auto gone = a.values("--delete");
  CosTrading::PropertyNameSeq names;
  names.length(static_cast<CORBA::ULong>(gone.size()));
  for (CORBA::ULong i = 0; i < names.length(); ++i) names[i] = gone[i].c_str();
  const CosTrading::PropertySeq put = declared.properties(a.words, 1);
  explained("modify " + id, [&] { session.registering()->modify(id.c_str(), names, put); });
}

void show(const Session& session, const Arguments& a) {
  const char* const id = a.words[0].c_str();
  explained("show " + a.words[0], [&] {
    try {
      const CosTrading::Register::OfferInfo_var info = session.registering()->describe(id);
      std::printf("%s\n%s\n", shown(info->type.in()).c_str(), session.text_of(info->reference.in()).c_str());
      print(info->properties);
    } catch (const CosTrading::Register::ProxyOfferId&) {
      const CosTrading::Proxy::ProxyInfo_var info = session.proxy()->describe_proxy(id);
      std::printf("%s  proxy, %s%s\n%s\n", shown(info->type.in()).c_str(), shown(info->recipe.in()).c_str(),
                  info->if_match_all ? ", matches all" : "", session.text_of(info->target.in()).c_str());
      print(info->properties);
    }
  });
}

void list(const Session& session, const Arguments& a) {
  const CosTrading::Admin_var admin = session.admin();
  CosTrading::OfferIdSeq_var ids;
  CosTrading::OfferIdIterator_var more;
  const auto print_ids = [&] {
    for (CORBA::ULong i = 0; i < ids->length(); ++i) std::printf("%s\n", shown(ids[i].in()).c_str());
  };
  explained("ls", [&] {
    if (a.has("--proxies")) {
      admin->list_proxies(kStep, ids.out(), more.out());
    } else {
      admin->list_offers(kStep, ids.out(), more.out());
    }
  });
  print_ids();
  if (CORBA::is_nil(more.in())) return;
  for (bool again = true; again;) {
    again = more->next_n(kStep, ids.out()) && ids->length() != 0;
    print_ids();
  }
  more->destroy();
}

namespace {

CosTrading::PolicySeq policies_of(const Arguments& a) {
  CosTrading::PolicySeq out;
  const auto add = [&](const std::string& name) -> CORBA::Any& {
    out.length(out.length() + 1);
    out[out.length() - 1].name = name.c_str();
    return out[out.length() - 1].value;
  };
  if (a.has("--exact")) add("exact_type_match") <<= CORBA::Any::from_boolean(true);
  if (a.has("--follow")) add("link_follow_rule") <<= rule_of(a.value("--follow"));
  if (a.has("--hops")) add("hop_count") <<= number_of("--hops", a.value("--hops"));
  if (a.has("--most")) add("return_card") <<= number_of("--most", a.value("--most"));
  const auto via = a.values("--via");
  if (!via.empty()) {
    CosTrading::TraderName names;
    names.length(static_cast<CORBA::ULong>(via.size()));
    for (CORBA::ULong i = 0; i < names.length(); ++i) names[i] = via[i].c_str();
    CORBA::Any& any = add("starting_trader");
    any <<= names;
    any.type(CosTrading::_tc_TraderName);
  }
  for (const std::string& word : a.values("--policy")) {
    const auto [name, value] = pair_of(word);
    if (value == "TRUE" || value == "FALSE") {
      add(name) <<= CORBA::Any::from_boolean(value == "TRUE");
    } else {
      add(name) <<= number_of("--policy " + name, value);
    }
  }
  return out;
}

CosTrading::Lookup::SpecifiedProps wanted_of(const std::string& text) {
  CosTrading::Lookup::SpecifiedProps out;
  out._d(text == "none" ? CosTrading::Lookup::none : CosTrading::Lookup::all);
  if (text == "none" || text == "all") return out;
  CosTrading::PropertyNameSeq names;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    names.length(names.length() + 1);
    names[names.length() - 1] = text.substr(at, comma - at).c_str();
    at = comma + 1;
  }
  out.prop_names(names);
  return out;
}

// What is wrong with them is said here, with a caret; the trader is asked what is right as far as can be told.
void check(const std::string& constraint, const std::string& preference) {
  const auto refused = [](const char* what, const constraints::Refused& e) {
    throw Failure{kWrongUsage, std::string(what) + ":" + e.shown()};
  };
  try {
    (void)constraints::Constraint::parse(constraint);
  } catch (const constraints::Refused& e) {
    refused("constraint", e);
  }
  try {
    (void)constraints::Preference::parse(preference);
  } catch (const constraints::Refused& e) {
    refused("preference", e);
  }
}

class Printer {
 public:
  Printer(const Session& session, const Arguments& a)
      : session_(session), json_(a.has("--json")), references_(a.has("--references")) {}
  void begin() const {
    if (json_) std::printf("[");
  }
  void print(const CosTrading::OfferSeq& offers) {
    for (CORBA::ULong i = 0; i < offers.length(); ++i) {
      const CosTrading::Offer& o = offers[i];
      const std::string reference = session_.text_of(o.reference.in());
      if (json_) {
        std::printf("%s\n{\"reference\":%s,\"properties\":{", count_ == 0 ? "" : ",", json_string(reference).c_str());
        for (CORBA::ULong p = 0; p < o.properties.length(); ++p)
          std::printf("%s%s:%s", p == 0 ? "" : ",", json_string(o.properties[p].name.in()).c_str(),
                      to_json(o.properties[p].value).c_str());
        std::printf("}}");
      } else {
        std::printf("%s\n", references_ ? reference.c_str() : where(o.reference.in()).c_str());
        trade::print(o.properties);
      }
      ++count_;
    }
  }
  void end(const std::vector<std::string>& limits) const {
    if (json_) std::printf("\n]\n");
    std::string text;
    for (const std::string& l : limits) text += (text.empty() ? "" : ", ") + shown(l);
    if (!text.empty()) std::fprintf(stderr, "callis trade: there may be more: limited by %s\n", text.c_str());
  }

 private:
  const Session& session_;
  const bool json_, references_;
  std::size_t count_ = 0;
};

}  // namespace

void query(const Session& session, const Arguments& a) {
  const std::string constraint = a.words.size() > 1 ? a.words[1] : "", preference = a.value("--prefer");
  check(constraint, preference);
  CosTrading::OfferSeq_var offers;
  CosTrading::OfferIterator_var more;
  CosTrading::PolicyNameSeq_var limits;
  const CosTrading::PolicySeq policies = policies_of(a);
  const auto wanted = wanted_of(a.value("--properties", "all"));
  explained("query " + a.words[0], [&] {
    session.lookup()->query(a.words[0].c_str(), constraint.c_str(), preference.c_str(), policies, wanted, kStep,
                            offers.out(), more.out(), limits.out());
  });
  Printer printer(session, a);
  printer.begin();
  printer.print(offers.in());
  if (!CORBA::is_nil(more.in())) {
    for (bool again = true; again;) {
      again = more->next_n(kStep, offers.out()) && offers->length() != 0;
      printer.print(offers.in());
    }
    more->destroy();
  }
  std::vector<std::string> names;
  for (CORBA::ULong i = 0; i < limits->length(); ++i) names.emplace_back(limits[i].in());
  printer.end(names);
}

void withdraw(const Session& session, const Arguments& a) {
  const CosTrading::Register_var registering = session.registering();
  if (a.has("--type")) {
    if (a.words.size() != 1) throw Failure{kWrongUsage, "withdraw --type takes one constraint"};
    check(a.words[0], "");
    explained("withdraw",
              [&] { registering->withdraw_using_constraint(a.value("--type").c_str(), a.words[0].c_str()); });
    return;
  }
  for (const std::string& id : a.words) {
    explained("withdraw " + id, [&] {
      try {
        registering->withdraw(id.c_str());
      } catch (const CosTrading::Register::ProxyOfferId&) {
        session.proxy()->withdraw_proxy(id.c_str());
      }
    });
  }
}

}  // namespace callis::trade
