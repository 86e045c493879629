// SPDX-License-Identifier: Apache-2.0
// Straight-line code for operations: stubs and upcalls.
#include <idl/backends/classic/compiled_operations.h>
#include <idl/backends/classic/cxx_types.h>
#include <idl/backends/classic/declarations.h>
#include <idl/backends/classic/fixed_struct.h>
#include <idl/backends/classic/header.h>
#include <idl/backends/classic/interfaces.h>
#include <idl/backends/classic/names.h>
#include <idl/backends/classic/wire.h>
#include <algorithm>
#include <utility>

namespace callis::idl::backends::classic {

namespace {

using Mode = ast::Parameter::Mode;

bool is_fixed(Shape s) {
  return s == Shape::Primitive || s == Shape::Enum || s == Shape::FixedStruct || s == Shape::FixedArray;
}

std::string operation_id(const ast::WireOperation& op) { return cat(flat(*op.owner), "_", flat(op.name)); }

// ---- what a message begins with ----

// The primitives (of fixed size) and enums that come first on the wire, as long as nothing else comes between: two or
// more are one chunk, with one check, at offset 0. Bodies of GIOP 1.2 begin there; for those of older versions, which
// may begin elsewhere, there is a function that goes one by one.
class Start {
 public:
  // In the order of the wire; value is an expression over _v.
  void add(const ast::Type& t, const std::string& value) {
    const Shape s = shape(t);
    ended_ |= (s != Shape::Primitive && s != Shape::Enum) || wire_size(t) == 0;
    if (!ended_) leaves_.push_back({value, &ast::strip_aliases(t), 1, false});
  }
  // How many of the values added are in it.
  std::size_t size() const { return leaves_.size() < 2 ? 0 : leaves_.size(); }

  // The layout and the slow function, before those that use them; type is that of _v.
  void print_helpers(Text& to, CompiledTypes& types, const std::string& type, const std::string& suffix,
                     bool encode) const {
    if (!size()) return;
    print_start_layout(to, leaves_, type, suffix);
    to.open("[[gnu::cold, gnu::noinline]] void slow_", suffix,
            encode ? "(::callis::cdr::Encoder& _e, const " : "(::callis::cdr::Decoder& _d, ", type, "& _v) {");
    for (const Leaf& l : leaves_) to.line(encode ? types.put(*l.type, l.value) : types.get(*l.type, l.value));
    to.close("}");
  }
  // variable: what _v is.
  void print(Text& to, const std::string& suffix, const std::string& variable, bool encode) const {
    if (!size()) return;
    to.line("if (!::callis::classic::", encode ? "put" : "get", "_start<", start_layout(suffix), ">(",
            encode ? "_e, " : "_d, ", variable, ")) [[unlikely]] slow_", suffix, encode ? "(_e, " : "(_d, ", variable,
            ");");
  }

