// SPDX-License-Identifier: Apache-2.0
// One operation of an object: found by its name, called by the dynamic invocation interface.
#include <services/programs/usage.h>
#include <callis/base/text.h>
#include <callis/dynamic.h>
#include <tools/call/call.h>
#include <tools/call/idl_text.h>
#include <algorithm>
#include <iostream>
#include <iterator>

namespace callis::tools {

namespace ast = idl::ast;

namespace {

constexpr std::size_t kMostInput = 64u << 20;  // bytes of the standard input

const ast::WireOperation* find(const std::vector<ast::WireOperation>& all, const std::string& name) {
  for (const ast::WireOperation& o : all) {
    if (o.name == name) return &o;
  }
  return nullptr;
}

[[noreturn]] void unknown(const ast::Interface& interface, const std::vector<ast::WireOperation>& all,
                          const std::string& name, const std::string& what) {
  std::string best;
  std::size_t least = name.size() / 2 + 1;
  for (const ast::WireOperation& o : all) {
    const std::string known = o.attribute ? o.attribute->name : o.name;
    if (const std::size_t d = edit_distance(name, known); d < least) {
      least = d;
      best = (o.attribute ? "get " : "") + known;
    }
  }
  std::string text = ast::scoped_name(interface) + " has no " + what + " '" + programs::escaped(name) + "'";
  if (!best.empty()) text += "; did you mean '" + best + "'?";
  throw Failure{kWrongUsage, text + "\ncallis describe shows what it has"};
}

std::string read_input() {
  std::string text(kMostInput + 1, '\0');
  std::cin.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::cin.gcount()));
  if (text.size() > kMostInput) throw Failure{kWrongUsage, "the standard input has more than 64 MiB"};
  return text;
}

}  // namespace

ast::WireOperation find_operation(const ast::Interface& interface, const Arguments& arguments, std::size_t& rest) {
  const std::vector<ast::WireOperation> all = ast::all_operations(interface);
  const std::string& word = arguments.operation;
  rest = 0;
  const bool accessor = word == "get" || word == "set";
  if (accessor && !arguments.arguments.empty()) {
    const std::string& attribute = arguments.arguments[0];
    if (const ast::WireOperation* o = find(all, "_" + word + "_" + attribute)) {
      rest = 1;
      return *o;
    }
    if (!find(all, word)) {
      if (const ast::WireOperation* o = find(all, "_get_" + attribute))
        throw Failure{kWrongUsage, "the attribute cannot be set\n  " + signature(*o) + ";"};
      unknown(interface, all, attribute, "attribute");
    }
  }
  if (const ast::WireOperation* o = find(all, word)) return *o;
  if (find(all, "_get_" + word))
    throw Failure{kWrongUsage, "'" + word + "' is an attribute: get " + word + ", set " + word + " JSON"};
  unknown(interface, all, word, "operation");
}

Call::Call(CORBA::ORB_ptr orb, Types& types, CORBA::Object_ptr object, const ast::WireOperation& operation)
    : orb_(orb), object_(object), operation_(operation), mapping_(orb, types) {
  try {
    signature_ = signature_of(types, operation);
  } catch (const NoSuchType& e) {
    refuse(e.text);
  } catch (const CORBA::SystemException& e) {
    refuse(std::string("no TypeCode can be made of a type of this operation: ") + e.what());
  }
  values_.resize(signature_.parameters.size());
}

void Call::refuse(const std::string& text) const {
  throw Failure{kWrongUsage, text + "\n  " + signature(operation_) + ";"};
}

// Which parameters are sent.
std::vector<std::size_t> Call::wanted() const {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < signature_.parameters.size(); ++i) {
    if (signature_.parameters[i].flags != CORBA::ARG_OUT) out.push_back(i);
  }
  return out;
}

void Call::read(const std::vector<std::string>& words) {
  const auto parse = [&](std::string_view text, const std::string& what) {
    std::variant<Json, JsonError> parsed = parse_json(text);
    if (auto* error = std::get_if<JsonError>(&parsed)) refuse(what + " is not JSON: " + error->said());
    return std::get<Json>(std::move(parsed));
  };
  if (words.size() == 1 && words[0] == "-")
    return read(parse(read_input(), "the standard input"), "the standard input");
  const std::vector<std::size_t> sent = wanted();
  std::vector<Json> values;
  for (const std::string& word : words) {
    const std::string name =
        values.size() < sent.size() ? " (" + signature_.parameters[sent[values.size()]].name + ")" : "";
    values.push_back(parse(word, "argument " + std::to_string(values.size() + 1) + name));
  }
  set(values);
}

void Call::read(const Json& input, const std::string& what) {
  if (input.kind == Json::Kind::Array) return set(input.items);
  if (input.kind != Json::Kind::Object) {
    refuse(what + ": expected an array of all arguments or an object with them by name, found " + describe(input));
  }
  const std::vector<std::size_t> sent = wanted();
  for (const auto& [name, where] : input.names) {
    if (std::none_of(sent.begin(), sent.end(), [&](std::size_t i) { return signature_.parameters[i].name == name; }))
      refuse("arguments." + std::string(Printable(name)) + ": there is no such parameter to be sent");
  }
  std::vector<Json> values;
  for (const std::size_t i : sent) {
    const Json* const found = input.find(signature_.parameters[i].name);
    if (!found) refuse("arguments: the member '" + signature_.parameters[i].name + "' is missing");
    values.push_back(*found);
  }
  set(values);
}

