// SPDX-License-Identifier: Apache-2.0
// Skeletons: classes, thunks, tables of operations.
#include <callis/base/perfect_hash_builder.h>
#include <idl/backends/classic/abstract.h>
#include <idl/backends/classic/cxx_types.h>
#include <idl/backends/classic/header.h>
#include <idl/backends/classic/interfaces.h>
#include <idl/backends/classic/names.h>
#include <idl/backends/classic/skeletons.h>
#include <idl/source/limits.h>
#include <map>
#include <set>

namespace callis::idl::backends::classic {

namespace {

void open_scope(Text& to, const ast::Interface& i) {
  auto parts = ast::path(i);
  parts.pop_back();
  bool first = true;
  for (const std::string& p : parts) {
    to.line("namespace ", first ? "POA_" + p + inline_namespace(i) : identifier(p), " {");
    first = false;
  }
}

void close_scope(Text& to, const ast::Interface& i) {
  for (std::size_t n = ast::path(i).size(); n > 1; --n) to.line("}");
}

void print_class(Text& to, const ast::Interface& i) {
  const std::string id = skeleton_name(i);
  std::string bases;
  for (const ast::Interface* b : i.bases)
    bases += cat(bases.empty() ? "" : ", ", "public virtual ", skeleton_absolute(*b));
  if (bases.empty()) bases = "public virtual ::PortableServer::ServantBase";
  open_scope(to, i);
  to.open("class ", id, " : ", bases, " {");
  to.label("public:");
  // Servants are of the interfaces that derive from an abstract one.
  const bool whole = !is_abstract(i);
  if (whole) to.line(absolute(i), "* _this();");
  for (const ast::WireOperation& op : ast::own_operations(i))
    to.line("virtual ", result_type(wire_result(op)), " ", function_name(op), signature(op, false), " = 0;");
  if (whole) {
    to.line("const ::callis::poa::Skeleton& _callis_skeleton() const override;");
    to.line("void* _callis_self() override;");
  }
  to.label("protected:");
  to.line(id, "() = default;");
  to.line("~", id, "() override;");
  to.close("};");
  close_scope(to, i);
  to.blank();
}

// An interface in the same scope may have the name that the tie would have, or an operation; there is none then.
bool has_tie(const std::set<std::string>& skeletons, const ast::Interface& i) {
  bool taken = skeletons.contains(skeleton_scoped(i) + "_tie");
  for (const ast::WireOperation& op : ast::all_operations(i)) taken |= function_name(op) == skeleton_name(i) + "_tie";
  return !taken;
}

void print_tie(Text& to, const ast::Interface& i) {
  const std::string skeleton = skeleton_name(i);
  open_scope(to, i);
  to.line("template <class _t>");
  to.open("class ", skeleton, "_tie : public ", skeleton, ", public ::callis::poa::Tie<_t> {");
  to.label("public:");
  to.line("using ::callis::poa::Tie<_t>::Tie;");
  to.open("::PortableServer::POA* _default_POA() override {");
  to.line("::PortableServer::POA* const _poa = this->_callis_poa();");
  to.line("return _poa ? _poa : ", skeleton, "::_default_POA();");
  to.close("}");
  for (const ast::WireOperation& op : ast::all_operations(i)) {
    std::string arguments;
    for (const WireParameter& p : wire_parameters(op)) arguments += cat(arguments.empty() ? "" : ", ", p.local());
    to.line(result_type(wire_result(op)), " ", function_name(op), signature(op, true),
            " override { return this->_tied_object()->", function_name(op), "(", arguments, "); }");
  }
  to.close("};");
  close_scope(to, i);
  to.blank();
}

// Of the BOA: a class beside the interface, over the skeleton. Bases that are abstract have none.
void print_boa_skeleton(Text& to, const ast::Interface& i) {
  auto modules = ast::path(i);
  modules.pop_back();
  for (const std::string& m : modules)
    to.line("namespace ", identifier(m), &m == &modules.front() ? inline_namespace(i) : "", " {");
  std::string bases;
  for (const ast::Interface* b : i.bases)
    if (!is_abstract(*b) && !b->built_in)
      bases += cat(", public virtual ", b->parent ? "::" + scoped(*b->parent) : "", "::_sk_", b->name);
  to.open("class _sk_", i.name, " : public virtual ", skeleton_absolute(i), bases,
          ", public virtual ::callis::compat::BoaServant {");
  to.label("protected:");
  to.line("_sk_", i.name, "() = default;");
  to.close("};");
  for (std::size_t n = modules.size(); n != 0; --n) to.line("}");
  to.blank();
}

// The headers with the skeletons of bases that are elsewhere. Those of files that the main file includes in front of
// all its interfaces come first, the others in front of the interface that needs them: files may include each other.
class SkeletonIncludes {
 public:
  SkeletonIncludes(const ast::Unit& unit, const FileNames& names) : unit_(unit), names_(names) {}