 private:
  std::vector<Leaf> leaves_;
  bool ended_ = false;
};

// ---- stubs: over the client's frame ----

// The value that a slot of the frame stands for.
std::string client_value(const ast::Type& t, Mode mode, const std::string& slot) {
  const Shape s = shape(t);
  if (is_array(s)) return s == Shape::VariableArray && mode == Mode::Out ? cat("(*", slot, ")") : slot;
  if (mode != Mode::In && !is_scalar(s)) return cat("(*", slot, ")");
  return is_class(s) ? cat("(*", slot, ")") : slot;
}

// Reads a result or out value. slot: where it goes; what the caller will own is null there so far.
void print_get_new(Text& to, CompiledTypes& types, const ast::Type& t, const std::string& slot, bool allocated) {
  if (!allocated) return to.line(types.get_owned(t, slot));
  const bool array = is_array(shape(t));
  to.open("if (auto* _n = ::callis::classic::new_value<", value_type(t), ">(_d)) {");
  to.line(slot, array ? " = *_n;" : " = _n;");
  to.line(types.get(t, "*_n"));
  to.close("}");
}

// Gives up what print_get_new() has read.
std::string drop(const ast::Type& t, const std::string& slot) {
  switch (shape(t)) {
    case Shape::String:
    case Shape::WString: return cat("::callis::classic::drop_string(", slot, ");");
    case Shape::Reference: return cat("::callis::classic::drop_reference(", slot, ");");
    case Shape::VariableStruct:
    case Shape::Sequence: return cat("::callis::classic::drop_value(", slot, ");");
    case Shape::VariableArray:
    case Shape::FixedArray: return cat("::callis::classic::drop_array<", value_type(t), ">(", slot, ");");
    default: return {};
  }
}

// Around all arguments, or all results: values may be shared among them.
constexpr const char* kEncodeScope = "const ::callis::value::EncodeScope _scope(_e);";
constexpr const char* kDecodeScope = "::callis::value::DecodeScope _scope(_d);";

bool sends_values(const ast::WireOperation& op) {
  const auto parameters = wire_parameters(op);
  return std::any_of(parameters.begin(), parameters.end(),
                     [](const WireParameter& p) { return p.mode != Mode::Out && holds_values(*p.type); });
}

bool returns_values(const ast::WireOperation& op) {
  const auto parameters = wire_parameters(op);
  return holds_values(wire_result(op)) ||
         std::any_of(parameters.begin(), parameters.end(),
                     [](const WireParameter& p) { return p.mode != Mode::In && holds_values(*p.type); });
}

void print_encode(Text& to, CompiledTypes& types, const ast::WireOperation& op, const std::string& id) {
  Start start;
  for (const WireParameter& p : wire_parameters(op))
    if (p.mode != Mode::Out) start.add(*p.type, client_value(*p.type, p.mode, "_v." + p.name));
  const std::string suffix = "request_" + id;
  start.print_helpers(to, types, "frame_" + id, suffix, true);
  Text body(1);
  if (sends_values(op)) body.line(kEncodeScope);
  start.print(body, suffix, "_f", true);
  std::size_t done = 0;
  for (const WireParameter& p : wire_parameters(op))
    if (p.mode != Mode::Out && done++ >= start.size())
      body.line(types.put(*p.type, client_value(*p.type, p.mode, "_f." + p.name)));
  if (body.empty()) return to.line("void encode_", id, "(::callis::cdr::Encoder&, const void*) {}");
  to.line("void encode_", id, "(::callis::cdr::Encoder& _e, const void* _frame) {");
  to.line("  const auto& _f = *static_cast<const frame_", id, "*>(_frame);");
  to.raw(body.str());
  to.line("}");
}

void print_decode(Text& to, CompiledTypes& types, const ast::WireOperation& op, const std::string& id) {
  Start start;
  if (shape(wire_result(op)) != Shape::Void) start.add(wire_result(op), "_v._result");
  for (const WireParameter& p : wire_parameters(op))
    if (p.mode != Mode::In) start.add(*p.type, client_value(*p.type, p.mode, "_v." + p.name));
  const std::string suffix = "reply_" + id;
  start.print_helpers(to, types, "frame_" + id, suffix, false);
  Text body(1), drops(2);
  if (returns_values(op)) body.line(kDecodeScope);
  start.print(body, suffix, "_f", false);
  std::size_t done = 0;
  const auto fresh = [&](const ast::Type& t, const std::string& slot, bool is_result) {
    const Shape s = shape(t);
    const bool variable = s == Shape::VariableStruct || s == Shape::Sequence || s == Shape::VariableArray;
    const bool allocated = variable || (is_result && s == Shape::FixedArray);
    print_get_new(body, types, t, slot, allocated);
    if (allocated || is_string(s) || s == Shape::Reference) drops.line(drop(t, slot));
  };
  const ast::Type& result = wire_result(op);
  if (const Shape s = shape(result); s != Shape::Void && done++ >= start.size())
    fresh(result, s == Shape::FixedStruct ? "(*_f._result)" : "_f._result", true);
  for (const WireParameter& p : wire_parameters(op)) {
    if (p.mode == Mode::In || done++ < start.size()) continue;
    const std::string value = client_value(*p.type, p.mode, "_f." + p.name);
    if (p.mode == Mode::InOut) body.line(types.get_owned(*p.type, value));
    if (p.mode == Mode::Out) fresh(*p.type, value, false);
  }
  if (body.empty()) return to.line("void decode_", id, "(::callis::cdr::Decoder&, void*) {}");
  to.line("void decode_", id, "(::callis::cdr::Decoder& _d, void* _frame) {");
  to.line("  auto& _f = *static_cast<frame_", id, "*>(_frame);");
  to.raw(body.str());
  if (!drops.empty()) {
    to.line("  if (!_d.ok()) {");
    to.raw(drops.str());
    to.line("  }");
  }
  to.line("}");
}

// ---- exceptions ----

std::string coder_name(const ast::Exception& e) { return "coder_" + flat(e); }

void print_exception(Text& to, CompiledTypes& types, const ast::Exception& e) {
  const std::string id = flat(e), type = absolute(e);
  const bool empty = e.members.empty();
  const bool values =
      std::any_of(e.members.begin(), e.members.end(), [](const ast::Member* m) { return holds_values(*m->type); });
  for (const bool encode : {true, false}) {
    to.open("void ", encode ? "encode_" : "decode_", id, "(::callis::cdr::", encode ? "Encoder&" : "Decoder&",
            empty    ? ""
            : encode ? " _e"
                     : " _d",
            ", ", encode ? "const " : "", "::CORBA::UserException&", empty ? "" : " _x", ") {");
    if (values) to.line(encode ? kEncodeScope : kDecodeScope);
    if (!empty) to.line("auto& _v = static_cast<", encode ? "const " : "", type, "&>(_x);");
    for (const ast::Member* m : e.members) {
      const std::string value = "_v." + name(*m);
      to.line(encode ? types.put(*m->type, value) : types.get(*m->type, value));
    }
    to.close("}");
  }
  to.line("const ::callis::orb::CompiledException ", coder_name(e), " = {", quoted(e.repository_id), ",");
  to.line("    ::callis::classic::create_exception<", type, ">, encode_", id, ", decode_", id, "};");
}

bool has_exceptions(const ast::WireOperation& op) { return !ast::raises(op).empty(); }

std::string raises_declarator(const ast::WireOperation& op) {
  return cat("const ::callis::orb::CompiledException* const raises_", operation_id(op), "[]");
}

}  // namespace

CompiledOperations::CompiledOperations(const ast::Unit& unit, const Selection& selection, CompiledTypes& types)
    : unit_(unit), shared_(unit_namespace(unit)), selection_(selection), types_(types) {
  for_each_remote(unit, [this](const ast::Interface& i) {
    for (const ast::WireOperation& op : ast::all_operations(i)) {
      if (!has(op)) continue;
      any_ = true;
      const auto same = [&op](const ast::WireOperation& known) {
        return known.operation == op.operation && known.attribute == op.attribute && known.is_setter == op.is_setter;
      };
      if (has_exceptions(op) && std::none_of(raising_.begin(), raising_.end(), same)) raising_.push_back(op);
    }
  });
}

std::string CompiledOperations::name(const ast::WireOperation& op) const { return "operation_" + operation_id(op); }

std::string CompiledOperations::raises(const ast::WireOperation& op) const {
  if (!has(op) || !has_exceptions(op)) return {};
  return cat(shared_, "::raises_", operation_id(op));
}

void CompiledOperations::print_raises(Text& to) const {
  std::vector<const ast::Exception*> exceptions;
  for (const ast::WireOperation& op : raising_)
    for (const ast::Exception* e : ast::raises(op))
      if (std::find(exceptions.begin(), exceptions.end(), e) == exceptions.end()) exceptions.push_back(e);
  if (!exceptions.empty()) {
    to.line("namespace {");
    for (const ast::Exception* e : exceptions) print_exception(to, types_, *e);
    to.line("}  // namespace");
  }
  for (const ast::WireOperation& op : raising_) {
    to.line("extern ", raises_declarator(op), ";");
    std::string list;
    for (const ast::Exception* e : ast::raises(op)) list += cat("&", coder_name(*e), ", ");
    to.line(raises_declarator(op), " = {", list, "nullptr};");
  }
}

void CompiledOperations::print_operation(Text& to, const ast::WireOperation& op, Descriptors& descriptors) const {
  const std::string id = operation_id(op);
  if (!wire_parameters(op).empty() || shape(wire_result(op)) != Shape::Void)
    print_client_frame(to, op, "frame_" + id);
  print_encode(to, types_, op, id);
  print_decode(to, types_, op, id);
  const std::size_t entry = descriptors.operation(op, true);
  to.line("const ::callis::orb::CompiledOperation ", name(op), " = {&unit, ", entry, "u, encode_", id, ", decode_",
          id, ", ", has_exceptions(op) ? cat("raises_", id) : "nullptr", "};");
}

void CompiledOperations::print_coders(Text& to, Descriptors& descriptors) const {
  if (!any_) return;
  Text operations;
  print_raises(operations);
  operations.line("namespace {");
  for_each_remote(unit_, [&](const ast::Interface& i) {
    for (const ast::WireOperation& op : ast::own_operations(i))
      if (has(op)) print_operation(operations, op, descriptors);
  });
  operations.line("}  // namespace");
  types_.print(to);
  to.raw(std::move(operations));
}

// ---- skeletons ----

namespace {

// A local variable that holds an argument, an out value or the result, and how the servant gets it.
struct Local {
  std::string definition;
  std::string argument;
  std::string put_value;  // what put() takes once the servant has returned
  bool pointer = false;   // may be null then
  std::string get_value;  // what get() takes
};

// Whether the argument stays in the message and the arena.
bool is_borrowed(const ast::Type& t, Mode mode) {
  return mode == Mode::In && ast::is_variable_length(t) && !holds_references(t);
}

Local local(const ast::Type& t, Mode mode, const std::string& id) {
  const Shape s = shape(t);
  const std::string value = value_type(t);
  if (is_borrowed(t, mode)) {
    if (is_string(s)) return {cat(value, " ", id, " = nullptr;"), id, id, false, id};
    return {cat("::callis::classic::Borrowed<", value, "> ", id, ";"), id + ".value()", {}, false, id + ".value()"};
  }
  if (is_string(s) || s == Shape::Reference) {
    const char* member = mode == Mode::In ? ".in()" : mode == Mode::InOut ? ".inout()" : ".out()";
    const std::string type = is_string(s) ? cat("::CORBA::", string_name(s), "_var")
                                          : cat("::callis::classic::ReferenceVar<", interface_type(t), ">");
    return {cat(type, " ", id, ";"), id + member, id + ".in()", false, id};
  }
  if (mode != Mode::Out || is_fixed(s)) {
    const bool plain = is_fixed(s);
    return {cat(value, " ", id, plain ? "{}" : "", ";"), id, id, false, id};
  }
  if (is_array(s))
    return {cat("::callis::classic::VariableArrayVar<", value, "> ", id, ";"), id + ".out()", id + ".in()", true, {}};
  return {cat("::callis::classic::VariableVar<", value, "> ", id, ";"), id + ".out()", id + ".in()", true, {}};
}

Local result_local(const ast::Type& t, const std::string& call) {
  const Shape s = shape(t);
  const std::string value = value_type(t);
  const auto holder = [&](const std::string& type, bool pointer) {
    return Local{cat("const ", type, " _r(", call, ");"), {}, "_r.in()", pointer, {}};
  };
  switch (s) {
    case Shape::String:
    case Shape::WString: return holder(cat("::CORBA::", string_name(s), "_var"), false);
    case Shape::Reference: return holder(cat("::callis::classic::ReferenceVar<", interface_type(t), ">"), false);
    case Shape::FixedArray: return holder(cat("::callis::classic::FixedArrayVar<", value, ">"), true);
    case Shape::VariableArray: return holder(cat("::callis::classic::VariableArrayVar<", value, ">"), true);
    case Shape::VariableStruct:
    case Shape::Sequence: return holder(cat("::callis::classic::VariableVar<", value, ">"), true);
    default: return {cat("const ", value, " _r = ", call, ";"), {}, "_r", false, {}};
  }
}

void print_put_local(Text& to, CompiledTypes& types, const ast::Type& t, const Local& l,
                     const std::string& variable) {
  const std::string statement = types.put(t, l.put_value);
  if (!l.pointer) return to.line(statement);
  to.line("if (", variable, ".ptr()) ", statement);
  to.line("else _e.set_fault(::callis::Fault::NullPointer);");
}

}  // namespace

std::string CompiledOperations::print_serve(Text& to, const ast::Interface& i, const ast::WireOperation& op) const {
  const std::string& shared = shared_;
  CompiledTypes& types = types_;
  const std::string function = cat("serve_", flat(i), "_", flat(op.name));
  const auto parameters = wire_parameters(op);
  const ast::Type& result = wire_result(op);
  const bool oneway = op.operation && op.operation->oneway;
  // Primitives and enums lie in one struct, so that both starts can have them as _v.
  const std::string values = cat("values_", flat(i), "_", flat(op.name)), first = "arguments_" + function,
                    last = "results_" + function;
  Text members(1);
  Start arguments_start, results_start;
  const auto in_values = [](const ast::Type& t) { return shape(t) == Shape::Primitive || shape(t) == Shape::Enum; };
  if (in_values(result)) members.line(value_type(result), " _result;");
  if (shape(result) != Shape::Void) results_start.add(result, "_v._result");
  for (const WireParameter& p : parameters) {
    if (in_values(*p.type)) members.line(value_type(*p.type), " ", p.name, ";");
    if (p.mode != Mode::Out) arguments_start.add(*p.type, "_v." + p.name);
    if (p.mode != Mode::In) results_start.add(*p.type, "_v." + p.name);
  }
  const bool one_struct = arguments_start.size() || results_start.size();
  if (one_struct) {
    to.line("struct ", values, " {");
    to.raw(members.str());
    to.line("};");
    arguments_start.print_helpers(to, types, values, first, false);
    results_start.print_helpers(to, types, values, last, true);
  }
  to.open("void ", function, "(void* _self, ::callis::orb::ServerRequest& _request) {");
  to.line("using namespace ::", shared, ";");
  to.line("::callis::cdr::Decoder& _d = _request.arguments();");
  if (one_struct) to.line(values, " _v{};");
  if (sends_values(op)) to.line(kDecodeScope);
  arguments_start.print(to, first, "_v", false);
  const auto local = [&](const WireParameter& p) {
    if (one_struct && in_values(*p.type)) return Local{{}, "_v." + p.name, "_v." + p.name, false, "_v." + p.name};
    return classic::local(*p.type, p.mode, p.local());
  };
  std::size_t decoded = 0, encoded = 0;
  std::string arguments, context;
  bool results = shape(result) != Shape::Void, borrows = false;
  for (const WireParameter& p : parameters) {
    const Local l = local(p);
    if (!l.definition.empty()) to.line(l.definition);
    if (is_borrowed(*p.type, p.mode) && !std::exchange(borrows, true))
      to.line("if (!::callis::classic::has_arena(_d)) return ::callis::poa::check_arguments(_d);");
    if (p.mode != Mode::Out && decoded++ >= arguments_start.size()) {
      const Shape s = shape(*p.type);
      const bool borrowed = is_borrowed(*p.type, p.mode);
      const bool guarded = !borrowed && ast::is_variable_length(*p.type) && !is_string(s) && s != Shape::Reference;
      const std::string get =
          borrowed ? types.get_borrowed(*p.type, l.get_value) : types.get_owned(*p.type, l.get_value);
      to.line(guarded ? cat("{ const ::callis::classic::Owned _owned(_d); ", get, " }") : get);
    }
    results |= p.mode != Mode::In;
    if (p.context) context = l.argument;
    else arguments += (arguments.empty() ? "" : ", ") + l.argument;
  }
  to.line("::callis::poa::check_arguments(_d);");
  if (sends_values(op)) to.line("_scope.close();");
  if (!context.empty()) arguments += (arguments.empty() ? "" : ", ") + print_received_context(to, context);
  const std::string call =
      cat("static_cast<", skeleton_absolute(i), "*>(_self)->", function_name(op), "(", arguments, ")");
  Local r;
  if (shape(result) == Shape::Void) {
    to.line(call, ";");
  } else if (one_struct && in_values(result)) {
    r = {{}, {}, "_v._result", false, {}};
    to.line("_v._result = ", call, ";");
  } else {
    r = result_local(result, call);
    to.line(r.definition);
  }
  if (results && !oneway) {
    to.line("::callis::cdr::Encoder& _e = _request.reply();");
    if (returns_values(op)) to.line("const ::callis::value::EncodeScope _results_scope(_e);");
    results_start.print(to, last, "_v", true);
    if (shape(result) != Shape::Void && encoded++ >= results_start.size())
      print_put_local(to, types, result, r, "_r");
    for (const WireParameter& p : parameters)
      if (p.mode != Mode::In && encoded++ >= results_start.size())
        print_put_local(to, types, *p.type, local(p), p.local());
  }
  to.close("}");
  return function;
}

void CompiledOperations::print_declarations(Text& to) const {
  types_.declarations(to);
  for (const ast::WireOperation& op : raising_) to.line("extern ", raises_declarator(op), ";");
}

}  // namespace callis::idl::backends::classic
