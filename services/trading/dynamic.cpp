// SPDX-License-Identifier: Apache-2.0
// Asks exporters' objects for values, and takes in what comes in time.
#include <callis/deadline.h>
#include <callis/dynamic.h>
#include <services/trading/dynamic.h>
#include <set>

namespace callis::trading {

namespace {

// Of a call that a query waits for, and of its place among the values that are known.
constexpr std::size_t kBytesOfCall = 512;

// The values found by one evaluate(). Calls that end too late find this closed.
struct Found {
  std::mutex mutex;
  bool closed = false;
  bool left_out = false;
  std::map<Evaluated::Key, CORBA::Any> values;
  std::vector<CosTradingDynamic::DynamicPropEval_var> hang;
  std::set<std::string> heavy;  // servers that answered more than the query can keep

  // Whether the object is asked no more.
  bool avoids(CosTradingDynamic::DynamicPropEval_ptr object, const std::string& server) {
    const std::lock_guard lock(mutex);
    if (heavy.count(server) != 0) return true;
    for (const auto& h : hang) {
      if (h->_is_equivalent(object)) return true;
    }
    return closed;
  }
};

// False: there is no value of that type.
bool ask(const std::string& name, const CosTradingDynamic::DynamicProp& of, std::chrono::milliseconds deadline,
         CORBA::Any& out, bool& hangs) {
  try {
    const ThreadDeadline limit(deadline);
    const CORBA::Request_var request = of.eval_if->_request("evalDP");
    request->add_in_arg("name") <<= name.c_str();
    request->add_in_arg("returned_type") <<= of.returned_type.in();
    request->add_in_arg("extra_info") <<= of.extra_info;
    request->set_return_type(CORBA::_tc_any);
    request->exceptions()->add(CosTradingDynamic::_tc_DPEvalFailure);
    request->invoke();
    if (CORBA::Exception* const e = request->env()->exception()) {
      hangs = CORBA::TIMEOUT::_downcast(e) != nullptr;
      return false;
    }
    const CORBA::Any* value = nullptr;
    if (!(request->return_value() >>= value)) return false;
    const CORBA::TypeCode_var type = value->type();
    if (!type->equivalent(of.returned_type.in())) return false;
    out = *value;
    return true;
  } catch (const CORBA::Exception&) {
    return false;
  }
}

}  // namespace

bool Dynamic::evaluate(const std::vector<Asked>& wanted, Evaluated& known, const std::shared_ptr<Answers>& answers,
                       const services::OperationTime& time) {
  const auto results = std::make_shared<Found>();
  std::vector<Workers::Task> tasks;
  std::set<Evaluated::Key> keys;
  for (const Asked& a : wanted) {
    const Evaluated::Key key{a.offer->number(), a.slot};
    if (!a.offer->is_dynamic(a.slot) || known.find(*a.offer, a.slot) || !keys.insert(key).second) continue;
    if (!answers->keep(kBytesOfCall)) {
      keys.erase(key);
      results->left_out = true;
      break;
    }
    ++asked_;
    const CosTradingDynamic::DynamicProp& of = *a.offer->dynamic(a.slot);
    std::string server = server_of(of.eval_if.in());
    tasks.push_back({server, [&keeper = keeper_, results, answers, a, key, server, deadline = options_.deadline] {
      const CosTradingDynamic::DynamicProp& asks = *a.offer->dynamic(a.slot);
      if (results->avoids(asks.eval_if.in(), server)) return Workers::End::Not;
      CORBA::Any value;
      bool hangs = false;
      const bool there = ask(a.name, asks, deadline, value, hangs);
      const std::size_t bytes = there ? memory_of(keeper, value) : 0;
      const std::lock_guard lock(results->mutex);
      if (there && !results->closed) {
        if (answers->keep(bytes)) {
          results->values[key] = value;
        } else {
          results->left_out = true;
          results->heavy.insert(server);
        }
      }
      if (hangs) results->hang.push_back(asks.eval_if);
      return hangs ? Workers::End::Hung : there ? Workers::End::Answered : Workers::End::Not;
    }});
  }
  const auto limit = std::min<std::chrono::nanoseconds>(options_.query_deadline, time.left());
  workers_.run(std::move(tasks), answers->client(), limit);
  const std::lock_guard lock(results->mutex);
  results->closed = true;
  for (const Evaluated::Key& key : keys) {
    Evaluated::Known& k = known.all()[key];
    const auto found = results->values.find(key);
    if (found == results->values.end()) {
      ++failed_;
      continue;
    }
    k.there = true;
    k.any = found->second;
    k.decoded = constraints::Decoded(k.any);
  }
  return !results->left_out;
}

}  // namespace callis::trading
