// SPDX-License-Identifier: Apache-2.0
// Requests of the page, answered by what callis call is made of: a Call for each call, nothing kept.
#include <services/programs/usage.h>
#include <callis/base/text.h>
#include <tools/browse/api.h>
#include <tools/browse/naming.h>
#include <tools/browse/type_json.h>
#include <tools/call/call.h>
#include <tools/call/expected.h>
#include <tools/call/texts.h>
#include <algorithm>

namespace callis::tools {

namespace ast = idl::ast;

namespace {

using Guard = std::unique_lock<std::recursive_mutex>;

struct NotFound {};

Json shown(std::string_view t) { return Json::string(is_utf8(t) ? std::string(t) : programs::escaped(t)); }

std::string string_member(const Json& input, const std::string& name) {
  const Json& found = member(input, name, "request");
  // Texts for the ORB would end there.
  if (found.kind != Json::Kind::String || found.text.find('\0') != std::string::npos)
    wrong("request." + name, "a string without NUL characters", found);
  return found.text;
}

std::string optional_string(const Json& input, const std::string& name) {
  const Json* const found = input.find(name);
  return found && found->kind != Json::Kind::Null ? string_member(input, name) : std::string();
}

const char* completion(CORBA::CompletionStatus status) {
  return status == CORBA::COMPLETED_YES ? "yes" : status == CORBA::COMPLETED_NO ? "no" : "maybe";
}

void add_exception(Json& to, const CORBA::SystemException& e, const Arguments& arguments) {
  to.add("status", Json::string("system"));
  to.add("name", shown(e._name()));
  to.add("minor", Json::number(std::to_string(e.minor())));
  to.add("completed", Json::string(completion(e.completed())));
  to.add("text", shown(explain(e, arguments)));
}

// For a shell of POSIX.
std::string quoted(const std::string& word) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-./:@%+=,").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// The call as a command line; empty where the arguments are none that a command line can have.
std::string command_line(const Arguments& arguments, const Json& input, const ast::WireOperation& o,
                         const std::string& interface) {
  std::vector<std::string> words{"callis", "call", string_member(input, "reference")};
  if (o.attribute)
    words.insert(words.end(), {o.is_setter ? "set" : "get", o.attribute->name});
  else
    words.push_back(o.name);
  const auto parsed = parse_json(string_member(input, "arguments"));
  const Json* const values = std::get_if<Json>(&parsed);
  if (!values) return {};
  for (const Json& value : values->items) words.push_back(to_text(value, false));
  for (const std::string& file : arguments.idl) words.insert(words.end(), {"--idl", file});
  if (!arguments.ifr.empty()) words.insert(words.end(), {"--ifr", arguments.ifr});
  for (const std::string& dir : arguments.preprocess.include_dirs) words.insert(words.end(), {"-I", dir});
  for (const std::string& macro : arguments.preprocess.defines) words.insert(words.end(), {"-D", macro});
  for (const std::string& macro : arguments.preprocess.undefines) words.insert(words.end(), {"-U", macro});
  if (!interface.empty()) words.insert(words.end(), {"--interface", interface});
  const Json* const oneway = input.find("oneway");
  if (oneway && oneway->truth) words.push_back("--oneway");
  words.insert(words.end(), arguments.orb.begin(), arguments.orb.end());
  std::string out;
  for (const std::string& w : words) out += (out.empty() ? "" : " ") + quoted(w);
  return out;
}

}  // namespace

HttpAnswer Api::answer(const HttpRequest& request) {
  struct InProgress {
    std::atomic<unsigned>& in_progress;
    const unsigned before = in_progress++;
    ~InProgress() { --in_progress; }
  } const place{in_progress_};
  const auto failed = [](int status, const std::string& why) {
    Json out = Json::object();
    out.add("error", shown(why));
    return HttpAnswer{status, "application/json", to_text(out, false)};
  };
  if (place.before >= kMostCalls) return failed(503, "8 calls are in progress already");
  const auto parsed = parse_json(request.body);
  if (const auto* error = std::get_if<JsonError>(&parsed)) return failed(400, error->said());
  const Json& input = std::get<Json>(parsed);
  if (input.kind != Json::Kind::Object) return failed(400, "expected an object, found " + describe(input));
  const std::string name = request.path.substr(0, 4) == "api/" ? request.path.substr(4) : "";
  try {
    Json out;
    if (name == "roots")
      out = roots();
    else if (name == "look")
      out = look(input);
    else if (name == "list")
      out = list(input);
    else if (name == "call")
      out = call(input);
    else
      return failed(404, "there is nothing of that name");
    return {200, "application/json", to_text(out, false)};
  } catch (const WrongJson& e) {
    return failed(400, e.path + ": " + e.text);
  } catch (const Failure& e) {
    return failed(200, e.text);
  } catch (const CORBA::SystemException& e) {
    return failed(200, explain(e, arguments_));
  } catch (const CORBA::UserException& e) {
    return failed(200, std::string("the naming service raised ") + e._name());
  }
}

Json Api::roots() {
  const Guard guard(types_.mutex);
  Json out = Json::object(), roots = Json::array(), interfaces = Json::array(), files = Json::array();
  for (const Root& r : roots_) {
    Json one = Json::object();
    one.add("name", shown(r.name));
    one.add("reference", shown(r.reference));
    roots.add(std::move(one));
  }
  for (const ast::Interface* i : types_.interfaces()) interfaces.add(shown(ast::scoped_name(*i)));
  for (const std::string& file : arguments_.idl) files.add(shown(file));
  out.add("roots", std::move(roots));
  out.add("interfaces", std::move(interfaces));
  out.add("idl", std::move(files));
  return out;
}

CORBA::Object_var Api::object(const Json& input) {
  if (input.find("context")) {
    const CORBA::Object_var context = orb_->string_to_object(string_member(input, "context").c_str());
    if (CORBA::is_nil(context.in())) throw Failure{kCannotRead, "the context is nil"};
    CORBA::Object_var found = resolve(context.in(), member(input, "component", "request"));
    if (CORBA::is_nil(found.in())) throw Failure{kCannotRead, "nil is bound to that name"};
    return found;
  }
  const std::string reference = string_member(input, "reference");
  CORBA::Object_var found;
  try {
    found = orb_->string_to_object(reference.c_str());
  } catch (const CORBA::BAD_PARAM& e) {
    throw Failure{kCannotRead, e.what()};
  }
  if (CORBA::is_nil(found.in())) throw Failure{kCannotRead, "the reference is nil"};
  return found;
}

// With IDL files the declarations do not change any more, and objects are asked while other threads use the types.
const ast::Interface& Api::interface(CORBA::Object_ptr object, const Json& input) {
  std::string name = optional_string(input, "interface");
  if (name.empty()) name = arguments_.interface;
  if (!arguments_.idl.empty()) return find_interface(types_, object, name);
  // What the Interface Repository has is read once, and added to the types; others use them meanwhile.
  const auto find = [&](const std::string& id_or_name) {
    const Guard guard(types_.mutex);
    return types_.find_interface(id_or_name);
  };
  const std::string wanted = name.empty() ? object->_interface_repository_id() : name;
  if (const ast::Interface* known = find(wanted)) return *known;
  const std::lock_guard reading(reading_);
  const ast::Interface* found = find(wanted);
  if (!found) found = find(read_from_repository(types_, orb_, object, arguments_, name));
  if (!found) throw Failure{kCannotRead, "what the Interface Repository has is no interface"};
  return *found;
}

Json Api::look(const Json& input) {
  const CORBA::Object_var object = this->object(input);
  const CORBA::String_var reference = orb_->object_to_string(object.in());
  Json out = Json::object();
  out.add("reference", shown(reference.in()));
  out.add("type_id", shown(object->_interface_repository_id()));
  Json interface, problem;
  bool context = false;
  try {
    context = is_naming_context(object.in());
    interface = interface_json(this->interface(object.in(), input));
  } catch (const Failure& e) {
    problem = shown(e.text);
  } catch (const CORBA::SystemException& e) {
    problem = shown(explain(e, arguments_));
  }
  out.add("context", Json::boolean(context));
  out.add("interface", std::move(interface));
  out.add("problem", std::move(problem));
  return out;
}

Json Api::list(const Json& input) {
  const CORBA::Object_var object = this->object(input);
  return bindings(object.in());
}

Json Api::call(const Json& input) {
  const CORBA::Object_var object = this->object(input);
  Json out = Json::object();
  try {
    make(input, object.in(), out);
  } catch (const Failure& e) {
    out.add("status", Json::string("wrong"));
    out.add("text", shown(e.text));
  } catch (const CannotShow& e) {
    out.add("status", Json::string("shown"));
    out.add("text", shown("the call was made, but its result cannot be shown: " + e.text));
  } catch (const CORBA::SystemException& e) {
    add_exception(out, e, arguments_);
  }
  return out;
}

void Api::make(const Json& input, CORBA::Object_ptr object, Json& out) {
  const ast::Interface& interface = this->interface(object, input);
  Arguments wanted;
  wanted.operation = string_member(input, "operation");
  std::size_t rest = 0;
  const ast::WireOperation operation = find_operation(interface, wanted, rest);
  out.add("command", shown(command_line(arguments_, input, operation, optional_string(input, "interface"))));
  const auto parsed = parse_json(string_member(input, "arguments"));
  if (const auto* error = std::get_if<JsonError>(&parsed))
    throw Failure{kWrongUsage, "the arguments are not JSON: " + error->said()};
  const Json* const oneway = input.find("oneway");
  Guard guard(types_.mutex);
  Call call(orb_, types_, object, operation);
  call.read(std::get<Json>(parsed), "the arguments");
  guard.unlock();
  const auto begin = std::chrono::steady_clock::now();
  const auto took = [&] {
    out.add("nanoseconds", Json::number(std::to_string((std::chrono::steady_clock::now() - begin).count())));
  };
  try {
    call.make(oneway && oneway->truth);
  } catch (const CORBA::SystemException&) {
    took();
    throw;
  }
  took();
  guard.lock();
  const Outcome outcome = call.outcome();
  out.add("status", Json::string(outcome.silent ? "sent" : outcome.status == kUserException ? "user" : "result"));
  if (!outcome.silent) out.add("output", Json::string(to_text(outcome.output, true)));
  if (outcome.status == kUserException) out.add("name", *outcome.output.find("exception"));
  std::string left_out;
  for (const std::string& what : call.left_out()) left_out += (left_out.empty() ? "" : "\n") + what;
  if (!left_out.empty()) out.add("text", shown(left_out));
}

}  // namespace callis::tools
