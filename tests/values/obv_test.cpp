// SPDX-License-Identifier: Apache-2.0
// Valuetypes as applications use them (C++ mapping 1.3, 4.17-4.21), within one process and through its own server.
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <gtest/gtest.h>
#include <cstring>
#include "obv.h"
#include "obv_skel.h"

namespace {

template <class Value>
class FactoryOf : public CORBA::ValueFactoryBase {
  CORBA::ValueBase* create_for_unmarshal() override { return new Value; }
};

class AllValue final : public virtual OBV_T::All, public virtual CORBA::DefaultValueRefCountBase {
 public:
  using OBV_T::All::wide;  // private state: for those who derive
};
class SquareValue : public virtual OBV_T::Square, public virtual CORBA::DefaultValueRefCountBase {
 public:
  double area() override { return side() * side(); }
};
class CubeValue final : public virtual OBV_T::Cube, public SquareValue {
 public:
  CubeValue() = default;
  CubeValue(double side, double height) : OBV_T::Cube(side, height) {}
  double area() override { return 4 * side() * height() + 2 * side() * side(); }
  char* label() override { return CORBA::string_dup(label_.in()); }
  void label(const char* text) override { label_ = text; }

 private:
  CORBA::String_var label_;
};
class SquareFactory final : public T::Square_init {
 public:
  T::Square* of(CORBA::Double side) override {
    auto* const s = new SquareValue;
    s->side(side);
    return s;
  }
  T::Square* unit() override { return of(1); }

 private:
  CORBA::ValueBase* create_for_unmarshal() override { return new SquareValue; }
};
// "3: name=value ...".
char* shout(CORBA::Long times, CORBA::Context_ptr context) {
  std::string text = std::to_string(times) + ':';
  CORBA::NVList_var list;
  try {
    context->get_values("", 0, "*", list.out());
  } catch (const CORBA::BAD_CONTEXT&) {
    return CORBA::string_dup(text.c_str());
  }
  for (CORBA::ULong i = 0; i < list->count(); ++i) {
    const char* value = "";
    *list->item(i)->value() >>= value;
    text += std::string(" ") + list->item(i)->name() + '=' + value;
  }
  return CORBA::string_dup(text.c_str());
}
class VoiceValue final : public virtual OBV_T::Voice, public virtual CORBA::DefaultValueRefCountBase {
 public:
  char* speak(const char* to) override { return CORBA::string_dup((std::string(word()) + " " + to).c_str()); }
  char* shout(CORBA::Long times, CORBA::Context_ptr context) override { return ::shout(times, context); }
};
class ServerValue final : public virtual OBV_T::Server, public virtual POA_T::Target,
                          public virtual PortableServer::ValueRefCountBase {
 public:
  CORBA::Long twice(CORBA::Long a) override { return a * factor(); }
};
class SecretValue final : public virtual OBV_T::Secret, public virtual CORBA::DefaultValueRefCountBase {
 public:
  void marshal(CORBA::DataOutputStream* os) override {
    CORBA::OctetSeq noise;
    noise.length(5);
    for (CORBA::ULong i = 0; i < 5; ++i) noise[i] = static_cast<CORBA::Octet>(i);
    os->write_octet_array(noise, 1, 3);
    os->write_longlong(key() ^ 0x1234567890);
    os->write_boolean(true);
    os->write_string("a secret");
    os->write_Value(inner());
    os->write_double(0.5);
    CORBA::Any any;
    any <<= CORBA::Long{7};
    os->write_any(any);
  }
  void unmarshal(CORBA::DataInputStream* is) override {
    CORBA::OctetSeq noise;
    is->read_octet_array(noise, 2, 3);
    const bool right = noise.length() == 5 && noise[2] == 1 && noise[4] == 3;
    key(static_cast<CORBA::Long>(is->read_longlong() ^ 0x1234567890));
    const bool said = is->read_boolean();
    const CORBA::String_var text(is->read_string());
    const CORBA::ValueBase_var v(is->read_Value());
    inner(CORBA::callis_duplicate(v.in()) ? T::Secret_var(T::Secret::_downcast(v.in())).in() : nullptr);
    const CORBA::Any_var any(right && said && is->read_double() == 0.5 ? is->read_any() : nullptr);
    CORBA::Long seven = 0;
    if (!(any.in() >>= seven) || seven != 7 || std::strcmp(text.in(), "a secret") != 0) key(-1);
  }
};

class EchoServant final : public POA_T::Echo {
 public:
  T::All* echo_all(T::All* a) override { return T::All_var(count(a))._retn(); }
  T::Holder* hold(T::Holder* a, T::Secret_out first) override {
    first = count(a->kept());
    return count(a);
  }
  T::Shape* echo_shape(T::Shape* a) override { return count(a); }
  char* speak(T::Speaker* a) override { return a->speak("server"); }
  T::Speaker* same(T::Speaker* a) override { return T::Speaker::_duplicate(a); }
  CORBA::ValueBase* value(CORBA::ValueBase* a) override { return count(a); }
  T::GridBox* grid(T::GridBox* a, T::ChoiceBox*& b, T::WordsBox_out c) override {
    c = new T::WordsBox;
    (*c.ptr())[0] = b->text();
    b->number(a->_value()[1][2]);
    return count(a);
  }

