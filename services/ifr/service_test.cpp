// SPDX-License-Identifier: Apache-2.0
// A repository is fed, and all of it is read back over the wire (CORBA 3.0.3, 10.5).
#include <callis/dynamic.h>
#include <services/ifr/testing/serving.h>
#include <set>
#include "all_kinds.h"

namespace callis::ifr::testing {
namespace {

struct ServiceTest : ::testing::Test, Serving {
  ServiceTest() { feed(all_kinds()); }

  std::string type_of(const char* name) {
    const CORBA::IDLType_var t = at<CORBA::IDLType>(name);
    return t.in() ? std::string(CORBA::TypeCode_var(t->type())->id()) : "";
  }
};

std::set<std::string> names(const CORBA::ContainedSeq& all) {
  std::set<std::string> out;
  for (CORBA::ULong i = 0; i < all.length(); ++i) out.insert(CORBA::String_var(all[i]->name()).in());
  return out;
}

TEST_F(ServiceTest, FindsByIdAndByName) {
  const CORBA::Contained_var by_id = repository->lookup_id("IDL:example.org/Kinds/Point:1.0");
  ASSERT_TRUE(by_id.in());
  EXPECT_EQ(by_id->def_kind(), CORBA::dk_Struct);
  EXPECT_STREQ(CORBA::String_var(by_id->absolute_name()).in(), "::Kinds::Point");
  EXPECT_STREQ(CORBA::String_var(by_id->version()).in(), "1.0");
  const CORBA::Container_var module = by_id->defined_in();
  EXPECT_EQ(module->def_kind(), CORBA::dk_Module);
  const CORBA::Contained_var relative = module->lookup("Base::Points"),
                             outwards = module->lookup("Kinds::Inner::Last");
  EXPECT_TRUE(relative.in());
  EXPECT_TRUE(outwards.in());
  const CORBA::Repository_var top = by_id->containing_repository();
  EXPECT_TRUE(top->_is_equivalent(repository.in()));
  for (const char* nothing : {"", "::", "::::", "Kinds::", "::Kinds::Nothing", "kinds", "Kinds::Point::x::y"})
    EXPECT_FALSE(CORBA::Contained_var(repository->lookup(nothing)).in()) << nothing;
  for (const std::string& nothing : {std::string(), std::string("IDL:x:1.0"), std::string(100'000, 'x')})
    EXPECT_FALSE(CORBA::Contained_var(repository->lookup_id(nothing.c_str())).in());
}

TEST_F(ServiceTest, ListsContentsByKindAndWithWhatIsInherited) {
  const CORBA::Container_var late = at<CORBA::Container>("::Kinds::Late");
  EXPECT_EQ(names(CORBA::ContainedSeq_var(late->contents(CORBA::dk_all, true)).in()),
            (std::set<std::string>{"whole", "tree"}));
  EXPECT_EQ(names(CORBA::ContainedSeq_var(late->contents(CORBA::dk_Operation, false)).in()),
            (std::set<std::string>{"tree", "first", "poke", "later", "describe"}));
  EXPECT_EQ(names(CORBA::ContainedSeq_var(late->contents(CORBA::dk_Typedef, false)).in()),
            (std::set<std::string>{"Points"}));
  EXPECT_EQ(CORBA::ContainedSeq_var(repository->lookup_name("Points", -1, CORBA::dk_all, true))->length(), 1u);
  EXPECT_EQ(CORBA::ContainedSeq_var(repository->lookup_name("Points", 2, CORBA::dk_all, true))->length(), 0u);
  EXPECT_EQ(CORBA::ContainedSeq_var(repository->lookup_name("Points", 3, CORBA::dk_Alias, true))->length(), 1u);
  EXPECT_EQ(CORBA::ContainedSeq_var(repository->lookup_name("Points", 3, CORBA::dk_Enum, true))->length(), 0u);
  EXPECT_EQ(CORBA::ContainedSeq_var(late->lookup_name("first", 1, CORBA::dk_all, false))->length(), 1u);
  const CORBA::Container_var module = at<CORBA::Container>("::Kinds");
  const CORBA::Container::DescriptionSeq_var some = module->describe_contents(CORBA::dk_all, true, 3);
  EXPECT_EQ(some->length(), 3u);
  EXPECT_GT(CORBA::Container::DescriptionSeq_var(module->describe_contents(CORBA::dk_all, true, -1))->length(), 35u);
}

TEST_F(ServiceTest, DescribesAnInterface) {
  const CORBA::InterfaceDef_var late = at<CORBA::InterfaceDef>("::Kinds::Late");
  const CORBA::InterfaceDef::FullInterfaceDescription_var d = late->describe_interface();
  EXPECT_STREQ(d->name.in(), "Late");
  EXPECT_STREQ(d->id.in(), "IDL:example.org/Kinds/Late:1.0");
  EXPECT_STREQ(d->defined_in.in(), "IDL:example.org/Kinds:1.0");
  EXPECT_TRUE(d->type->equal(Kinds::_tc_Late));
  ASSERT_EQ(d->base_interfaces.length(), 2u);
  EXPECT_STREQ(d->base_interfaces[0], "IDL:example.org/Kinds/Base:1.0");
  ASSERT_EQ(d->operations.length(), 5u);
  ASSERT_EQ(d->attributes.length(), 3u);
  for (CORBA::ULong i = 0; i < d->operations.length(); ++i) {
    const CORBA::OperationDescription& o = d->operations[i];
    EXPECT_EQ(o.mode, std::string_view(o.name.in()) == "poke" ? CORBA::OP_ONEWAY : CORBA::OP_NORMAL);
    if (std::string_view(o.name.in()) != "first") continue;
    EXPECT_TRUE(o.result->equal(Kinds::_tc_Point));
    ASSERT_EQ(o.parameters.length(), 3u);
    EXPECT_EQ(o.parameters[0].mode, CORBA::PARAM_IN);
    EXPECT_EQ(o.parameters[1].mode, CORBA::PARAM_INOUT);
    EXPECT_EQ(o.parameters[2].mode, CORBA::PARAM_OUT);
    EXPECT_TRUE(o.parameters[0].type->equal(Kinds::Base::_tc_Points));
    EXPECT_TRUE(CORBA::TypeCode_var(o.parameters[0].type_def->type())->equal(Kinds::Base::_tc_Points));
    ASSERT_EQ(o.exceptions.length(), 2u);
    EXPECT_TRUE(o.exceptions[1].type->equal(Kinds::Base::_tc_Full));
    ASSERT_EQ(o.contexts.length(), 2u);
    EXPECT_STREQ(o.contexts[1], "host*");
  }
  EXPECT_TRUE(late->is_a("IDL:example.org/Kinds/Described:1.0"));
  EXPECT_TRUE(late->is_a("IDL:omg.org/CORBA/Object:1.0"));
  EXPECT_FALSE(late->is_a("IDL:example.org/Kinds/Here:1.0"));
  const CORBA::ExtInterfaceDef_var ext = CORBA::ExtInterfaceDef::_narrow(late.in());
  ASSERT_TRUE(ext.in());
  const CORBA::InterfaceAttrExtension::ExtFullInterfaceDescription_var full = ext->describe_ext_interface();
  for (CORBA::ULong i = 0; i < full->attributes.length(); ++i) {
    if (std::string_view(full->attributes[i].name.in()) != "corners") continue;
    EXPECT_EQ(full->attributes[i].get_exceptions.length(), 1u);
    EXPECT_EQ(full->attributes[i].put_exceptions.length(), 2u);
  }
  EXPECT_EQ(at<CORBA::LocalInterfaceDef>("::Kinds::Here")->def_kind(), CORBA::dk_LocalInterface);
  EXPECT_EQ(at<CORBA::AbstractInterfaceDef>("::Kinds::Described")->def_kind(), CORBA::dk_AbstractInterface);
}

TEST_F(ServiceTest, DescribesAValuetype) {
  const CORBA::ExtValueDef_var thing = at<CORBA::ExtValueDef>("::Kinds::Thing");
  const CORBA::ValueDef::FullValueDescription_var d = thing->describe_value();
  EXPECT_TRUE(d->type->equal(Kinds::_tc_Thing));
  EXPECT_FALSE(d->is_abstract);
  ASSERT_EQ(d->members.length(), 3u);
  EXPECT_EQ(d->members[0].access, CORBA::PUBLIC_MEMBER);
  EXPECT_EQ(d->members[1].access, CORBA::PRIVATE_MEMBER);
  EXPECT_EQ(d->operations.length(), 3u) << "its own, that of the abstract base, and the supported one";
  ASSERT_EQ(d->initializers.length(), 1u);
  EXPECT_EQ(d->initializers[0].members.length(), 2u);
  EXPECT_EQ(CORBA::ExtInitializerSeq_var(thing->ext_initializers())[0u].exceptions.length(), 1u);
  ASSERT_EQ(d->supported_interfaces.length(), 1u);
  EXPECT_STREQ(d->base_value.in(), "");
  const CORBA::ValueDef_var special = at<CORBA::ValueDef>("::Kinds::Special");
  EXPECT_TRUE(special->is_truncatable());
  EXPECT_TRUE(CORBA::ValueDef_var(special->base_value())->_is_equivalent(thing.in()));
  EXPECT_TRUE(special->is_a("IDL:example.org/Kinds/Sortable:1.0"));
  EXPECT_TRUE(at<CORBA::ValueDef>("::Kinds::Odd")->is_custom());
  EXPECT_TRUE(at<CORBA::ValueDef>("::Kinds::Sortable")->is_abstract());
}

TEST_F(ServiceTest, TellsWhatEachKindOfTypeIsMadeOf) {
  const CORBA::StructDef_var node = at<CORBA::StructDef>("::Kinds::Node");
  const CORBA::StructMemberSeq_var members = node->members();
  ASSERT_EQ(members->length(), 2u);
  const CORBA::SequenceDef_var children = CORBA::SequenceDef::_narrow(members[1u].type_def.in());
  ASSERT_TRUE(children.in());
  EXPECT_EQ(children->bound(), 0u);
  EXPECT_TRUE(CORBA::IDLType_var(children->element_type_def())->_is_equivalent(node.in()));
  const CORBA::UnionDef_var sized = at<CORBA::UnionDef>("::Kinds::Sized");
  const CORBA::UnionMemberSeq_var cases = sized->members();
  ASSERT_EQ(cases->length(), 4u);
  CORBA::Long label = 0;
  EXPECT_TRUE(cases[1u].label >>= label);
  EXPECT_EQ(label, -2);
  CORBA::Octet is_default = 1;
  EXPECT_TRUE(cases[3u].label >>= CORBA::Any::to_octet(is_default));
  EXPECT_EQ(is_default, 0);
  EXPECT_EQ(CORBA::TypeCode_var(sized->discriminator_type())->kind(), CORBA::tk_long);
  EXPECT_STREQ(CORBA::EnumMemberSeq_var(at<CORBA::EnumDef>("::Kinds::Color")->members())[2u].in(), "blue");
  const CORBA::AliasDef_var matrix = at<CORBA::AliasDef>("::Kinds::Matrix");
  const CORBA::IDLType_var outer_type = matrix->original_type_def();
  const CORBA::ArrayDef_var outer = CORBA::ArrayDef::_narrow(outer_type.in());
  EXPECT_EQ(outer->length(), 2u);
  const CORBA::IDLType_var inner_type = outer->element_type_def();
  EXPECT_EQ(CORBA::ArrayDef_var(CORBA::ArrayDef::_narrow(inner_type.in()))->length(), 3u);
  const CORBA::IDLType_var fixed_type = at<CORBA::AliasDef>("::Kinds::Money")->original_type_def();
  const CORBA::FixedDef_var fixed = CORBA::FixedDef::_narrow(fixed_type.in());
  EXPECT_EQ(fixed->digits(), 7u);
  EXPECT_EQ(fixed->scale(), 2);
  const CORBA::IDLType_var text_type = at<CORBA::AliasDef>("::Kinds::Code")->original_type_def();
  EXPECT_EQ(CORBA::StringDef_var(CORBA::StringDef::_narrow(text_type.in()))->bound(), 10u);
  const CORBA::ConstantDef_var large = at<CORBA::ConstantDef>("::Kinds::kLarge");
  CORBA::ULongLong value = 0;
  EXPECT_TRUE(CORBA::Any_var(large->value()).in() >>= value);
  EXPECT_EQ(value, 18446744073709551615ull);
  const CORBA::Contained::Description_var described = large->describe();
  const CORBA::ConstantDescription* constant = nullptr;
  ASSERT_TRUE(described->value >>= constant);
  EXPECT_STREQ(constant->name.in(), "kLarge");
}

TEST_F(ServiceTest, HasAllPrimitives) {
  for (std::uint32_t k = 0; k < kPrimitives; ++k) {
    const auto kind = static_cast<CORBA::PrimitiveKind>(k);
    const CORBA::PrimitiveDef_var p = repository->get_primitive(kind);
    EXPECT_EQ(p->kind(), kind);
    EXPECT_EQ(p->def_kind(), CORBA::dk_Primitive);
    EXPECT_NO_THROW(CORBA::TypeCode_var(p->type()));
  }
}

TEST_F(ServiceTest, CompletesTypeCodes) {
  const CORBA::TypeCode_var compact = Kinds::_tc_Outer->get_compact_typecode();
  const CORBA::TypeCode_var whole = repository->get_canonical_typecode(compact.in());
  EXPECT_TRUE(whole->equal(Kinds::_tc_Outer));
  const CORBA::TypeCode_var many = client->create_sequence_tc(3, compact.in());
  const CORBA::TypeCode_var canonical = repository->get_canonical_typecode(many.in());
  EXPECT_TRUE(CORBA::TypeCode_var(canonical->content_type())->equal(Kinds::_tc_Outer));
  EXPECT_TRUE(CORBA::TypeCode_var(repository->get_canonical_typecode(CORBA::_tc_ModuleDescription))
                  ->equal(CORBA::_tc_ModuleDescription));
}

TEST_F(ServiceTest, RefusesComponentsByName) {
  for (const auto& f : {&CallisIfr::Repository::create_component, &CallisIfr::Repository::create_home,
                        &CallisIfr::Repository::create_event}) {
    try {
      ((*ours.in()).*f)();
      ADD_FAILURE();
    } catch (const CORBA::NO_IMPLEMENT& e) {
      EXPECT_NE(std::string(e.what()).find("ComponentIR"), std::string::npos) << e.what();
    }
  }
  EXPECT_FALSE(ours->_is_a("IDL:omg.org/CORBA/ComponentIR/Repository:1.0"));
}

TEST_F(ServiceTest, IsAnInitialReferenceAndAKeyOfCorbaloc) {
  const CORBA::Object_var initial = orb->resolve_initial_references("InterfaceRepository");
  EXPECT_TRUE(initial->_is_a("IDL:omg.org/CORBA/Repository:1.0"));
}

struct Late final : PortableServer::DynamicImplementation {
  void invoke(CORBA::ServerRequest_ptr) override {}
  CORBA::RepositoryId _primary_interface(const PortableServer::ObjectId&, PortableServer::POA_ptr) override {
    return CORBA::string_dup("IDL:example.org/Kinds/Late:1.0");
  }
};

TEST_F(ServiceTest, ServantsWithoutSkeletonsAnswerInterfaceByTheirPrimaryInterface) {
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  const PortableServer::POA_var root = PortableServer::POA::_narrow(object.in());
  const PortableServer::Servant_var<Late> servant = new Late;
  const PortableServer::ObjectId_var id = root->activate_object(servant);
  object = root->id_to_reference(id.in());
  object = client->string_to_object(CORBA::String_var(orb->object_to_string(object.in())).in());
  const CORBA::InterfaceDef_var late = object->_get_interface();
  EXPECT_STREQ(CORBA::String_var(late->absolute_name()).in(), "::Kinds::Late");
}

TEST_F(ServiceTest, ServantsOfAnORBThatKnowsTheRepositoryAnswerInterface) {
  // Definitions are objects with static skeletons, in the ORB whose initial reference the repository is.
  EXPECT_EQ(refusal([&] { CORBA::InterfaceDef_var(repository->_get_interface()); }), "INTF_REPOS 2");
  feed("#pragma prefix \"omg.org\"\nmodule CORBA { interface Repository {}; };");
  EXPECT_EQ(refusal([&] { CORBA::InterfaceDef_var(repository->_get_interface()); }), "INTF_REPOS 2")
      << "its most derived interface is callis's own";
  feed("module CallisIfr { interface Repository {}; };");
  const CORBA::InterfaceDef_var own = repository->_get_interface();
  ASSERT_TRUE(own.in());
  EXPECT_STREQ(CORBA::String_var(own->id()).in(), "IDL:CallisIfr/Repository:1.0");
}

}  // namespace
}  // namespace callis::ifr::testing