  void print_before_all(Text& to, const std::vector<const ast::Interface*>& interfaces) {
    std::set<std::string> lines;
    for (const ast::Interface* i : interfaces)
      for (const ast::Interface* b : i->bases)
        if (is_needed(*b) && (b->built_in || stands_behind(*interfaces.front(), place_of(*b))))
          lines.insert(line_of(*b));
    for (const std::string& line : lines) print(to, line);
  }
  void print_before(Text& to, const ast::Interface& i) {
    for (const ast::Interface* b : i.bases)
      if (is_needed(*b)) print(to, line_of(*b));
  }

 private:
  // Joined skeletons come with the header of the stubs.
  bool is_needed(const ast::Interface& base) const {
    return base.built_in || (!base.from_main_file && !names_.joined());
  }
  source::Position place_of(const ast::Interface& base) {
    const auto [known, fresh] = places_.try_emplace(base.where.begin.file);
    if (fresh) known->second = included_at(unit_, base.where.begin.file);
    return known->second;
  }
  std::string line_of(const ast::Interface& base) const {
    return base.built_in ? "#include <callis/poa/servant/policy_skeleton.h>"  // the only one that can be called
                         : names_.include_skeleton_header(base.where.begin.file);
  }
  void print(Text& to, const std::string& line) {
    if (printed_.insert(line).second) to.line(line);
  }

