// SPDX-License-Identifier: Apache-2.0
#include <callis/deadline.h>
#include <callis/dynamic.h>
#include <services/trading/dynamic.h>
#include <set>

namespace callis::trading {

namespace {

// What one evaluate() has found; calls that come too late find it closed.
struct Found {
  std::mutex mutex;
  bool closed = false;
  std::map<Evaluated::Key, CORBA::Any> values;
  std::vector<CosTradingDynamic::DynamicPropEval_var> hang;

  bool hangs(CosTradingDynamic::DynamicPropEval_ptr object) {
    const std::lock_guard lock(mutex);
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

void Dynamic::evaluate(const std::vector<Asked>& wanted, Evaluated& known) {
  const auto results = std::make_shared<Found>();
  std::vector<Workers::Task> tasks;
  std::set<Evaluated::Key> keys;
  for (const Asked& a : wanted) {
    const Evaluated::Key key{a.offer->number(), a.slot};
    if (!a.offer->is_dynamic(a.slot) || known.find(*a.offer, a.slot) || !keys.insert(key).second) continue;
    ++asked_;
    tasks.push_back([results, a, key, deadline = options_.deadline] {
      const CosTradingDynamic::DynamicProp& of = *a.offer->dynamic(a.slot);
      if (results->hangs(of.eval_if.in())) return;
      CORBA::Any value;
      bool hangs = false;
      const bool there = ask(a.name, of, deadline, value, hangs);
      const std::lock_guard lock(results->mutex);
      if (there && !results->closed) results->values[key] = value;
      if (hangs) results->hang.push_back(of.eval_if);
    });
  }
  workers_.run(std::move(tasks), options_.query_deadline);
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
}

}  // namespace callis::trading