 private:
  template <class V>
  static V* count(V* v) {
    CORBA::add_ref(v);
    return v;
  }
};
class PersonServant final : public POA_T::Person {
 public:
  char* speak(const char* to) override { return CORBA::string_dup((std::string("hello ") + to).c_str()); }
  char* shout(CORBA::Long times, CORBA::Context_ptr context) override { return ::shout(times, context); }
  CORBA::Long age() override { return 33; }
};
class TargetServant final : public POA_T::Target {
 public:
  CORBA::Long twice(CORBA::Long a) override { return 2 * a; }
};

class Obv : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    int argc = 3;
    char* argv[] = {const_cast<char*>("test"), const_cast<char*>("-ORBEndpoint"), const_cast<char*>("tcp:127.0.0.1"),
                    nullptr};
    orb = CORBA::ORB_init(argc, argv);
    add("All", new FactoryOf<AllValue>);
    add("Square", new SquareFactory);
    add("Cube", new FactoryOf<CubeValue>);
    add("Voice", new FactoryOf<VoiceValue>);
    add("Secret", new FactoryOf<SecretValue>);
    add("Holder", new T::Holder_init);
    const CORBA::Object_var root = orb->resolve_initial_references("RootPOA");
    poa = PortableServer::POA::_narrow(root.in());
    const PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    echo = activate<T::Echo>(new EchoServant);
  }
  static void TearDownTestSuite() {
    echo = nullptr;
    poa = nullptr;
    orb->destroy();
    orb = nullptr;
  }
  static void add(const char* name, CORBA::ValueFactory factory) {
    const CORBA::ValueFactory_var owner(factory);
    EXPECT_EQ(orb->register_value_factory((std::string("IDL:T/") + name + ":1.0").c_str(), factory), nullptr);
  }
  template <class I, class S>
  static I* activate(S* servant) {
    const PortableServer::ServantBase_var owner(servant);
    const PortableServer::ObjectId_var id = poa->activate_object(servant);
    // As text and back: not the same object as within the server.
    const CORBA::Object_var object = poa->id_to_reference(id.in());
    const CORBA::String_var text = orb->object_to_string(object.in());
    const CORBA::Object_var again = orb->string_to_object(text.in());
    return I::_narrow(again.in());
  }

  static inline CORBA::ORB_var orb;
  static inline PortableServer::POA_var poa;
  static inline T::Echo_var echo;
};

T::All* filled(T::Target* target) {
  auto* const a = new AllValue;
  a->number(5);
  a->shade(T::green);
  a->name(CORBA::string_dup("first"));
  a->wide(L"w\u00e4");
  a->list().length(2);
  a->list()[1] = "two";
  a->few().length(3);
  a->few()[2] = 9;
  a->extent().width = 4;
  a->extent().unit = "mm";
  a->pair({1, 2.5});
  const T::Grid grid = {{1, 2, 3}, {4, 5, 6}};
  a->table(grid);
  a->both()[1] = "second";
  a->anonymous()[3] = -4;
  a->either().text("neither");
  a->thing() <<= "any";
  a->goal(target);
  a->next(a);
  a->rest(a);
  a->_cxx_class(true);
  return a;
}

