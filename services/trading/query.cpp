// SPDX-License-Identifier: Apache-2.0
// One query: its checks, the search here, the traders that it is passed on to, and the order of what they found.
#include <services/trading/names.h>
#include <services/trading/offer_source.h>
#include <services/trading/query.h>
#include <services/trading/recipe.h>
#include <algorithm>
#include <random>
#include <set>

namespace callis::trading {

namespace {

using CosTrading::Lookup;

// A query to another trader, besides its texts.
constexpr std::size_t kBytesOfQuestion = 1'500;

// Of one offer, with what is known of its dynamic properties.
class KnownProperties final : public constraints::Properties {
 public:
  KnownProperties(const Catalogue& catalogue, const std::vector<std::string>& names, const Evaluated& known)
      : catalogue_(catalogue), plain_(names), known_(known) {}
  void set(const Offer& offer) {
    if (type_offers_ != &offer.of_type()) {
      type_offers_ = &offer.of_type();
      catalogue_.look_up(plain_, *type_offers_);
    }
    plain_.set_offer(offer);
    offer_ = &offer;
  }
  constraints::Value get(std::size_t name) const override {
    const Evaluated::Known* const k = offer_->is_dynamic(plain_.slot(name)) ? known(name) : nullptr;
    return k ? k->decoded.value() : plain_.get(name);
  }
  bool has(std::size_t name) const override {
    if (!offer_->is_dynamic(plain_.slot(name))) return plain_.has(name);
    const Evaluated::Known* const k = known(name);
    return !k || k->there;
  }
  Slot slot(std::size_t name) const { return plain_.slot(name); }

 private:
  const Evaluated::Known* known(std::size_t name) const { return known_.find(*offer_, plain_.slot(name)); }

  const Catalogue& catalogue_;
  OfferProperties plain_;
  const Evaluated& known_;
  const TypeOffers* type_offers_ = nullptr;
  const Offer* offer_ = nullptr;
};

class Query {
 public:
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;
  Query(Services& services, const Arguments& arguments)
      : s_(services),
        a_(arguments),
        settings_(s_.market.settings().get()),
        answers_(std::make_shared<Answers>(s_.market.memory(), s_.market.options().answers)) {}

  Results run() {
    ++s_.queries;
    type_ = s_.market.types().get(a_.type);
    policies_ = Policies::parse(a_.policies);
    parse();
    wanted_ = Wanted::parse(a_.properties);
    if (!policies_.starting_trader.empty()) return pass_on();
    // A query that comes back by another way has been answered.
    if (policies_.request_id.empty() || is_first()) search();
    return finish();
  }

 private:
  bool is_first() { return s_.federation.requests().add(policies_.request_id, answers_->client()); }
  // Before it goes to another trader, by which it may come back.
  void need_request_id() {
    if (!policies_.request_id.empty()) return;
    policies_.request_id = s_.federation.next_request_id(settings_.request_id_stem);
    is_first();
  }

  void parse() {
    const constraints::ParseOptions options{.limits = {}, .type_of = Market::types_of(type_)};
    try {
      constraint_ = constraints::Constraint::parse(a_.constraint, options);
    } catch (const constraints::Refused& e) {
      throw CosTrading::IllegalConstraint(Market::explained(a_.constraint, e).c_str());
    }
    try {
      preference_ = constraints::Preference::parse(a_.preference, options);
    } catch (const constraints::Refused& e) {
      throw Lookup::IllegalPreference(Market::explained(a_.preference, e).c_str());
    }
  }

  void search() {
    try {
      search_here();
      ask_proxies();
      follow_links();
    } catch (const constraints::WorkExhausted&) {
      Market::too_much_work();
    }
  }

