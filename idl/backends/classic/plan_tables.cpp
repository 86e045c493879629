// SPDX-License-Identifier: Apache-2.0
// The plans of a unit's operations, printed as constants: once for each ABI class, in client's and skeleton's file.
#include <callis/marshal/made_plans.h>
#include <idl/backends/classic/plan_tables.h>
#include <algorithm>

namespace callis::idl::backends::classic {

namespace {

using marshal::Plan;
using marshal::Word;

constexpr std::size_t kWordsInLine = 16;

class PlanPrinter {
 public:
  PlanPrinter(Text& to, const PlanTables& tables, const std::vector<std::size_t>& chosen, const std::string& side,
              const std::string& unit, const std::string& cells)
      : to_(to), tables_(tables), chosen_(chosen), side_(side), unit_name_(unit), cells_(cells) {}

  void print() {
    print_class("#if", 64, marshal::kAbi64);
    print_class("#elif", 32, marshal::kAbi32);
    to_.raw("#else\n");
    to_.line("const char* const ", side_, "_builder [[gnu::used]] = &kPlanBuilder;");
    to_.line("PlanCell ", cells_, "[", count_of_cells(), "];");
    to_.raw("#endif\n");
  }

 private:
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