void check_filled(T::All* a) {
  EXPECT_EQ(a->number(), 5);
  EXPECT_EQ(a->shade(), T::green);
  EXPECT_STREQ(a->name(), "first");
  EXPECT_STREQ(a->list()[0], "");
  EXPECT_STREQ(a->list()[1], "two");
  EXPECT_EQ(a->few().length(), 3u);
  EXPECT_EQ(a->few()[2], 9);
  EXPECT_STREQ(a->extent().unit, "mm");
  EXPECT_EQ(a->pair().b, 2.5);
  EXPECT_EQ(a->table()[1][2], 6);
  EXPECT_STREQ(a->both()[1], "second");
  EXPECT_EQ(a->anonymous()[3], -4);
  EXPECT_STREQ(a->either().text(), "neither");
  const char* text = nullptr;
  EXPECT_TRUE(a->thing() >>= text);
  EXPECT_STREQ(text, "any");
  EXPECT_EQ(a->next(), a);
  EXPECT_EQ(a->rest(), a);
  EXPECT_TRUE(a->_cxx_class());
}

void unring(T::All* a) {
  a->next(nullptr);
  a->rest(nullptr);
}

TEST_F(Obv, StateMembersOfEveryTypeComeBack) {
  const T::Target_var target = activate<T::Target>(new TargetServant);
  const T::All_var a(filled(target.in()));
  const T::All_var b = echo->echo_all(a.in());
  EXPECT_NE(a.in(), b.in());
  check_filled(b.in());
  EXPECT_STREQ(dynamic_cast<AllValue*>(b.in())->wide(), L"w\u00e4");
  EXPECT_EQ(b->goal()->twice(4), 8);
  unring(a.in());
  unring(b.in());
}

TEST_F(Obv, ModifiersCopyWhatTheyAreNotGiven) {
  const T::All_var a(new AllValue);
  T::Names names;
  names.length(1);
  names[0] = "element";
  a->name(names[0]);  // an element converts to char*, and stays its own
  EXPECT_STREQ(a->name(), "element");
  EXPECT_STREQ(names[0], "element");
  const CORBA::String_var var("var");
  a->name(var);
  EXPECT_STREQ(a->name(), "var");
  a->name(CORBA::string_dup("taken"));
  a->next(a.in());
  EXPECT_EQ(a->_refcount_value(), 2u);
  a->next(nullptr);
  EXPECT_EQ(a->_refcount_value(), 1u);
}

TEST_F(Obv, CopiesAreDeepAndKeepTheShapeOfTheGraph) {
  const T::Target_var target = activate<T::Target>(new TargetServant);
  const T::All_var a(filled(target.in()));
  const T::All_var b(T::All::_downcast(a->_copy_value()));
  EXPECT_NE(a.in(), b.in());
  check_filled(b.in());
  EXPECT_EQ(b->goal(), a->goal()) << "references are shared";
  EXPECT_EQ(a->_refcount_value(), 3u) << "no count is kept";
  unring(a.in());
  unring(b.in());
}

TEST_F(Obv, ValuesInheritValues) {
  const T::Cube_var cube(new CubeValue(2, 3));
  const T::Shape_var shape = echo->echo_shape(cube.in());
  EXPECT_EQ(shape->area(), 32);
  T::Cube* const same = T::Cube::_downcast(shape.in());
  ASSERT_NE(same, nullptr);
  EXPECT_EQ(T::Square::_downcast(shape.in())->side(), 2);
  EXPECT_EQ(T::Voice::_downcast(shape.in()), nullptr);
  EXPECT_EQ(T::Shape_var(echo->echo_shape(nullptr)).in(), nullptr);
}

TEST_F(Obv, FactoriesAreOfTheirType) {
  const CORBA::ValueFactory_var f = orb->lookup_value_factory("IDL:T/Square:1.0");
  T::Square_init* const squares = T::Square_init::_downcast(f.in());
  ASSERT_NE(squares, nullptr);
  const T::Square_var s(squares->of(3));
  EXPECT_EQ(s->area(), 9);
  EXPECT_EQ(T::Holder_init::_downcast(f.in()), nullptr);
}