  const ast::Unit& unit_;
  const FileNames& names_;
  std::map<source::FileId, source::Position> places_;
  std::set<std::string> printed_;
};

}  // namespace

std::string print_skeleton_header(const ast::Unit& unit, const FileNames& names, bool ties) {
  Text to;
  const std::string guard = unit_namespace(unit) + "_skel_h";
  if (!names.joined()) {
    print_notice(to, unit);
    to.line("// Link ", names.skeleton_source(), ", which defines these classes, and ", names.source(),
            ", which it needs.");
  }
  to.line("#ifndef ", guard);
  to.line("#define ", guard);
  if (!names.joined()) to.line(names.include_header());
  SkeletonIncludes includes(unit, names);
  std::set<std::string> skeletons;
  std::vector<const ast::Interface*> interfaces;
  for_each_remote(unit, [&](const ast::Interface& i) {
    interfaces.push_back(&i);
    skeletons.insert(skeleton_scoped(i));
  });
  if (!interfaces.empty()) includes.print_before_all(to, interfaces);
  // Who has all of a file in one header includes no other, as programs for omniORB do.
  if (names.joined() && !names.for_omniorb()) to.line("#include <callis/corba.h>");
  if (!interfaces.empty() || names.for_tao()) to.line("#include <callis/portable_server.h>");
  if (!interfaces.empty()) {
    to.line("#include <callis/poa/servant/skeleton.h>");
    if (ties) to.line("#include <callis/poa/servant/tie.h>");
    if (names.for_boa()) to.line("#include <omniORB4/boa.h>");
  }
  to.blank();
  for (const ast::Interface* i : interfaces) {
    includes.print_before(to, *i);
    print_class(to, *i);
    if (ties && !is_abstract(*i) && has_tie(skeletons, *i)) print_tie(to, *i);
    if (names.for_boa() && !is_abstract(*i)) print_boa_skeleton(to, *i);
  }
  to.line("#endif");
  return to.take();
}

namespace {

std::string print_thunk(Text& to, const ast::Interface& i, const ast::WireOperation& op) {
  const std::string function = cat("thunk_", flat(i), "_", flat(op.name));
  const auto parameters = wire_parameters(op);
  const ast::Type& result = wire_result(op);
  const bool framed = !parameters.empty() || shape(result) != Shape::Void;
  to.open("void ", function, "(void* _self, void*", framed ? " _frame" : "", ") {");
  if (framed) {
    to.open("struct _slots {");
    for (const WireParameter& p : parameters) to.line(server_slot(*p.type, p.mode), " ", p.name, ";");
    if (shape(result) != Shape::Void) to.line(server_result_slot(result), " _result;");
    to.close("};");
    to.line("auto& _f = *static_cast<_slots*>(_frame);");
  }
  std::string arguments;
  for (const WireParameter& p : parameters)
    arguments +=
        cat(arguments.empty() ? "" : ", ", p.context ? print_received_context(to, "_f." + p.name) : "_f." + p.name);
  const std::string call =
      cat("static_cast<", skeleton_absolute(i), "*>(_self)->", function_name(op), "(", arguments, ")");
  switch (shape(result)) {
    case Shape::Void: to.line(call, ";"); break;
    // Made in its place.
    case Shape::FixedStruct: to.line("::new (&_f._result) ", value_type(result), "(", call, ");"); break;
    default: to.line("_f._result = ", call, ";");
  }
  to.close("}");
  return function;
}

template <class Values>
std::string list(const Values& values) {
  std::string s;
  for (auto v : values) s += cat(s.empty() ? "" : ", ", v);
  return s;
}

class SkeletonPrinter {
 public:
  SkeletonPrinter(Text& to, const std::string& shared, Descriptors& descriptors, const CompiledOperations& compiled,
                  source::Diagnostics& diagnostics, bool this_of_activation)
      : to_(to),
        shared_(shared),
        descriptors_(descriptors),
        compiled_(compiled),
        diagnostics_(diagnostics),
        this_function_(this_of_activation ? "activated_reference" : "this_reference") {}

  // The functions and tables, in an unnamed namespace; names end with the interface's.
  void tables(const ast::Interface& i);
  void functions(const ast::Interface& i);