  void search_here() {
    const bool exact = policies_.exact_type_match.value_or(false);
    const std::vector<std::string> types =
        exact ? std::vector<std::string>{type_->name} : s_.market.types().with_subtypes(type_->name, time_);
    const Cardinality search =
        cardinality(policies_.search_card, settings_.def_search_card, settings_.max_search_card);
    const Cardinality match = cardinality(policies_.match_card, settings_.def_match_card, settings_.max_match_card);
    Catalogue::Found found = s_.market.catalogue().search(
        {.types = types,
         .constraint = constraint_,
         .modifiable = policies_.use_modifiable_properties.value_or(true),
         .dynamic = policies_.use_dynamic_properties.value_or(true) && settings_.supports_dynamic_properties,
         .proxies = policies_.use_proxy_offers.value_or(true) && settings_.supports_proxy_offers,
         .is_readonly = [this](const std::string& type, const std::string& name) { return is_readonly(type, name); },
         .most_searched = search.most,
         .most_matched = match.most},
        work_);
    s_.looked_at += static_cast<std::int64_t>(found.looked_at);
    if (found.by_index) ++s_.by_index;
    answers_->use((found.matched.size() + 2 * found.undecided.size()) * sizeof(OfferPtr));
    decide(found, match.most);
    if (found.search_limited || search.limited) limits_.insert("search_card");
    if (found.match_limited || match.limited) limits_.insert("match_card");
    for (OfferPtr& o : found.matched) (o->proxy() ? proxies_ : here_).push_back(std::move(o));
  }

  bool is_readonly(const std::string& type, const std::string& name) const {
    try {
      const ServiceTypePtr declared = s_.market.types().get(type.c_str());
      const PropertyType* const p = declared->find(name);
      return p && p->readonly;
    } catch (const CORBA::UserException&) {
      return false;
    }
  }

  // False: some could not be asked, or their answers not be kept.
  bool ask_dynamic(const std::vector<OfferPtr>& offers, const std::vector<std::string>& names) {
    if (names.empty()) return true;
    KnownProperties properties(s_.market.catalogue(), names, known_);
    std::vector<Asked> asked;
    for (const OfferPtr& o : offers) {
      if (!o->has_dynamic()) continue;
      properties.set(*o);
      for (std::size_t i = 0; i < names.size(); ++i) {
        if (o->is_dynamic(properties.slot(i))) asked.push_back({o, properties.slot(i), names[i]});
      }
      time_.step();
      if (asked.size() > s_.market.options().answers / sizeof(Asked)) break;  // more than may be asked
    }
    return s_.dynamic.evaluate(asked, known_, answers_, time_);
  }

  void decide(Catalogue::Found& found, std::size_t most) {
    if (found.undecided.empty()) return;
    if (!ask_dynamic(found.undecided, constraint_.names())) limits_.insert("match_card");
    KnownProperties properties(s_.market.catalogue(), constraint_.names(), known_);
    for (const OfferPtr& o : found.undecided) {
      properties.set(*o);
      if (!constraint_.matches(properties, work_)) continue;
      if (found.matched.size() >= most) {
        found.match_limited = true;
        break;
      }
      found.matched.push_back(o);
    }
  }

  // The properties that others must tell, so that their offers can be put in order here.
  Lookup::SpecifiedProps properties_for_others() const {
    if (!preference_.needs_ranks() || a_.properties._d() == Lookup::all) return a_.properties;
    std::set<std::string> names(preference_.names().begin(), preference_.names().end());
    names.insert(wanted_.names.begin(), wanted_.names.end());
    CosTrading::PropertyNameSeq list;
    list.length(static_cast<CORBA::ULong>(names.size()));
    CORBA::ULong i = 0;
    for (const std::string& n : names) list[i++] = n.c_str();
    Lookup::SpecifiedProps out;
    out.prop_names(list);
    return out;
  }

  CORBA::ULong most_returned() {
    const Cardinality out = cardinality(policies_.return_card, settings_.def_return_card, settings_.max_return_card);
    if (out.limited) limits_.insert("return_card");
    return out.most;
  }

  void take(Received&& received) {
    for (CosTrading::Offer& o : received.offers)
      elsewhere_.push_back(std::make_unique<CosTrading::Offer>(std::move(o)));
    limits_.insert(received.limits.begin(), received.limits.end());
    if (received.left_out) limits_.insert("return_card");
  }