TEST_F(Obv, CustomValuesMarshalThemselves) {
  const T::Secret_var outer(new SecretValue), inner(new SecretValue);
  outer->key(42);
  outer->inner(inner.in());
  inner->key(43);
  inner->inner(outer.in());  // a ring
  const T::Holder_var h(new OBV_T::Holder), second(new OBV_T::Holder);
  h->kept(outer.in());
  h->next(second.in());
  second->kept(inner.in());
  T::Secret_var first;
  const T::Holder_var back = echo->hold(h.in(), first.out());
  EXPECT_EQ(back->kept(), first.in());
  EXPECT_EQ(first->key(), 42);
  EXPECT_EQ(first->inner()->key(), 43);
  EXPECT_EQ(first->inner()->inner(), first.in());
  EXPECT_EQ(back->next()->kept(), first->inner());
  inner->inner(nullptr);
  first->inner()->inner(nullptr);
}

TEST_F(Obv, AbstractInterfacesTakeBoth) {
  const T::Voice_var voice(new VoiceValue);
  voice->word("meow");
  EXPECT_STREQ(CORBA::String_var(echo->speak(voice.in())).in(), "meow server");
  const T::Person_var person = activate<T::Person>(new PersonServant);
  EXPECT_STREQ(CORBA::String_var(echo->speak(person.in())).in(), "hello server");
  const T::Speaker_var value = echo->same(voice.in()), object = echo->same(person.in());
  EXPECT_STREQ(CORBA::String_var(value->speak("x")).in(), "meow x");
  EXPECT_STREQ(CORBA::String_var(object->speak("y")).in(), "hello y");
  EXPECT_EQ(CORBA::Object_var(value->_to_object()).in(), nullptr);
  EXPECT_EQ(CORBA::ValueBase_var(object->_to_value()).in(), nullptr);
  const T::Person_var narrowed = T::Person::_narrow(object.in());
  EXPECT_EQ(narrowed->age(), 33);
  EXPECT_EQ(T::Person_var(T::Person::_narrow(value.in())).in(), nullptr);
  const T::Speaker_var widened = T::Speaker::_narrow(person.in());
  EXPECT_STREQ(CORBA::String_var(widened->speak("z")).in(), "hello z");
  EXPECT_TRUE(CORBA::is_nil(T::Speaker_var(echo->same(nullptr)).in()));
}

TEST_F(Obv, ContextsGoToValuesAsTheyAreAndToObjectsAsTheClauseSays) {
  CORBA::Context_var context(CORBA::Context::_callis_create("test"));
  CORBA::Any any;
  for (const char* name : {"volume", "v.max", "secret"}) {
    any <<= name;
    context->set_one_value(name, any);
  }
  const T::Voice_var voice(new VoiceValue);
  EXPECT_STREQ(CORBA::String_var(voice->shout(2, context.in())).in(), "2: secret=secret v.max=v.max volume=volume");
  const T::Person_var person = activate<T::Person>(new PersonServant);
  EXPECT_STREQ(CORBA::String_var(person->shout(3, context.in())).in(), "3: v.max=v.max volume=volume");
  const T::Speaker_var object = echo->same(person.in());
  EXPECT_STREQ(CORBA::String_var(object->shout(4, context.in())).in(), "4: v.max=v.max volume=volume");
  EXPECT_STREQ(CORBA::String_var(object->shout(5, nullptr)).in(), "5:");
}

TEST_F(Obv, AServerRefusesAContextOfANameWithoutAValue) {
  const T::Person_var person = activate<T::Person>(new PersonServant);
  const T::Liar_var liar = T::Liar::_unchecked_narrow(person.in());
  T::Strings properties;
  properties.length(2);
  properties[0] = "b";
  properties[1] = "1";
  EXPECT_STREQ(CORBA::String_var(liar->shout(1, properties)).in(), "1: b=1");
  properties.length(3);
  try {
    CORBA::String_var never(liar->shout(1, properties));
    ADD_FAILURE() << never.in();
  } catch (const CORBA::MARSHAL& e) {
    EXPECT_EQ(e.minor(), 0x43414009u);
    EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
  }
  EXPECT_STREQ(CORBA::String_var(person->speak("you")).in(), "hello you") << "the connection goes on";
}

