// SPDX-License-Identifier: Apache-2.0
// Names of module CORBA that IDL may use although no file declares them: TypeCode (IDL 4.2, 7.4.6.4.7) and
// AbstractBase. They are no entries of a scope: a file that opens module CORBA may declare them, as the OMG's own
// files do, and means the same types by it.
#include <idl/sema/analyzer.h>
#include <idl/source/built_in.h>
#include <algorithm>
#include <cctype>
#include <iterator>

namespace callis::idl::sema {

void Analyzer::predeclare() {
  auto& module = unit_.make<ast::Module>();
  module.name = "CORBA";
  module.first = &module;
  module.from_main_file = false;
  corba_ = {module.name, {}, &module};
  open_scope(ScopeKind::Module, &module);
  const auto add = [&](Entry& entry, std::string name, ast::TypeKind kind) {
    auto& node = unit_.make<ast::Native>();
    node.name = name;
    node.parent = &module;
    node.from_main_file = false;
    entry = {std::move(name), {}, &node};
    basic_types_.emplace(&node, kind);
  };
  add(typecode_, "TypeCode", ast::TypeKind::TypeCode);
  add(abstract_base_, "AbstractBase", ast::TypeKind::AbstractBase);
}

bool Analyzer::is_corba(const Scope& scope) const {
  return scope.kind == ScopeKind::Module && scope.parent != nullptr && scope.parent->kind == ScopeKind::Root &&
         scope.owner->name == corba_.name;
}

namespace {

// What the runtime declares, without the sequences that is_standard() knows. Sorted. The test corpus.jacorb compiles
// an orb.idl that declares nearly all of module CORBA.
constexpr std::string_view kOfCorba[] = {
    "ARG_IN",
    "ARG_INOUT",
    "ARG_OUT",
    "BAD_CONTEXT",
    "BAD_INV_ORDER",
    "BAD_OPERATION",
    "BAD_PARAM",
    "BAD_POLICY",
    "BAD_POLICY_TYPE",
    "BAD_POLICY_VALUE",
    "BAD_QOS",
    "BAD_TYPECODE",
    "Bounds",
    "CODESET_INCOMPATIBLE",
    "COMM_FAILURE",
    "CTX_RESTRICT_SCOPE",
    "CompletionStatus",
    "Context",
    "ContextList",
    "Current",
    "CustomMarshal",
    "DATA_CONVERSION",
    "DataInputStream",
    "DataOutputStream",
    "EnumMemberSeq",
    "Environment",
    "Exception",
    "ExceptionList",
    "FREE_MEM",
    "Flags",
    "IMP_LIMIT",
    "INITIALIZE",
    "INTERNAL",
    "INTF_REPOS",
    "INVALID_ACTIVITY",
    "INVALID_TRANSACTION",
    "INV_FLAG",
    "INV_IDENT",
    "INV_OBJREF",
    "INV_POLICY",
    "Identifier",
    "InvalidPolicies",
    "LocalObject",
    "MARSHAL",
    "NO_IMPLEMENT",
    "NO_MEMORY",
    "NO_PERMISSION",
    "NO_RESOURCES",
    "NO_RESPONSE",
    "NVList",
    "NamedValue",
    "OBJECT_NOT_EXIST",
    "OBJ_ADAPTER",
    "OMGVMCID",
    "ORB",
    "ORBid",
    "PERSIST_STORE",
    "PRIVATE_MEMBER",
    "PUBLIC_MEMBER",
    "ParameterMode",
    "Policy",
    "PolicyCurrent",
    "PolicyError",
    "PolicyErrorCode",
    "PolicyList",
    "PolicyManager",
    "PolicyType",
    "PolicyTypeSeq",
    "REBIND",
    "RepositoryId",
    "Request",
    "RequestSeq",
    "ScopedName",
    "Security",
    "ServerRequest",
    "ServiceDetail",
    "ServiceDetailData",
    "ServiceDetailSeq",
    "ServiceDetailType",
    "ServiceInformation",
    "ServiceOption",
    "ServiceOptionSeq",
    "ServiceType",
    "SetOverrideType",
    "StringValue",
    "StructMember",
    "StructMemberSeq",
    "SystemException",
    "TCKind",
    "THREAD_CANCELLED",
    "TIMEOUT",
    "TRANSACTION_MODE",
    "TRANSACTION_REQUIRED",
    "TRANSACTION_ROLLEDBACK",
    "TRANSACTION_UNAVAILABLE",
    "TRANSIENT",
    "UNKNOWN",
    "UNSUPPORTED_POLICY",
    "UNSUPPORTED_POLICY_VALUE",
    "UnionMember",
    "UnionMemberSeq",
    "UnknownUserException",
    "UserException",
    "VM_ABSTRACT",
    "VM_CUSTOM",
    "VM_NONE",
    "VM_TRUNCATABLE",
    "ValueFactory",
    "ValueMember",
    "ValueMemberSeq",
    "ValueModifier",
    "VersionSpec",
    "Visibility",
    "VoidData",
    "WStringValue",
    "WrongTransaction",
};
constexpr std::string_view kOfPortableServer[] = {
    "AdapterActivator",
    "Current",
    "ForwardRequest",
    "ID_ASSIGNMENT_POLICY_ID",
    "ID_UNIQUENESS_POLICY_ID",
    "IMPLICIT_ACTIVATION_POLICY_ID",
    "IdAssignmentPolicy",
    "IdAssignmentPolicyValue",
    "IdUniquenessPolicy",
    "IdUniquenessPolicyValue",
    "ImplicitActivationPolicy",
    "ImplicitActivationPolicyValue",
    "LIFESPAN_POLICY_ID",
    "LifespanPolicy",
    "LifespanPolicyValue",
    "ObjectId",
    "POA",
    "POAList",
    "POAManager",
    "POAManagerFactory",
    "REQUEST_PROCESSING_POLICY_ID",
    "RequestProcessingPolicy",
    "RequestProcessingPolicyValue",
    "SERVANT_RETENTION_POLICY_ID",
    "Servant",
    "ServantActivator",
    "ServantLocator",
    "ServantManager",
    "ServantRetentionPolicy",
    "ServantRetentionPolicyValue",
    "THREAD_POLICY_ID",
    "ThreadPolicy",
    "ThreadPolicyValue",
};

// Pseudo-objects of CORBA, some of which orb.idl does not declare: interfaces that no operation passes over the wire.
constexpr std::string_view kPseudoObjects[] = {
    "Context",    "ContextList", "Environment", "ExceptionList", "LocalObject",
    "NVList",     "NamedValue",  "ORB",         "Request",       "ServerRequest",
};

bool begins_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// How the built-in file of the module declares the name: "local interface", "typedef" ... Empty where it does not.
// Each of its declarations begins a line behind two blanks.
std::string_view words_before(std::string_view module, std::string_view name) {
  const bool corba = module == "CORBA";
  const std::string_view text = source::built_in_file(corba ? "orb.idl" : "PortableServer.idl").value_or("");
  for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    const std::size_t line = text.rfind('\n', at) + 1;
    const std::string_view front = text.substr(line, at - line), rest = text.substr(at + name.size());
    const bool whole = !rest.empty() && !begins_name(rest.front()) && front.ends_with(' ');
    if (!whole || !front.starts_with("  ") || front.size() < 4 || front[2] == ' ') {
      continue;
    }
    const std::string_view words = front.substr(2, front.size() - 3);
    const bool of_typedef = words.starts_with("typedef "), of_const = words.starts_with("const ");
    if (of_typedef ? rest.starts_with(";") : !of_const || rest.starts_with(" =")) {
      return of_typedef || of_const ? words.substr(0, words.find(' ')) : words;
    }
  }
  return {};
}

bool is_declared_so(const ast::Declaration& d, std::string_view words) {
  using Kind = ast::DeclarationKind;
  if (words == "native" && d.kind == Kind::Typedef) {  // what files for compilers without natives have
    return true;
  }
  return d.kind == (words == "typedef"     ? Kind::Typedef
                    : words == "const"     ? Kind::Const
                    : words == "struct"    ? Kind::Struct
                    : words == "enum"      ? Kind::Enum
                    : words == "exception" ? Kind::Exception
                    : words == "native"    ? Kind::Native
                    : words == "valuetype" ? Kind::ValueBox  // no other is in these files
                                           : Kind::Interface);
}

}  // namespace

