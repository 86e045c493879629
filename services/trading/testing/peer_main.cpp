// SPDX-License-Identifier: Apache-2.0
// callis_trading_peer: a client of traders, for measurements.
//
//   fill STORE OFFERS      writes a store with that many offers of type Printer, without a service; prints how many
//   bytes their
//                          properties have in CDR
//   query REF OFFERS ROUNDS
//                          queries that an index serves, and such that look at all offers; prints the medians:
//                          "index_us 1 scan_us 1 evaluate_us 1"
#include <services/common/store.h>
#include <services/trading/service.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace callis;
using Clock = std::chrono::steady_clock;

std::size_t number(const char* text) { return static_cast<std::size_t>(std::strtoull(text, nullptr, 10)); }

CosTrading::PropertySeq properties_of(std::size_t i) {
  CosTrading::PropertySeq out;
  out.length(5);
  out[0].name = "Cost";
  out[0].value <<= static_cast<CORBA::Long>(i);
  out[1].name = "Name";
  out[1].value <<= ("printer number " + std::to_string(i)).c_str();
  out[2].name = "Rate";
  out[2].value <<= static_cast<double>(i % 1000) / 7;
  out[3].name = "Floor";
  out[3].value <<= static_cast<CORBA::Short>(i % 20);
  out[4].name = "Colour";
  out[4].value <<= CORBA::Any::from_boolean(i % 2 == 0);
  return out;
}

void declare(trading::Keeper& keeper) {
  services::MemoryBound memory;
  trading::Types types(keeper, memory);
  trading::Repository::PropStructSeq props;
  props.length(5);
  const std::pair<const char*, CORBA::TypeCode_ptr> all[] = {{"Cost", CORBA::_tc_long},
                                                             {"Name", CORBA::_tc_string},
                                                             {"Rate", CORBA::_tc_double},
                                                             {"Floor", CORBA::_tc_short},
                                                             {"Colour", CORBA::_tc_boolean}};
  for (CORBA::ULong i = 0; i < 5; ++i) {
    props[i].name = all[i].first;
    props[i].value_type = CORBA::TypeCode::_duplicate(all[i].second);
    props[i].mode = trading::Repository::PROP_NORMAL;
  }
  services::OperationTime time(std::chrono::seconds(10));
  types.add("Printer", "", props, trading::Repository::ServiceTypeNameSeq(), time);
}

void fill(CORBA::ORB_ptr orb, const char* where, std::size_t offers) {
  const auto store = services::open_store(where, trading::store_kind());
  trading::Keeper keeper(orb, *store);
  declare(keeper);
  const CORBA::Object_var object = orb->string_to_object("corbaloc::127.0.0.1:2000/printers/number/one");
  std::size_t bytes = 0;
  services::Transaction t;
  for (std::size_t i = 0; i < offers; ++i) {
    CallisTrading::StoredOffer stored;
    stored.type = "Printer";
    stored.reference = object;
    stored.properties = properties_of(i);
    bytes += keeper.to_bytes(stored.properties).size();
    t.puts.emplace_back("o/" + trading::to_digits(i + 1), keeper.to_bytes(stored));
    if (t.puts.size() < services::kMaxChanges && i + 1 < offers) continue;
    (void)store->commit(t);
    t = {};
  }
  std::printf("properties_bytes %zu\n", bytes);
}

// The median time of a query that finds `wanted` offers, in microseconds.
template<class Text>
double median(CosTrading::Lookup_ptr lookup, std::size_t rounds, CORBA::ULong wanted, const Text& text) {
  std::vector<double> all;
  CosTrading::Lookup::SpecifiedProps properties;
  properties._d(CosTrading::Lookup::all);
  for (std::size_t i = 0; i < rounds; ++i) {
    const std::string constraint = text(i);
    CosTrading::OfferSeq_var offers;
    CosTrading::OfferIterator_var more;
    CosTrading::PolicyNameSeq_var limits;
    const auto begin = Clock::now();
    lookup->query("Printer", constraint.c_str(), "", CosTrading::PolicySeq(), properties, 100, offers.out(),
                  more.out(), limits.out());
    all.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
    if (offers->length() != wanted) {
      std::fprintf(stderr, "%s: found %u offers, not %u\n", constraint.c_str(), offers->length(), wanted);
      std::exit(1);
    }
  }
  std::sort(all.begin(), all.end());
  return all[all.size() / 2];
}

void query(CORBA::ORB_ptr orb, const char* reference, std::size_t offers, std::size_t rounds) {
  const CORBA::Object_var object = orb->string_to_object(reference);
  const CosTrading::Lookup_var lookup = CosTrading::Lookup::_narrow(object.in());
  const auto by_cost = [&](std::size_t i) {
    return "Cost == " + std::to_string(i * 7919 % offers) + " and Colour == Colour";
  };
  median(lookup.in(), 1, 1, by_cost);  // makes the index
  const double index = median(lookup.in(), 20 * rounds, 1, by_cost);
  const double scan = median(lookup.in(), rounds, 0, [](std::size_t) { return "Cost + 0 < 0"; });
  const double text =
      median(lookup.in(), rounds, 0, [](std::size_t) { return "'plotter' ~ Name or Rate * 2 < Floor - 100"; });
  std::printf("index_us %.1f scan_us %.1f evaluate_us %.1f\n", index, scan, text);
}

}  // namespace

int main(int argc, char** argv) {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "fill" && argc == 4) {
    fill(orb.in(), argv[2], number(argv[3]));
  } else if (what == "query" && argc == 5) {
    query(orb.in(), argv[2], number(argv[3]), number(argv[4]));
  } else {
    std::fprintf(stderr, "usage: callis_trading_peer fill STORE OFFERS | query REF OFFERS ROUNDS\n");
    return 2;
  }
  orb->destroy();
}
