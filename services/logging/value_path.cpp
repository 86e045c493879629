// SPDX-License-Identifier: Apache-2.0
#include <services/logging/value_path.h>
#include <algorithm>
#include <charconv>

namespace callis::logs {

using DynamicAny::DynAny_var;

namespace {

std::optional<CORBA::Long> index_in(std::string_view digits) {
  CORBA::Long out = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
  if (error != std::errc() || end != digits.data() + digits.size() || out < 0) return {};
  return out;
}

}  // namespace

std::optional<ValuePath> ValuePath::parse(std::string_view text) {
  ValuePath out;
  while (!text.empty()) {
    if (out.steps_.size() == kMostSteps) return {};
    const bool element = text.front() == '[';
    if (!element && text.front() != '.') return {};
    text.remove_prefix(1);
    const std::size_t size = std::min(element ? text.find(']') : text.find_first_of(".[("), text.size());
    const std::string_view word = text.substr(0, size);
    const std::optional<CORBA::Long> index = index_in(word);
    if (word.empty() || (element && (!index || size == text.size())) || word.starts_with('_')) return {};
    out.steps_.push_back({index ? "" : std::string(word), index.value_or(0)});
    text.remove_prefix(size + (element ? 1 : 0));
  }
  return out;
}

// Makes the part the current component. False: there is none.
bool ValuePath::go(DynamicAny::DynAny_ptr value, const Step& step) {
  if (step.name.empty()) return value->seek(step.index);
  const DynamicAny::DynStruct_var members = DynamicAny::DynStruct::_narrow(value);
  if (CORBA::is_nil(members.in())) return false;
  for (CORBA::Long i = 0; members->seek(i); ++i)
    if (step.name == CORBA::String_var(members->current_member_name()).in()) return true;
  return false;
}

bool ValuePath::follow(DynamicAny::DynAnyFactory_ptr factory, const CORBA::Any& value, CORBA::Any& part) const {
  DynAny_var whole;
  bool found = true;
  try {
    whole = factory->create_dyn_any(value);
    DynAny_var at = DynamicAny::DynAny::_duplicate(whole.in());
    for (const Step& step : steps_) {
      found = go(at.in(), step);
      if (!found) break;
      at = at->current_component();
    }
    if (found) part = *CORBA::Any_var(at->to_any()).operator->();
  } catch (const CORBA::UserException&) {  // it has no components
    found = false;
  } catch (const CORBA::SystemException&) {
    found = false;
  }
  if (!CORBA::is_nil(whole.in())) whole->destroy();
  return found;
}

}  // namespace callis::logs