// Also what stands inside such a declaration.
bool Analyzer::is_built_in(const parse::Name& name) const {
  const bool in_module = owner_ == nullptr || owner_->kind == ast::DeclarationKind::Module;
  if ((*unit_.files)[name.where.begin.file].built_in || (!in_module && owner_->built_in)) {
    return true;
  }
  if (owner_ == nullptr || !in_module || owner_->parent != nullptr) {
    return false;
  }
  return is_corba(*scope_)                    ? std::ranges::binary_search(kOfCorba, name.text)
         : owner_->name == "PortableServer" ? std::ranges::binary_search(kOfPortableServer, name.text)
                                              : false;
}

// A file's own declaration of what the ORB has: the ORB's is meant.
bool Analyzer::means_the_orbs(const parse::Name& name) const {
  return is_built_in(name) && !from_built_in_file(name.where) && owner_->kind == ast::DeclarationKind::Module;
}

// `interface Current {}` of old files is the ORB's local interface; so it is with the other names that the ORB has.
ast::Interface::Flavor Analyzer::flavor_of(const parse::Name& name, parse::InterfaceFlavor flavor) const {
  using Flavor = ast::Interface::Flavor;
  if (means_the_orbs(name)) {
    const std::string_view words = words_before(owner_->name, name.text);
    if (words == "local interface" || (is_corba(*scope_) && std::ranges::binary_search(kPseudoObjects, name.text))) {
      return Flavor::Local;
    }
    if (words == "interface") {
      return Flavor::Unconstrained;
    }
  }
  return flavor == parse::InterfaceFlavor::Abstract ? Flavor::Abstract
         : flavor == parse::InterfaceFlavor::Local  ? Flavor::Local
                                                    : Flavor::Unconstrained;
}

