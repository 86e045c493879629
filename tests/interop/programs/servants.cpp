// SPDX-License-Identifier: Apache-2.0
// The servants that other ORBs' clients call.
#include "servants.h"
#include <chrono>

namespace interop {

// ---- arrays ----

Interop::Matrix_slice* TypesServant::t_matrix(const Interop::Matrix a, Interop::Matrix b, Interop::Matrix_out c) {
  x_.journal().upcall();
  const Size n = Size(a[0][0]);
  Check in, inout;
  matrix(in, const_cast<Interop::Matrix_slice*>(a), n, kIn);
  matrix(inout, b, n, kInout);
  x_.journal().expect(in.same, "t_matrix", "in");
  x_.journal().expect(inout.same, "t_matrix", "inout");
  Make make;
  Interop::Matrix_slice* result = Interop::Matrix_alloc();
  matrix(make, b, n, kBack);
  matrix(make, c, n, kOut);
  matrix(make, result, n, kResult);
  return result;
}

Interop::Names_slice* TypesServant::t_names(const Interop::Names a, Interop::Names b, Interop::Names_out c) {
  x_.journal().upcall();
  const Size n = Size(std::strlen(chars(a[0])));
  Check in, inout;
  names(in, const_cast<Interop::Names_slice*>(a), n, kIn);
  names(inout, b, n, kInout);
  x_.journal().expect(in.same, "t_names", "in");
  x_.journal().expect(inout.same, "t_names", "inout");
  Make make;
  Interop::Names_slice* out = Interop::Names_alloc();
  Interop::Names_slice* result = Interop::Names_alloc();
  names(make, b, n, kBack);
  names(make, out, n, kOut);
  names(make, result, n, kResult);
  c = out;
  return result;
}

Interop::Palette_slice* TypesServant::t_palette(const Interop::Palette a, Interop::Palette b,
                                                Interop::Palette_out c) {
  x_.journal().upcall();
  const Size n = index_of(a[0]);
  Check in, inout;
  palette(in, const_cast<Interop::Palette_slice*>(a), n, kIn);
  palette(inout, b, n, kInout);
  x_.journal().expect(in.same, "t_palette", "in");
  x_.journal().expect(inout.same, "t_palette", "inout");
  Make make;
  Interop::Palette_slice* result = Interop::Palette_alloc();
  palette(make, b, n, kBack);
  palette(make, c, n, kOut);
  palette(make, result, n, kResult);
  return result;
}

Interop::Triangle_slice* TypesServant::t_triangle(const Interop::Triangle a, Interop::Triangle b,
                                                  Interop::Triangle_out c) {
  x_.journal().upcall();
  const Size n = a[0].tag;
  Check in, inout;
  triangle(in, const_cast<Interop::Triangle_slice*>(a), n, kIn);
  triangle(inout, b, n, kInout);
  x_.journal().expect(in.same, "t_triangle", "in");
  x_.journal().expect(inout.same, "t_triangle", "inout");
  Make make;
  Interop::Triangle_slice* result = Interop::Triangle_alloc();
  triangle(make, b, n, kBack);
  triangle(make, c, n, kOut);
  triangle(make, result, n, kResult);
  return result;
}

CORBA::Double TypesServant::t_mixed(CORBA::Octet a, CORBA::Double b, CORBA::Boolean c, CORBA::Long d, const char* e,
                                    CORBA::Double f, CORBA::Octet& g, CORBA::Double& h, CORBA::Char& i,
                                    CORBA::Short& j) {
  x_.journal().upcall();
  const std::string s(e);
  x_.journal().expect(a == 7 && b == 1.5 && c && d == -9 && f == -2.25, "t_mixed", "in");
  x_.journal().expect(s == text(Size(s.size()), kIn), "t_mixed", "string");
  g = 200;
  h = double(s.size());
  i = 'm';
  j = -300;
  return 6.0625;
}

// ---- Calls ----

CallsServant::CallsServant(Journal& j) : journal_(j), motto_("none") { interop::make(list_, 3, kOut); }

CORBA::Long CallsServant::level() {
  journal_.upcall();
  const std::lock_guard lock(mutex_);
  return level_;
}
void CallsServant::level(CORBA::Long value) {
  journal_.upcall();
  const std::lock_guard lock(mutex_);
  level_ = value;
}
char* CallsServant::motto() {
  journal_.upcall();
  const std::lock_guard lock(mutex_);
  return CORBA::string_dup(motto_.c_str());
}
void CallsServant::motto(const char* value) {
  journal_.upcall();
  const std::lock_guard lock(mutex_);
  motto_ = value;
}
Interop::Point CallsServant::position() {
  journal_.upcall();
  const std::lock_guard lock(mutex_);
  return position_;
}
void CallsServant::position(const Interop::Point& value) {
  journal_.upcall();
  const std::lock_guard lock(mutex_);
  position_ = value;
}
Interop::Longs* CallsServant::list() {
  journal_.upcall();
  const std::lock_guard lock(mutex_);
  return new Interop::Longs(list_);
}
void CallsServant::list(const Interop::Longs& value) {
  journal_.upcall();
  const std::lock_guard lock(mutex_);
  list_ = value;
}
Interop::Colour CallsServant::hue() {
  journal_.upcall();
  return Interop::blue;
}

static Interop::Refused refusal(Size n) {
  Interop::Refused e;
  e.reason = text(n, kOut).c_str();
  e.code = CORBA::Long(n) - 5;
  e.hue = pick<Interop::Colour>(n);
  make(e.details, n, kOut);
  Make v;
  names(v, e.three, n % 50, kOut);
  return e;
}

// A size from the client; 0 when it is none.
static Size checked_size(CORBA::Long n) { return n >= 0 && n <= 1000000 ? Size(n) : 0; }

CORBA::Long CallsServant::decide(CORBA::Long choice, CORBA::Long n, char*& text_, Interop::Longs_out details) {
  journal_.upcall();
  const Size size = checked_size(n);
  journal_.expect(text(size, kInout) == text_, "decide", "inout");
  if (choice == 1) throw Interop::Empty();
  if (choice == 2) throw refusal(size);
  CORBA::string_free(text_);
  text_ = CORBA::string_dup(text(size, kBack).c_str());
  Interop::Longs* out = new Interop::Longs;
  interop::make(*out, size, kOut);
  details = out;
  return CORBA::Long(size) + 1;
}

void CallsServant::fail(CORBA::Long how) {
  journal_.upcall();
  if (how == 0) throw CORBA::BAD_PARAM(17, CORBA::COMPLETED_NO);
  if (how == 1) throw CORBA::NO_IMPLEMENT(3, CORBA::COMPLETED_YES);
  if (how == 2) throw CORBA::TRANSIENT(5, CORBA::COMPLETED_MAYBE);
  throw refusal(1);
}

void CallsServant::note(CORBA::Long n, const char* s) {
  journal_.upcall();
  journal_.expect(text(checked_size(n), kIn) == s, "note", "in");
  const std::lock_guard lock(mutex_);
  ++notes_;
  sum_ += CORBA::Long(checked_size(n));
  noted_.notify_all();
}

CORBA::Long CallsServant::notes(CORBA::Long n) {
  journal_.upcall();
  std::unique_lock lock(mutex_);
  const bool all = noted_.wait_for(lock, std::chrono::seconds(5), [&] { return notes_ >= n; });
  journal_.expect(all, "notes", "only " + std::to_string(notes_) + " oneways came");
  const CORBA::Long sum = sum_;
  notes_ = sum_ = 0;
  return sum;
}

// ---- references ----

Interop::Node_ptr LeafServant::next() {
  const CORBA::Object_var o = activate(poa_.in(), new LeafServant(poa_.in(), name_ + "+"));
  return Interop::Node::_narrow(o.in());
}

Interop::Leaf_ptr ObjectsServant::make(const char* name) {
  journal_.upcall();
  const CORBA::Object_var o = activate(poa_.in(), new LeafServant(poa_.in(), name));
  return Interop::Leaf::_narrow(o.in());
}

char* ObjectsServant::swap(Interop::Named_ptr a, Interop::Named_ptr& b, Interop::Named_out c) {
  journal_.upcall();
  const CORBA::String_var name = a->name();
  c = b;  // handed on
  b = Interop::Named::_duplicate(a);
  return CORBA::string_dup(name.in());
}

Interop::NamedSeq* ObjectsServant::reverse(const Interop::NamedSeq& all) {
  journal_.upcall();
  const Size n = all.length();
  Interop::NamedSeq* back = new Interop::NamedSeq;
  back->length(n);
  for (Size i = 0; i < n; ++i) {
    const Interop::Named_ptr p = all[n - 1 - i];
    (*back)[i] = Interop::Named::_duplicate(p);
  }
  return back;
}

Interop::Pair* ObjectsServant::t_pair(const Interop::Pair& p) {
  journal_.upcall();
  Interop::Pair* back = new Interop::Pair(p);
  if (!CORBA::is_nil(p.second.in())) back->first = Interop::Named::_narrow(p.second.in());
  return back;
}

CORBA::Object_ptr ObjectsServant::any_object(CORBA::Object_ptr o) {
  journal_.upcall();
  return CORBA::Object::_duplicate(o);
}

Interop::Named_ptr ObjectsServant::nil() {
  journal_.upcall();
  return Interop::Named::_nil();
}

CORBA::Long ObjectsServant::call_back(Interop::Listener_ptr who, CORBA::Long n) {
  journal_.upcall();
  CORBA::Long sum = 0;
  for (CORBA::Long i = 0; i < n; ++i) sum += who->heard(i, text(Size(i), kOut).c_str());
  return sum;
}

// ---- text ----

char* TextServant::join(const char* a, char*& b, CORBA::String_out c) {
  journal_.upcall();
  c = CORBA::string_dup(a);
  const std::string both = std::string(a) + b;
  CORBA::string_free(b);
  b = CORBA::string_dup(both.c_str());
  return CORBA::string_dup(both.c_str());
}

// ---- control ----

Interop::Strings* ControlServant::failures() {
  const std::vector<std::string> all = journal_.failures();
  Interop::Strings* s = new Interop::Strings;
  s->length(Size(all.size()));
  for (Size i = 0; i < s->length(); ++i) (*s)[i] = all[i].c_str();
  return s;
}

}  // namespace interop
