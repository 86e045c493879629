// SPDX-License-Identifier: Apache-2.0
// Annotations as RT_Infos: @rt, @rt_calls and @rt_lock of operations. Their values are constant expressions as
// written: a number, a string, or a word.
#include <callis/base/text.h>
#include <idl/ast/nodes.h>
#include <services/scheduling/model_idl.h>
#include <services/scheduling/time_text.h>

namespace callis::scheduling {

namespace {

namespace ast = idl::ast;
using Parameter = ast::Annotation::Parameter;

// Calls f for every annotation of the main file, and for the declaration that it stands before.
template<class F>
void each_annotation(const ast::Declaration& d, F& f) {
  for (const ast::Annotation& a : d.annotations)
    if (d.from_main_file) f(d, a);
  const ast::Declarations* inside = nullptr;
  if (const auto* m = ast::as<ast::Module>(&d)) inside = &m->contents;
  if (const auto* i = ast::as<ast::Interface>(&d)) inside = &i->contents;
  if (const auto* v = ast::as<ast::ValueType>(&d)) inside = &v->contents;
  if (inside)
    for (const auto& each : *inside) each_annotation(*each, f);
}

class IdlReading {
 public:
  IdlReading(Model& model, const idl::driver::Compilation& compilation) : model_(model), compilation_(compilation) {}

  void add_operations() {
    each([this](const ast::Declaration& d, const ast::Annotation& a) {
      if (a.name == "rt") add_operation(d, a);
    });
    each([this](const ast::Declaration& d, const ast::Annotation& a) {
      if (a.name == "rt_lock") add_lock(d, a);
    });
  }
  void add_calls() {
    each([this](const ast::Declaration& d, const ast::Annotation& a) {
      if (a.name == "rt_calls") add_call(d, a);
    });
  }

 private:
  template<class F>
  void each(F f) {
    for (const auto& d : compilation_.unit->contents) each_annotation(*d, f);
  }
  [[noreturn]] void refuse(const idl::source::Range& where, const std::string& text,
                           Refused::Kind kind = Refused::Kind::BadValue) const {
    idl::source::Diagnostics out(*compilation_.files);
    out.error(where, text);
    std::string all = out.text();
    while (!all.empty() && all.back() == '\n') all.pop_back();
    throw Refused(kind, all);
  }
  // "FILE:LINE:COLUMN"
  std::string place_text(const idl::source::Range& where) const {
    idl::source::Diagnostics out(*compilation_.files);
    out.error(where, "");
    const std::string all = out.text();
    return all.substr(0, std::min(all.find(": error:"), all.find('\n')));
  }
  template<class F>
  auto placed(const idl::source::Range& where, F&& f) const {
    try {
      return f();
    } catch (const Refused& r) {
      refuse(where, r.what(), r.kind());
    }
  }
  [[noreturn]] void refuse_unknown(const ast::Annotation& a, const Parameter& p, const char* known) const {
    refuse(p.where, "'@" + a.name + "' has no parameter '" + p.name + "', only " + known);
  }

  // As it is meant: without the quotes of a string.
  std::string plain(const Parameter& p) const {
    const std::string& text = p.text;
    if (text.size() < 2 || text.front() != '"') return text;
    const std::string out = text.substr(1, text.size() - 2);
    if (text.back() != '"' || out.find_first_of("\"\\") != std::string::npos)
      refuse(p.where, "'" + p.name + "' is one string without escapes");
    return out;
  }
  Time time(const Parameter& p) const {
    const auto out = parse_time(plain(p));
    if (!out)
      refuse(p.where, "'" + p.name + "' is no time: " + quoted(p.text) +
                          "; write \"25ms\" (ns, us, ms, s, min, Hz) or whole nanoseconds, at most " +
                          time_text(kLongestTime));
    return *out;
  }
  std::uint32_t number(const Parameter& p) const {
    std::uint64_t out = 0;
    if (!parse_decimal(p.text, 0xffffffff, out))
      refuse(p.where, "'" + p.name + "' is a whole number, not " + quoted(p.text));
    return static_cast<std::uint32_t>(out);
  }
  template<class E>
  void word(const Parameter& p, E& out, const char* words) const {
    if (!from_word(plain(p), out)) refuse(p.where, "'" + p.name + "' is one of " + words);
  }
  Index annotated(const ast::Declaration& d, const ast::Annotation& a) const {
    const Index out = model_.find(ast::scoped_name(d));
    if (out == kNobody)
      refuse(a.where, "'@" + a.name + "' stands beside '@rt', which '" + d.name + "' does not have");
    return out;
  }
  void add_operation(const ast::Declaration& d, const ast::Annotation& a);
  void add_lock(const ast::Declaration& d, const ast::Annotation& a);
  void add_call(const ast::Declaration& d, const ast::Annotation& a);

