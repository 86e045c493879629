// SPDX-License-Identifier: Apache-2.0
// First all operations, then who calls whom. Members that nobody knows are errors: they are misspelt ones.
#include <callis/base/json_text.h>
#include <callis/base/text.h>
#include <services/scheduling/json_file.h>
#include <services/scheduling/model_json.h>
#include <services/scheduling/time_text.h>
#include <algorithm>
#include <initializer_list>

namespace callis::scheduling {

namespace {

class JsonReading final : private JsonFile {
 public:
  JsonReading(Model& model, const std::string& file) : JsonFile(file), model_(model) {}

  void run(const Json& root) {
    want(root, Json::Kind::Object, "the file");
    only(root, {"operations"});
    const Json* const operations = root.find("operations");
    if (!operations) refuse(root, "the file has no member \"operations\"");
    want(*operations, Json::Kind::Array, "\"operations\"");
    std::vector<Index> numbers;
    for (const Json& each : operations->items) numbers.push_back(add(each));
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if (const Json* const calls = operations->items[i].find("calls")) add_calls(numbers[i], *calls);
  }

 private:
  void only(const Json& object, std::initializer_list<std::string_view> names) const;
  // What the model says of it, with its place.
  template<class F>
  auto placed(const Json& at, F&& f) const {
    try {
      return f();
    } catch (const Refused& r) {
      refuse_at(file_, at.where, r.what(), r.kind());
    }
  }
  void time(const Json& object, std::string_view name, Time& out) const;
  Time time(const Json& value, const std::string& what) const;
  void number(const Json& object, std::string_view name, std::uint32_t& out) const;
  template<class E>
  void word(const Json& object, std::string_view name, E& out, const char* words) const;
  std::string name_in(const Json& object) const;
  Index add(const Json& value);
  void add_calls(Index caller, const Json& calls);

  Model& model_;
};

void JsonReading::only(const Json& object, std::initializer_list<std::string_view> names) const {
  for (const Json::Name& name : object.names) {
    if (std::find(names.begin(), names.end(), name.text) != names.end()) continue;
    std::string_view near;
    std::size_t best = 4;
    for (const std::string_view each : names) {
      const std::size_t distance = edit_distance(each, name.text);
      if (distance < best) {
        best = distance;
        near = each;
      }
    }
    refuse_at(file_, name.where,
              "there is no member " + json_string(name.text) +
                  (near.empty() ? "" : "; did you mean " + json_string(near) + "?"));
  }
}

Time JsonReading::time(const Json& value, const std::string& what) const {
  if (value.kind != Json::Kind::String && value.kind != Json::Kind::Number)
    refuse(value, what + " is a time, not " + std::string(kind_word(value.kind)));
  const auto out = parse_time(value.text);
  if (!out)
    refuse(value, what + " is no time: " + quoted(value.text) +
                      "; write \"25ms\" (ns, us, ms, s, min, Hz) or whole nanoseconds, at most " +
                      time_text(kLongestTime));
  return *out;
}

void JsonReading::time(const Json& object, std::string_view name, Time& out) const {
  if (const Json* const value = object.find(name)) out = time(*value, json_string(name));
}

void JsonReading::number(const Json& object, std::string_view name, std::uint32_t& out) const {
  const Json* const value = object.find(name);
  if (!value) return;
  std::uint64_t n = 0;
  if (value->kind != Json::Kind::Number || !parse_decimal(value->text, 0xffffffff, n))
    refuse(*value, json_string(name) + " is a whole number, not " +
                       (value->kind == Json::Kind::Number ? value->text : std::string(kind_word(value->kind))));
  out = static_cast<std::uint32_t>(n);
}

template<class E>
void JsonReading::word(const Json& object, std::string_view name, E& out, const char* words) const {
  const Json* const value = object.find(name);
  if (!value) return;
  if (value->kind != Json::Kind::String || !from_word(value->text, out))
    refuse(*value, json_string(name) + " is one of " + words);
}

std::string JsonReading::name_in(const Json& object) const {
  const Json* const name = object.find("name");
  if (!name) refuse(object, "the member \"name\" is missing");
  want(*name, Json::Kind::String, "\"name\"");
  return name->text;
}

constexpr char kLevelWords[] = "\"very-low\", \"low\", \"medium\", \"high\", \"very-high\"";

Index JsonReading::add(const Json& value) {
  want(value, Json::Kind::Object, "an operation");
  only(value, {"name", "kind", "wcet", "typical", "cached", "period", "deadline", "jitter", "blocking", "criticality",
               "importance", "quantum", "threads", "locks", "calls"});
  RtInfo info;
  info.entry_point = name_in(value);
  word(value, "kind", info.kind, "\"operation\", \"and\", \"or\"");
  time(value, "wcet", info.worst_case);
  time(value, "typical", info.typical);
  time(value, "cached", info.cached);
  time(value, "period", info.period);
  time(value, "deadline", info.deadline);
  time(value, "jitter", info.jitter);
  time(value, "blocking", info.blocking);
  time(value, "quantum", info.quantum);
  word(value, "criticality", info.criticality, kLevelWords);
  word(value, "importance", info.importance, kLevelWords);
  number(value, "threads", info.threads);
  if (const Json* const locks = value.find("locks")) {
    want(*locks, Json::Kind::Object, "\"locks\", names with the longest time each is held,");
    for (std::size_t i = 0; i < locks->items.size(); ++i)
      info.locks.push_back(
          {locks->names[i].text, time(locks->items[i], "the lock " + json_string(locks->names[i].text))});
  }
  info.where = place_text(file_, value.where);
  return placed(value, [&] { return model_.add(std::move(info)); });
}

void JsonReading::add_calls(Index caller, const Json& calls) {
  want(calls, Json::Kind::Array, "\"calls\"");
  for (const Json& each : calls.items) {
    Dependency d;
    d.caller = caller;
    std::string name = each.text;
    if (each.kind == Json::Kind::Object) {
      only(each, {"name", "how", "times"});
      name = name_in(each);
      word(each, "how", d.kind, "\"twoway\", \"oneway\"");
      number(each, "times", d.times);
    } else {
      want(each, Json::Kind::String, "a call, an object or the name of what is called,");
    }
    placed(each, [&] {
      d.called = model_.at(name);
      model_.add(d);
    });
  }
}

}  // namespace

void add_json(Model& model, std::string_view text, const std::string& file) {
  JsonReading(model, file).run(read_json(text, file));
}

}  // namespace callis::scheduling
