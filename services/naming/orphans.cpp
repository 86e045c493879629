// SPDX-License-Identifier: Apache-2.0
#include <services/naming/orphans.h>

namespace callis::naming {

Orphans find_orphans(Model& model, std::size_t most, Model::Time before, bool empty,
                     services::OperationTime& time) {
  Model::Search search(model);
  std::vector<Number> next{kRoot};
  do {
    while (!next.empty()) {
      const Number number = next.back();
      next.pop_back();
      BindingTable table;
      if (!search.reach(number, table)) continue;
      for (BindingTable::Cursor each(table); each.at(); each.next()) {
        time.step();
        if (each.at()->kind == Binding::Kind::Local) next.push_back(each.at()->number);
      }
    }
    next = search.bound_meanwhile();
  } while (!next.empty());
  Orphans out;
  for (std::size_t part = 0; part < Model::kParts; ++part) {
    time.check();
    search.unreached(part, [&](const Model::Search::Found& found) {
      if (found.since > before || (empty && found.bindings != 0)) return;
      ++out.all;
      if (out.some.size() < most) out.some.push_back(found);
    });
  }
  if (!search.holds())
    throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO, "the names were read anew from the store meanwhile");
  return out;
}

std::size_t remove_orphans(Directory& directory, std::size_t most, Model::Time before, bool with_bindings,
                           services::OperationTime& time) {
  std::size_t gone = 0;
  for (const auto& orphan : find_orphans(directory.model(), most, before, !with_bindings, time).some) {
    if (time.over()) break;
    if (directory.model().bound(orphan.number) > orphan.bound) continue;  // somebody has bound it meanwhile
    BindingTable table;
    if (!directory.list(orphan.number, table)) continue;
    if (!table.empty() && !with_bindings) continue;
    BindingTable::Cursor each(table);
    for (; each.at() && !time.over(); each.next()) {
      const Component component[] = {each.at()->component()};
      (void)directory.unbind(orphan.number, component);
    }
    if (!each.at() && directory.destroy(orphan.number).kind == Answer::Kind::Done) ++gone;
  }
  return gone;
}

}  // namespace callis::naming