  Model& model_;
  const idl::driver::Compilation& compilation_;
};

constexpr char kFiveLevels[] = "very_low, low, medium, high, very_high";

void IdlReading::add_operation(const ast::Declaration& d, const ast::Annotation& a) {
  if (d.kind != ast::DeclarationKind::Operation)
    refuse(a.where,
           "'@rt' is for operations; what reads or writes an attribute can be scheduled by a file of JSON, as "
           "A::_get_" +
               d.name);
  RtInfo info;
  info.entry_point = ast::scoped_name(d);
  for (const Parameter& p : a.parameters) {
    if (p.name == "kind")
      word(p, info.kind, "operation, and, or");
    else if (p.name == "wcet")
      info.worst_case = time(p);
    else if (p.name == "typical")
      info.typical = time(p);
    else if (p.name == "cached")
      info.cached = time(p);
    else if (p.name == "period")
      info.period = time(p);
    else if (p.name == "deadline")
      info.deadline = time(p);
    else if (p.name == "jitter")
      info.jitter = time(p);
    else if (p.name == "blocking")
      info.blocking = time(p);
    else if (p.name == "quantum")
      info.quantum = time(p);
    else if (p.name == "criticality")
      word(p, info.criticality, kFiveLevels);
    else if (p.name == "importance")
      word(p, info.importance, kFiveLevels);
    else if (p.name == "threads")
      info.threads = number(p);
    else
      refuse_unknown(a, p,
                     "kind, wcet, typical, cached, period, deadline, jitter, blocking, quantum, criticality, "
                     "importance, threads");
  }
  info.where = place_text(a.where);
  placed(a.where, [&] { return model_.add(std::move(info)); });
}

void IdlReading::add_lock(const ast::Declaration& d, const ast::Annotation& a) {
  const Index at = annotated(d, a);
  Lock lock;
  for (const Parameter& p : a.parameters) {
    if (p.name == "name")
      lock.name = plain(p);
    else if (p.name == "time")
      lock.longest = time(p);
    else
      refuse_unknown(a, p, "name, time");
  }
  RtInfo info = model_.infos()[at];
  info.locks.push_back(std::move(lock));
  placed(a.where, [&] { model_.change(at, std::move(info)); });
}

void IdlReading::add_call(const ast::Declaration& d, const ast::Annotation& a) {
  Dependency out;
  out.caller = annotated(d, a);
  for (const Parameter& p : a.parameters) {
    if (p.name == "operation") {
      std::string name = plain(p);
      if (name.starts_with("::")) name.erase(0, 2);
      placed(p.where, [&] { out.called = model_.at(name); });
    } else if (p.name == "times") {
      out.times = number(p);
    } else if (p.name == "oneway" && (p.text == "TRUE" || p.text == "FALSE")) {
      out.kind = p.text == "TRUE" ? CallKind::OneWay : CallKind::TwoWay;
    } else if (p.name == "oneway") {
      refuse(p.where, "'oneway' is TRUE or FALSE");
    } else {
      refuse_unknown(a, p, "operation, oneway, times");
    }
  }
  if (out.called == kNobody) refuse(a.where, "'@rt_calls' needs its parameter 'operation'");
  placed(a.where, [&] { model_.add(out); });
}

}  // namespace

void add_idl(Model& model, const idl::driver::Compilation& compilation) {
  IdlReading(model, compilation).add_operations();
}

void add_idl_calls(Model& model, const idl::driver::Compilation& compilation) {
  IdlReading(model, compilation).add_calls();
}

}  // namespace callis::scheduling