// False after a report: the ORB has `name` as something else.
bool Analyzer::is_as_the_orb_has_it(const parse::Name& name, const ast::Declaration& node) {
  if (!means_the_orbs(name) || std::ranges::binary_search(kPseudoObjects, name.text)) {
    return true;
  }
  const std::string_view words = words_before(owner_->name, name.text);
  if (words.empty() || is_declared_so(node, words)) {
    return true;
  }
  diagnostics_.error(name.where, quoted(owner_->name + "::" + name.text) +
                                     " is a name of the ORB, which declares it with " + quoted(std::string(words)) +
                                     "; rename this " + std::string(ast::kind_name(node.kind)));
  return false;
}

// Where a declaration stands; what it does not say of itself.
void Analyzer::note_declaration(const ast::Declaration& d) {
  const bool orbs = d.built_in && !from_built_in_file(d.where) && ast::as<ast::Interface>(&d) != nullptr;
  diagnostics_.note(d.where, orbs ? "it is declared here, and means the ORB's own" : "it is declared here");
}

// orb.idl is read behind another ORB's of that name (source::kNamesOfCorba): what that one declares stays as it is
// there.
bool Analyzer::is_known_already(const parse::Item& item) const {
  const auto* several =
      item.kind == parse::ItemKind::Typedef ? static_cast<const parse::TypedefItem*>(&item) : nullptr;
  const parse::Name& name = several != nullptr ? several->declarators.front().name : item.name;
  if (name.text.empty() || !is_corba(*scope_) || owner_->kind != ast::DeclarationKind::Module ||
      !from_built_in_file(name.where)) {
    return false;
  }
  const Entry* before = scope_->find_own(name.text);
  const auto* i = before != nullptr ? ast::as<ast::Interface>(before->node) : nullptr;
  return before != nullptr && (i == nullptr || i->defined || item.kind == parse::ItemKind::Forward);
}