 private:
  Text& to_;
  const std::string& shared_;
  Descriptors& descriptors_;
  const CompiledOperations& compiled_;
  source::Diagnostics& diagnostics_;
  const std::string this_function_;  // of callis::poa
};

void SkeletonPrinter::tables(const ast::Interface& i) {
  const std::string id = flat(i);
  const auto operations = ast::all_operations(i);
  static_assert(kMaxOperations + 1 == callis::PerfectHash::kNowhere);
  if (operations.size() > kMaxOperations) {
    diagnostics_.error(i.where, cat(ast::scoped_name(i), " has ", operations.size(),
                                    " operations, with those of attributes and "
                                    "bases: an interface may have at most 65,534 operations"));
    return;
  }
  std::vector<std::string> names, declared, declared_raises;
  bool any_raises = false, any_compiled = false, any_interpreted = false;
  for (const ast::WireOperation& op : operations) {
    names.push_back(op.name);
    const bool compiled = compiled_.has(op);
    const std::string function = compiled ? compiled_.print_serve(to_, i, op) : print_thunk(to_, i, op);
    const std::size_t entry = descriptors_.operation(op, compiled);
    if (!compiled) descriptors_.served(entry);
    declared.push_back(cat("{&", function, ", ", entry, "u", descriptors_.name_word(op), "}"));
    const std::string list_name = compiled_.raises(op);
    any_raises |= !list_name.empty();
    any_compiled |= compiled;
    any_interpreted |= !compiled;
    declared_raises.push_back(list_name.empty() ? "nullptr" : list_name);
  }
  callis::PerfectHashTables hash;
  if (!callis::build_perfect_hash(names, hash)) {
    diagnostics_.error(i.where, cat("no perfect hash was found for the operations of ", ast::scoped_name(i)));
    return;
  }
  std::vector<std::string> entries, raises;
  for (const std::uint16_t n : hash.order) {
    entries.push_back(declared[n]);
    raises.push_back(declared_raises[n]);
  }
  const auto bases = ast::all_bases(i);
  to_.open("constexpr const char* ids_", id, "[] = {");
  to_.line(quoted(i.repository_id), ",");
  for (auto b = bases.rbegin(); b != bases.rend(); ++b) to_.line(quoted((*b)->repository_id), ",");
  to_.line("nullptr,");
  to_.close("};");
  if (!entries.empty()) {
    to_.open("constexpr ::callis::poa::SkeletonOperation operations_", id, "[] = {");
    for (const std::string& e : entries) to_.line(e, ",");
    to_.close("};");
  }
  if (any_raises) {
    to_.open("constexpr const ::callis::orb::CompiledException* const* raises_", id, "[] = {");
    for (const std::string& r : raises) to_.line(r, ",");
    to_.close("};");
  }
  to_.line("constexpr std::uint16_t displacements_", id, "[] = {", list(hash.displacements), "};");
  to_.open("constexpr ::callis::poa::Skeleton skeleton_", id, " = {");
  const bool empty = entries.empty();
  to_.line("ids_", id, ", ", empty ? "nullptr" : cat("&", shared_, "::skeleton_unit"), ", ",
           empty ? "nullptr" : "operations_" + id, ",");
  to_.line("{", hash.k1, "u, ", hash.k2, "u, displacements_", id, ", ", hash.order.size(), ", ", +hash.bucket_bits,
           ", ", +hash.place_bits, ", ", hash.whole_name ? "true" : "false", "},");
  const char* const run = empty ? "nullptr" : !any_compiled ? "&::callis::poa::run_interpreted"
                                          : any_interpreted ? "&::callis::poa::run_either"
                                                            : "&::callis::poa::run_compiled";
  to_.line(any_raises ? "raises_" + id : "nullptr", ", ", run, ",");
  to_.close("};");
}

void SkeletonPrinter::functions(const ast::Interface& i) {
  const std::string id = skeleton_scoped(i), own = skeleton_name(i);
  to_.line(id, "::~", own, "() = default;");
  if (is_abstract(i)) return;
  to_.open(absolute(i), "* ", id, "::_this() {");
  to_.line("return static_cast<", absolute(i), "*>(::callis::poa::", this_function_, "(*this, ", interface_link(i),
           "));");
  to_.close("}");
  to_.line("const ::callis::poa::Skeleton& ", id, "::_callis_skeleton() const { return skeleton_", flat(i), "; }");
  to_.line("void* ", id, "::_callis_self() { return this; }");
}

}  // namespace

SkeletonSource print_skeleton_source(const ast::Unit& unit, const FileNames& names, Descriptors& descriptors,
                                     const CompiledOperations& compiled, source::Diagnostics& diagnostics) {
  const std::string shared = unit_namespace(unit);
  Text body;
  SkeletonPrinter printer(body, shared, descriptors, compiled, diagnostics, names.this_of_activation());
  for_each_remote(unit, [&](const ast::Interface& i) {
    if (!is_abstract(i)) {
      body.line("namespace {");
      printer.tables(i);
      body.line("}  // namespace");
    }
    printer.functions(i);
    body.blank();
  });
  Text head;
  if (!names.joined()) {
    print_notice(head, unit);
    head.line(names.include_skeleton_header());
  }
  if (compiled.any()) {
    head.line("#include <callis/classic/coder.h>");
    if (body.str().find("::callis::value::") != std::string::npos) head.line("#include <callis/value/wire.h>");
  }
  if (!body.empty()) head.line("#include <callis/marshal/tables.h>");
  head.blank();
  Text declarations;
  compiled.print_declarations(declarations);
  return {head.take(), body.take(), shared, declarations.take()};
}

std::string SkeletonSource::with_plans(const Descriptors& descriptors) const {
  Text to;
  to.raw(head);
  if (!body.empty()) {
    to.line("namespace ", shared, " {");
    to.line("extern const ::callis::marshal::Unit unit;");
    to.raw(declarations);
    descriptors.print_skeleton_unit(to);
    to.line("}");
    to.blank();
    to.raw(body);
  }
  return to.take();
}

}  // namespace callis::idl::backends::classic