  // False: the query has no memory for another question.
  bool may_ask(const Passed& q) {
    time_.check();
    if (answers_->keep(kBytesOfQuestion + q.constraint.size() + q.preference.size())) return true;
    limits_.insert("return_card");
    return false;
  }

  void ask_proxies() {
    std::vector<Passed> queries;
    if (!proxies_.empty()) need_request_id();
    for (const OfferPtr& o : proxies_) {
      std::map<std::string, Slot, std::less<>> slots;
      s_.market.catalogue().each_property(*o, [&](const std::string& name, Slot slot) { slots.emplace(name, slot); });
      const CORBA::Object_var target = s_.market.reference_of(*o);
      Passed q;
      q.target = Lookup::_unchecked_narrow(target.in());
      q.of = "proxy offer " + to_digits(o->number());
      q.type = o->of_type().type();
      q.constraint = follow_recipe(o->proxy()->recipe, a_.constraint, [&](std::string_view name) {
        const auto slot = slots.find(name);
        return slot == slots.end() ? constraints::Value() : o->value(slot->second);
      });
      q.preference = a_.preference;
      q.policies = with(policies_.to_idl(), o->proxy()->policies);
      q.properties = properties_for_others();
      q.most = most_returned();
      if (!may_ask(q)) break;
      queries.push_back(std::move(q));
    }
    if (!queries.empty()) take(s_.federation.ask(std::move(queries), answers_, time_));
  }

  // The first, with those of the second besides or instead.
  static CosTrading::PolicySeq with(CosTrading::PolicySeq all, const CosTrading::PolicySeq& more) {
    for (CORBA::ULong i = 0; i < more.length(); ++i) {
      CORBA::ULong at = 0;
      while (at < all.length() && std::string_view(all[at].name.in()) != more[i].name.in()) ++at;
      if (at == all.length()) all.length(at + 1);
      all[at] = more[i];
    }
    return all;
  }

  void follow_links() {
    const Cardinality hops = cardinality(policies_.hop_count, settings_.def_hop_count, settings_.max_hop_count);
    if (hops.limited) limits_.insert("hop_count");
    if (policies_.link_follow_rule && *policies_.link_follow_rule > settings_.max_follow_policy)
      limits_.insert("link_follow_rule");
    if (hops.most == 0) return;
    const bool any = !here_.empty() || !elsewhere_.empty();
    std::vector<Passed> queries;
    for (const auto& [name, info] : s_.market.links().all()) {
      const CosTrading::FollowOption rule = follow_rule(settings_, info, policies_);
      if (rule == CosTrading::local_only || (rule == CosTrading::if_no_local && any)) continue;
      need_request_id();
      Policies passed = policies_;
      passed.hop_count = hops.most - 1;
      passed.link_follow_rule = pass_on_rule(settings_, info, policies_);
      Passed q;
      q.target = info.target;
      q.of = "link " + name;
      q.type = a_.type;
      q.constraint = a_.constraint;
      q.preference = a_.preference;
      q.policies = passed.to_idl();
      q.properties = properties_for_others();
      q.most = most_returned();
      if (!may_ask(q)) break;
      queries.push_back(std::move(q));
    }
    if (!queries.empty()) take(s_.federation.ask(std::move(queries), answers_, time_));
  }