// A file that declares in module CORBA what orb.idl has declared before it means the same by it.
bool Analyzer::is_declared_anew(const Scope& scope, const Entry& before) const {
  const auto* i = ast::as<ast::Interface>(before.node);
  return is_corba(scope) && before.node != nullptr && before.node->built_in && before.where.begin.known() &&
         from_built_in_file(before.where) && (i == nullptr || i->defined);
}

// The built-in ones of module CORBA are, but for these.
bool Analyzer::is_system_exception(const ast::Exception& e) {
  const bool others =
      e.name == "UserException" || e.name == "Bounds" || e.name == "PolicyError" || e.name == "InvalidPolicies" ||
      e.name == "WrongTransaction";
  return e.built_in && !others && ast::path(e) == std::vector<std::string>{"CORBA", e.name};
}

// Null where `scope` holds nothing of that name undeclared.
const Entry* Analyzer::predeclared(const Scope& scope, std::string_view name) const {
  if (scope.kind == ScopeKind::Root) {
    return name == corba_.name ? &corba_ : nullptr;
  }
  if (!is_corba(scope)) {
    return nullptr;
  }
  return name == typecode_.name ? &typecode_ : name == abstract_base_.name ? &abstract_base_ : nullptr;
}

// `interface TypeCode` in module CORBA: its name goes on standing for the basic type.
bool Analyzer::redeclares(const parse::Name& name) const { return predeclared(*scope_, name.text) != nullptr; }

void Analyzer::stands_for(const ast::Declaration& d, std::string_view name) {
  basic_types_.emplace(&d, name == typecode_.name ? ast::TypeKind::TypeCode : ast::TypeKind::AbstractBase);
}

// Sequences of basic types, as CORBA's own orb.idl declares them: every language mapping has them already, in
// whichever file they are declared.
bool Analyzer::is_standard(std::string_view name, const ast::Type& type) const {
  static constexpr std::pair<std::string_view, ast::TypeKind> kSequences[] = {
      {"AnySeq", ast::TypeKind::Any},
      {"BooleanSeq", ast::TypeKind::Boolean},
      {"CharSeq", ast::TypeKind::Char},
      {"WCharSeq", ast::TypeKind::WChar},
      {"OctetSeq", ast::TypeKind::Octet},
      {"ShortSeq", ast::TypeKind::Short},
      {"UShortSeq", ast::TypeKind::UShort},
      {"LongSeq", ast::TypeKind::Long},
      {"ULongSeq", ast::TypeKind::ULong},
      {"LongLongSeq", ast::TypeKind::LongLong},
      {"ULongLongSeq", ast::TypeKind::ULongLong},
      {"FloatSeq", ast::TypeKind::Float},
      {"DoubleSeq", ast::TypeKind::Double},
      {"LongDoubleSeq", ast::TypeKind::LongDouble},
      {"StringSeq", ast::TypeKind::String},
      {"WStringSeq", ast::TypeKind::WString}};
  const auto* sequence = ast::as<ast::SequenceType>(&type);
  if (sequence == nullptr || sequence->bound != 0 || !is_corba(*scope_)) {
    return false;
  }
  const auto* text = ast::as<ast::StringType>(sequence->element);
  const bool bounded = text != nullptr && text->bound != 0;
  return std::any_of(std::begin(kSequences), std::end(kSequences), [&](const auto& known) {
    return known.first == name && known.second == sequence->element->type_kind && !bounded;
  });
}

}  // namespace callis::idl::sema
