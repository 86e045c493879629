// SPDX-License-Identifier: Apache-2.0
// The plans of a unit's operations, printed as constants: once for each ABI class, in client's and skeleton's file.
#include <callis/marshal/made_plans.h>
#include <idl/backends/classic/plan_tables.h>
#include <algorithm>
#include <unordered_map>

namespace callis::idl::backends::classic {

namespace {

using marshal::Plan;
using marshal::Word;

constexpr std::size_t kWordsInLine = 16;

// Counts the members that the builder would look at in a type, each as often as it occurs. Structs that double at
// each level of nesting have millions. Plans of such types are left to programs that use them.
class Members {
 public:
  static constexpr std::uint64_t kMost = 50'000;

  explicit Members(const std::vector<Word>& words) : words_(words) {}
  // Returns whether no type of the operation has too many.
  bool are_few(std::size_t op) {
    const marshal::Unit unit{words_.data(), "", nullptr, nullptr};
    const marshal::OperationView view(unit, static_cast<Word>(op));
    elements_.push_back(view.result());
    for (Word i = 0; i < view.parameter_count(); ++i) elements_.push_back(view.parameter(i));
    for (Word i = 0; i < view.exception_count(); ++i)
      elements_.push_back(marshal::type_word(marshal::Kind::Ref, view.exception(i)));
    while (!elements_.empty()) {
      const Word type = elements_.back();
      elements_.pop_back();
      if (of(type) > kMost) return false;
    }
    return true;
  }

 private:
  std::uint64_t of(Word type) {
    using marshal::Kind;
    if (marshal::kind_of(type) != Kind::Ref) return 1;
    const Word entry = marshal::payload_of(type);
    if (const auto known = known_.find(entry); known != known_.end()) return known->second;
    const Kind kind = marshal::kind_of(words_[entry]);
    Word first = 0, members = 0;
    switch (kind) {
      case Kind::Struct: first = 1; members = marshal::payload_of(words_[entry]); break;
      case Kind::Exception: first = 2; members = marshal::payload_of(words_[entry]); break;
      case Kind::Union: first = 4; members = marshal::payload_of(words_[entry]); break;
      case Kind::Array: first = 2; members = 1; break;
      case Kind::Sequence:  // its element is looked at once, however many sequences there are
        known_[entry] = 1;
        elements_.push_back(words_[entry + 2]);
        return 1;
      default: break;
    }
    std::uint64_t n = 1;
    for (Word i = 0; i < members && n <= kMost; ++i) n += of(words_[entry + first + i]);
    return known_[entry] = n;
  }

  const std::vector<Word>& words_;
  std::unordered_map<Word, std::uint64_t> known_;
  std::vector<Word> elements_;  // types that are still to be looked at
};

class PlanPrinter {
 public:
  PlanPrinter(Text& to, const PlanTables& tables, const std::vector<std::size_t>& chosen, const std::string& side,
              const std::string& unit, const std::string& cells)
      : to_(to), tables_(tables), chosen_(chosen), side_(side), unit_name_(unit), cells_(cells) {}

  void print() {
    Members members(tables_.words);
    const auto few = [&](std::size_t op) { return members.are_few(op); };
    if (!std::all_of(chosen_.begin(), chosen_.end(), few)) return print_without_plans();
    print_class("#if", 64, marshal::kAbi64);
    print_class("#elif", 32, marshal::kAbi32);
    to_.raw("#else\n");
    print_without_plans();
    to_.raw("#endif\n");
  }

 private:
  // The program builds them.
  void print_without_plans() {
    to_.line("const char* const ", side_, "_builder [[gnu::used]] = &kPlanBuilder;");
    to_.line("PlanCell ", cells_, "[", count_of_cells(), "];");
  }
  // Up to the last one that has plans.
  std::size_t count_of_cells() const { return cell_of(chosen_.back()) + 1; }
  std::size_t cell_of(std::size_t operation) const {
    const auto& all = tables_.operations;
    return static_cast<std::size_t>(std::find(all.begin(), all.end(), operation) - all.begin());
  }