  std::vector<Hit> ordered() {
    const std::size_t count = here_.size() + elsewhere_.size();
    std::vector<constraints::Value> ranks;
    answers_->use(count * (sizeof(Hit) + sizeof(std::size_t)));
    if (preference_.needs_ranks()) {
      answers_->use(count * sizeof(constraints::Value));
      ask_dynamic(here_, preference_.names());
      KnownProperties properties(s_.market.catalogue(), preference_.names(), known_);
      for (const OfferPtr& o : here_) {
        properties.set(*o);
        ranks.push_back(preference_.rank(properties, work_));
      }
      for (const auto& o : elsewhere_) {
        constraints::AnyProperties given(preference_.names());
        for (CORBA::ULong i = 0; i < o->properties.length(); ++i)
          given.put(o->properties[i].name.in(), o->properties[i].value);
        ranks.push_back(preference_.rank(given, work_));
      }
    }
    std::mt19937_64 random(preference_.kind() == constraints::Preference::Kind::Random ? draw() : 0);
    const CORBA::ULong most = most_returned();
    if (count > most) limits_.insert("return_card");
    std::vector<Hit> out;
    for (const std::size_t i : preference_.order(
             count, ranks, [&] { return random(); }, most)) {
      if (i < here_.size()) {
        out.push_back({here_[i], nullptr});
      } else {
        out.push_back({{}, std::move(elsewhere_[i - here_.size()])});
      }
    }
    return out;
  }

  Results finish() {
    auto source = std::make_unique<OfferSource>(s_, ordered(), wanted_, std::move(known_), answers_);
    Results out;
    out.offers = a_.how_many == 0 ? new CosTrading::OfferSeq : source->next(a_.how_many, time_);
    if (source->left() != 0) answers_->leave_to_iterator();
    if (source->left() != 0) out.more = s_.iterators.make(std::move(source));
    out.limits = new CosTrading::PolicyNameSeq;
    out.limits->length(static_cast<CORBA::ULong>(limits_.size()));
    CORBA::ULong i = 0;
    for (const std::string& l : limits_) out.limits[i++] = l.c_str();
    return out;
  }

  // Passes the query on to the trader that starting_trader names.
  Results pass_on() {
    const auto link = s_.market.links().find(policies_.starting_trader.front());
    if (!link) {
      for (CORBA::ULong i = 0; i < a_.policies.length(); ++i) {
        if (std::string_view(a_.policies[i].name.in()) == "starting_trader")
          throw Lookup::InvalidPolicyValue(a_.policies[i]);
      }
    }
    const Cardinality hops = cardinality(policies_.hop_count, settings_.def_hop_count, settings_.max_hop_count);
    if (hops.most == 0) {
      limits_.insert("hop_count");
      return finish();
    }
    Policies passed = policies_;
    passed.starting_trader.erase(passed.starting_trader.begin());
    passed.hop_count = hops.most - 1;
    // The call may outlive this query.
    struct Question {
      CosTrading::Lookup_var target;
      std::string type, constraint, preference;
      CosTrading::PolicySeq policies;
      Lookup::SpecifiedProps properties;
      CORBA::ULong how_many;
      Results out;
    };
    const auto q = std::make_shared<Question>(Question{link->target, a_.type, a_.constraint, a_.preference,
                                                       passed.to_idl(), a_.properties, a_.how_many, {}});
    const bool done = s_.federation.call(
        link->target.in(),
        [q] {
          q->target->query(q->type.c_str(), q->constraint.c_str(), q->preference.c_str(), q->policies, q->properties,
                           q->how_many, q->out.offers.out(), q->out.more.out(), q->out.limits.out());
        },
        std::min<std::chrono::nanoseconds>(s_.federation.deadline(), time_.left()));
    if (!done)
      throw CORBA::TIMEOUT(0, CORBA::COMPLETED_MAYBE,
                           "the trader that starting_trader names does not answer in time");
    return std::move(q->out);
  }

  Services& s_;
  const Arguments& a_;
  const Settings::Values settings_;
  ServiceTypePtr type_;
  Policies policies_;
  constraints::Constraint constraint_;
  constraints::Preference preference_;
  Wanted wanted_;
  services::OperationTime time_{s_.market.options().operation, "--operation-timeout"};
  constraints::Work work_{Market::kMostWork, [this] { time_.check(); }};
  const std::shared_ptr<Answers> answers_;
  Evaluated known_;
  std::set<std::string> limits_;
  std::vector<OfferPtr> here_, proxies_;
  std::vector<std::unique_ptr<CosTrading::Offer>> elsewhere_;
};

}  // namespace

Results query(Services& services, const Arguments& arguments) { return Query(services, arguments).run(); }

}  // namespace callis::trading