TEST_F(Obv, AValueCanBeAServant) {
  auto* const server = new ServerValue;
  server->factor(7);
  const T::Target_var target = activate<T::Target>(server);
  EXPECT_EQ(target->twice(3), 21);
}

TEST_F(Obv, ListsBeyondTheLimitAreRefusedClearly) {
  T::Holder_var head;
  for (int i = 0; i < 1001; ++i) {
    const T::Holder_var h(new OBV_T::Holder);
    h->next(head.in());
    head = h;
  }
  try {
    const CORBA::ValueBase_var v = echo->value(head.in());
    ADD_FAILURE();
  } catch (const CORBA::IMP_LIMIT& e) {
    EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
  }
  const CORBA::ValueBase_var v = echo->value(head->next());
  EXPECT_NE(T::Holder::_downcast(v.in()), nullptr);
}

TEST_F(Obv, UnknownValuesAreRefusedAsTheOmgSays) {
  orb->unregister_value_factory("IDL:T/Voice:1.0");
  const T::Voice_var voice(new VoiceValue);
  try {
    const CORBA::ValueBase_var v = echo->value(voice.in());
    ADD_FAILURE();
  } catch (const CORBA::MARSHAL& e) {
    EXPECT_EQ(e.minor(), CORBA::OMGVMCID | 1);
  }
  add("Voice", new FactoryOf<VoiceValue>);
}

TEST(Boxes, HoldScalars) {
  const T::LongBox_var b(new T::LongBox(5));
  EXPECT_EQ(b->_value(), 5);
  b->_boxed_inout() = 6;
  const T::LongBox_var copy(T::LongBox::_downcast(b->_copy_value()));
  b->_value(7);
  EXPECT_EQ(copy->_boxed_in(), 6);
  *b.in() = 8;
  EXPECT_EQ(b->_value(), 8);
  EXPECT_EQ(T::LongBox::_downcast(b.in()), b.in());
  EXPECT_EQ(T::StringBox::_downcast(b.in()), nullptr);
  const T::ColorBox_var c(new T::ColorBox(T::green));
  EXPECT_EQ(c->_value(), T::green);
}

TEST(Boxes, HoldStrings) {
  const T::StringBox_var b(new T::StringBox("text"));
  EXPECT_STREQ(b->_value(), "text");
  (*b.in())[0] = 'n';
  EXPECT_STREQ(b->_boxed_in(), "next");
  b->_value(CORBA::string_dup("own"));
  char*& out = b->_boxed_out();
  out = CORBA::string_dup("out");
  EXPECT_STREQ(b->_value(), "out");
  const T::WideBox_var w(new T::WideBox(L"wide"));
  EXPECT_STREQ(w->_value(), L"wide");
}

TEST(Boxes, HoldStructsAndUnions) {
  const T::SizeBox_var b(new T::SizeBox);
  b->width(3);
  b->unit("mm");
  EXPECT_EQ(b->_value().width, 3);
  const T::SizeBox_var copy(T::SizeBox::_downcast(b->_copy_value()));
  b->_boxed_out() = new T::Size{9, static_cast<const char*>("km")};
  EXPECT_STREQ(b->unit(), "km");
  EXPECT_STREQ(copy->unit(), "mm");
  const T::FlatBox_var f(new T::FlatBox({1, 2.5}));
  EXPECT_EQ(f->b(), 2.5);
  f->a(4);
  EXPECT_EQ(f->_boxed_in().a, 4);
  const T::PairBox_var p(new T::PairBox(T::Pair{7, static_cast<const char*>("own")}));  // declared in the box itself
  EXPECT_EQ(p->first(), 7);
  EXPECT_STREQ(p->_value().second, "own");
  const T::ChoiceBox_var u(new T::ChoiceBox);
  u->text("text");
  EXPECT_FALSE(u->_d());
  u->number(4);
  EXPECT_EQ(u->_value().number(), 4);
}