  void print_class(const char* condition, int abi_class, const marshal::Abi& abi) {
    static const char kNoNames[] = "";
    const marshal::Unit unit{tables_.words.data(), kNoNames, nullptr, nullptr, &marshal::kExtension, &abi};
    std::vector<Word> operations;
    for (const std::size_t op : chosen_) operations.push_back(static_cast<Word>(op));
    const auto made = marshal::make_operation_plans(
        unit, operations, side_ == "client" ? marshal::Side::Client : marshal::Side::Server);
    to_.raw(cat(condition, made->has_long_double ? " CALLIS_PLANS_LONG_DOUBLE == " : " CALLIS_PLANS == ", abi_class,
                "\n"));
    print_words(*made);
    to_.line("constexpr Program ", side_, "_program = {", side_, "_tables, ", tables_.has_links ? "links" : "nullptr",
             tables_.extended ? ", &kExtension};" : "};");
    print_plan_list(*made);
    print_exceptions(unit, *made);
    print_operations(*made);
  }

  void print_words(const marshal::MadePlans& made) {
    to_.open("constexpr Word ", side_, "_tables[] = {");
    std::string text;
    for (std::size_t i = 0; i < made.tables.size(); ++i) {
      text += cat(made.tables[i], ",");
      if ((i + 1) % kWordsInLine != 0 && i + 1 != made.tables.size()) continue;
      to_.line(text);
      text.clear();
    }
    to_.close("};");
  }

  void print_plan_list(const marshal::MadePlans& made) {
    to_.open("constexpr Plan ", side_, "_plans[] = {");
    for (const Plan& p : made.plans) {
      const std::string flat = p.flat ? cat(side_, "_tables + ", p.flat - made.tables.data()) : "nullptr";
      to_.line("{&", side_, "_program, ", flat, ", ", p.block, ", ", p.size, ", ", p.minimum_wire, ", ",
               +p.log2_alignment, ", ", +p.owns, ", ", +p.has_way, ", ", +p.flat_encode, ", ", +p.flat_decode, "},");
    }
    to_.close("};");
  }

  void print_exceptions(const marshal::Unit& unit, const marshal::MadePlans& made) {
    if (made.exceptions.empty()) return;
    to_.open("constexpr ExceptionPlan ", side_, "_exceptions[] = {");
    for (const marshal::OperationPlans& op : made.operations) {
      for (Word i = 0; i < op.exception_count; ++i) {
        const Word link = tables_.words[marshal::OperationView(unit, op.op).exception(i) + 1];
        to_.line("{", tables_.links[link], ", &", side_, "_plans[", op.exceptions[i].body - made.plans.data(), "]},");
      }
    }
    to_.close("};");
  }

  void print_operations(const marshal::MadePlans& made) {
    const auto plan = [&](const Plan* p) -> std::string {
      return p ? cat("&", side_, "_plans[", p - made.plans.data(), "]") : "nullptr";
    };
    const auto flag = [](bool b) { return b ? "true" : "false"; };
    to_.line("OperationState ", side_, "_states[", made.operations.size(), "];");
    to_.open("constexpr OperationPlans ", side_, "_operations[] = {");
    for (const marshal::OperationPlans& op : made.operations) {
      const std::string exceptions =
          op.exception_count == 0 ? "nullptr"
                                  : cat(side_, "_exceptions + ", op.exceptions - made.exceptions.data());
      to_.line("{names + ", tables_.words[op.op + 1], ", ", op.name_length, ", ", flag(op.oneway), ", ",
               flag(op.server_frame_owns), ", ", flag(op.client_is_flat), ", ", flag(op.server_is_flat), ", ",
               op.flat_request_bytes, ", ", op.flat_reply_bytes, ", ", plan(op.client_request), ", ",
               plan(op.client_reply), ", ", plan(op.server_request), ", ", plan(op.server_reply), ", ",
               plan(op.server_frame), ", ", op.server_frame_bytes, ", ", op.server_frame_alignment, ", ", exceptions,
               ", ", op.exception_count, ", &", unit_name_, ", ", op.op, ", ", side_, "_states + ",
               &op - made.operations.data(), "},");
    }
    to_.close("};");
    std::vector<std::string> cells(count_of_cells(), "{}");
    for (std::size_t i = 0; i < chosen_.size(); ++i)
      cells[cell_of(chosen_[i])] = cat("{&", side_, "_operations[", i, "]}");
    to_.open("constinit PlanCell ", cells_, "[", count_of_cells(), "] = {");
    for (const std::string& c : cells) to_.line(c, ",");
    to_.close("};");
  }

  Text& to_;
  const PlanTables& tables_;
  const std::vector<std::size_t>& chosen_;
  const std::string side_, unit_name_, cells_;
};

}  // namespace

void print_plans(Text& to, const PlanTables& tables, const std::vector<std::size_t>& chosen, const std::string& side,
                 const std::string& unit, const std::string& cells) {
  PlanPrinter(to, tables, chosen, side, unit, cells).print();
}

}  // namespace callis::idl::backends::classic
