// SPDX-License-Identifier: Apache-2.0
// ExceptionList, ContextList, UnknownUserException, and the functions of the ORB that make lists.
#include <callis/dynamic.h>
#include <callis/orb/base/errors.h>

namespace CORBA::inline callis_orb {

using callis::orb::omg;
using callis::orb::raise;

namespace {

// Item i is gone, those behind it move up.
template <class List, class Move>
void remove_item(List& list, ULong index, Move move) {
  if (index >= list.length()) raise<Bounds>();
  for (ULong i = index; i + 1 < list.length(); ++i) move(i, i + 1);
  list.length(list.length() - 1);
}

}  // namespace

Any& UnknownUserException::exception() {
  if (!exception_) exception_ = std::make_shared<Any>();
  return *exception_;
}

void ExceptionList::add(TypeCode_ptr type) { add_consume(TypeCode::_duplicate(type)); }

void ExceptionList::add_consume(TypeCode_ptr type) {
  TypeCode_var owned(type);
  if (!type) raise<BAD_PARAM>(omg(13), COMPLETED_NO, "a nil TypeCode");
  if (type->kind() != tk_except) raise<BAD_TYPECODE>(0, COMPLETED_NO, "the TypeCode of no exception");
  const ULong n = all_.length();
  all_.length(n + 1);
  all_[n] = owned._retn();
}

TypeCode_ptr ExceptionList::item(ULong index) const {
  if (index >= all_.length()) raise<Bounds>();
  return all_[index];
}

void ExceptionList::remove(ULong index) {
  remove_item(all_, index, [this](ULong to, ULong from) { all_[to] = TypeCode::_duplicate(all_[from].in()); });
}

void ContextList::add(const char* pattern) {
  const ULong n = all_.length();
  all_.length(n + 1);
  all_[n] = pattern ? pattern : "";
}

void ContextList::add_consume(char* pattern) {
  const String_var owned(pattern);
  add(pattern);
}

const char* ContextList::item(ULong index) const {
  if (index >= all_.length()) raise<Bounds>();
  return all_[index];
}

void ContextList::remove(ULong index) {
  remove_item(all_, index, [this](ULong to, ULong from) { all_[to] = string_dup(all_[from]); });
}

void ORB::create_exception_list(ExceptionList_out list) {
  check_usable();
  list = new ExceptionList;
}

void ORB::create_context_list(ContextList_out list) {
  check_usable();
  list = new ContextList;
}

void ORB::create_environment(Environment_out environment) {
  check_usable();
  environment = new Environment;
}

void ORB::create_operation_list(OperationDef*, NVList_out) {
  check_usable();
  raise<NO_IMPLEMENT>(omg(1), COMPLETED_NO, "no lists are made of an OperationDef: ask it to describe() itself");
}

}  // namespace CORBA::inline callis_orb