void Call::set(const std::vector<Json>& values) {
  const std::vector<std::size_t> sent = wanted();
  if (values.size() != sent.size()) {
    refuse("expected " + std::to_string(sent.size()) + (sent.size() == 1 ? " argument" : " arguments") + ", found " +
           std::to_string(values.size()));
  }
  for (std::size_t i = 0; i < sent.size(); ++i) {
    const Signature::Parameter& p = signature_.parameters[sent[i]];
    try {
      values_[sent[i]] = mapping_.from_json(p.type.in(), values[i], "arguments." + p.name);
    } catch (const WrongJson& e) {
      refuse(e.path + ": " + e.text);
    }
  }
}

void Call::make(bool oneway) {
  request_ = object_->_request(signature_.operation.c_str());
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const Signature::Parameter& p = signature_.parameters[i];
    CORBA::Any& to = *request_->arguments()->add_item(p.name.c_str(), p.flags)->value();
    if (p.flags == CORBA::ARG_OUT)
      to.replace(p.type.in(), nullptr);
    else
      to = values_[i];
  }
  request_->set_return_type(signature_.result.in());
  for (const CORBA::TypeCode_var& e : signature_.exceptions) request_->exceptions()->add(e.in());
  if (!signature_.contexts.empty()) {
    for (const std::string& pattern : signature_.contexts) request_->contexts()->add(pattern.c_str());
    CORBA::Context_var context;
    orb_->get_default_context(context.out());
    request_->ctx(context.in());
  }
  oneway_ = oneway || signature_.oneway;
  if (oneway_)
    request_->send_oneway();
  else
    request_->invoke();
  CORBA::Exception* const e = request_->env()->exception();
  if (e && !CORBA::UnknownUserException::_downcast(e)) e->_raise();
}

Outcome Call::outcome() {
  Outcome out;
  if (auto* e = CORBA::UnknownUserException::_downcast(request_->env()->exception())) {
    const CORBA::TypeCode_var type = e->exception().type();
    out.status = kUserException;
    out.output = Json::object();
    out.output.add("exception", Json::string(type->id()));
    out.output.add("members", mapping_.to_json(e->exception()));
    return out;
  }
  if (oneway_) {
    out.silent = true;
    return out;
  }
  const bool has_result = signature_.result->kind() != CORBA::tk_void;
  Json result = has_result ? mapping_.to_json(request_->return_value()) : Json();
  Json others = Json::object();
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (signature_.parameters[i].flags == CORBA::ARG_IN) continue;
    others.add(signature_.parameters[i].name,
               mapping_.to_json(*request_->arguments()->item(static_cast<CORBA::ULong>(i))->value()));
  }
  if (others.items.empty()) {
    out.output = std::move(result);
    return out;
  }
  out.output = Json::object();
  if (has_result) out.output.add("result", std::move(result));
  out.output.add("out", std::move(others));
  return out;
}

namespace {

std::string in_words(std::chrono::nanoseconds time) {
  const auto ns = static_cast<double>(time.count());
  char text[40];
  if (ns < 1e6)
    std::snprintf(text, sizeof text, "%.1f us", ns / 1e3);
  else if (ns < 1e9)
    std::snprintf(text, sizeof text, "%.2f ms", ns / 1e6);
  else
    std::snprintf(text, sizeof text, "%.2f s", ns / 1e9);
  return text;
}

}  // namespace

std::string latencies(std::vector<std::chrono::nanoseconds> times) {
  if (times.empty()) return {};
  std::sort(times.begin(), times.end());
  std::chrono::nanoseconds all{0};
  for (const auto t : times) all += t;
  const auto at = [&](double share) {
    return in_words(
        times[std::min(times.size() - 1, static_cast<std::size_t>(share * static_cast<double>(times.size())))]);
  };
  std::string out = std::to_string(times.size()) + (times.size() == 1 ? " call in " : " calls in ") + in_words(all) +
                    "\n  least " + in_words(times.front()) + ", median " + at(0.5) + ", 90 % " + at(0.9) + ", 99 % " +
                    at(0.99) + ", most " + in_words(times.back()) + "\n";
  // Steps of a factor of two; those at the ends that have none are left out.
  std::size_t i = 0;
  for (std::int64_t limit = 1000; i < times.size(); limit *= 2) {
    const std::size_t from = i;
    while (i < times.size() && times[i].count() < limit) ++i;
    if (i == 0) continue;
    const std::size_t n = i - from;
    const std::string below = "below " + in_words(std::chrono::nanoseconds(limit));
    out += "  " + std::string(below.size() < 15 ? 15 - below.size() : 0, ' ') + below + "  " +
           std::string((n * 40 + times.size() - 1) / times.size(), '#') + " " + std::to_string(n) + "\n";
  }
  return out;
}

}  // namespace callis::tools