TEST(Boxes, HoldSequencesAndArrays) {
  const T::NamesBox_var b(new T::NamesBox);
  b->length(2);
  (*b.in())[1] = "one";
  EXPECT_EQ(b->length(), 2u);
  EXPECT_STREQ(b->_value()[1], "one");
  CORBA::Long* const buffer = new CORBA::Long[1];  // not the box's
  buffer[0] = 3;
  const T::FewBox_var few(new T::FewBox(1, buffer));
  EXPECT_EQ((*few.in())[0], 3);
  delete[] buffer;
  const T::GridBox_var g(new T::GridBox);
  (*g.in())[1][2] = 6;
  EXPECT_EQ(g->_value()[1][2], 6);
  const T::GridBox_var copy(T::GridBox::_downcast(g->_copy_value()));
  (*g.in())[1][2] = 7;
  EXPECT_EQ((*copy.in())[1][2], 6);
}

// 4.17.5 and 4.17.7: what portable programs override.
TEST(CopyValue, IsDeclaredAsOfValueBase) {
  struct Mine final : OBV_T::All {
    CORBA::ValueBase* _copy_value() override { return nullptr; }
  };
  const T::All_var mine(new Mine);
  EXPECT_EQ(mine->_copy_value(), nullptr);
  static_assert(std::is_same_v<decltype(mine->_copy_value()), CORBA::ValueBase*>);
  const T::GridBox_var box(new T::GridBox);
  static_assert(std::is_same_v<decltype(box->_copy_value()), CORBA::ValueBase*>);
}

// 4.17.7.6: arrays are passed as pointers to their slices.
TEST(Boxes, OfArraysTakeAndGiveSlices) {
  T::Grid grid = {};
  grid[1][2] = 6;
  const T::Grid_slice* const in = grid;
  const T::GridBox_var made(new T::GridBox(in));
  EXPECT_EQ((*made.in())[1][2], 6);
  grid[1][2] = 7;
  made->_value(in);
  EXPECT_EQ(made->_value()[1][2], 7);
  grid[1][2] = 8;
  *made.in() = in;
  const T::GridBox* const constant = made.in();
  const T::Grid_slice* const out = constant->_value();
  EXPECT_EQ(out[1][2], 8);
  T::Grid_var owned = T::Grid_dup(in);
  const T::GridBox_var from_var(new T::GridBox(owned.in()));
  EXPECT_EQ((*from_var.in())[1][2], 8);
  const T::GridBox_var from_array(new T::GridBox(grid));
  T::Grid_slice* const inout = from_array->_boxed_inout();
  inout[1][2] = 9;
  const T::Grid_slice* const boxed = from_array->_boxed_in();
  EXPECT_EQ(boxed[1][2], 9);
}

TEST_F(Obv, AnysGiveObjectsAndValuesToVars) {
  const T::Target_var target = activate<T::Target>(new TargetServant);
  CORBA::Any any;
  any <<= target.in();
  CORBA::Object_var object;
  ASSERT_TRUE(any >>= CORBA::Any::to_object(object));
  EXPECT_TRUE(object->_is_equivalent(target.in()));
  ASSERT_TRUE(any >>= CORBA::Any::to_object(object)) << "what the var had is released";
  ASSERT_TRUE(any >>= CORBA::Any::to_object(object.out()));
  const T::LongBox_var box(new T::LongBox(5));
  any <<= box.in();
  CORBA::ValueBase_var value;
  ASSERT_TRUE(any >>= CORBA::Any::to_value(value));
  EXPECT_EQ(T::LongBox::_downcast(value.in())->_value(), 5);
  EXPECT_FALSE(any >>= CORBA::Any::to_object(object));
}

TEST_F(Obv, BoxesAreArguments) {
  const T::GridBox_var a(new T::GridBox);
  (*a.in())[1][2] = 6;
  T::ChoiceBox_var b(new T::ChoiceBox);
  b->text("text");
  T::WordsBox_var c;
  const T::GridBox_var same = echo->grid(a.in(), b.inout(), c.out());
  EXPECT_EQ((*same.in())[1][2], 6);
  EXPECT_EQ(b->number(), 6);
  EXPECT_STREQ((*c.in())[0], "text");
  const CORBA::ValueBase_var v = echo->value(c.in());
  EXPECT_NE(T::WordsBox::_downcast(v.in()), nullptr);
}

}  // namespace
