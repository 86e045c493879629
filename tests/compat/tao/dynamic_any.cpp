// SPDX-License-Identifier: Apache-2.0
// DynAny, TypeCodes and Any under TAO's header names.
#include "check.h"
#include "tao/DynamicAny/DynamicAny.h"
#include "tao/AnyTypeCode/Any.h"
#include "tao/AnyTypeCode/TypeCode.h"
#include "tao/TypeCodeFactory/TypeCodeFactory_Loader.h"

int
ACE_TMAIN (int argc, ACE_TCHAR *argv[])
{
  try
    {
      CORBA::ORB_var orb = CORBA::ORB_init (argc, argv);
      CORBA::Object_var object = orb->resolve_initial_references ("DynAnyFactory");
      DynamicAny::DynAnyFactory_var factory = DynamicAny::DynAnyFactory::_narrow (object.in ());
      CHECK (!CORBA::is_nil (factory.in ()));

      Test::Account account;
      account.owner = CORBA::string_dup ("ann");
      account.balance = 2.5;
      CORBA::Any any;
      any <<= account;
      DynamicAny::DynAny_var value = factory->create_dyn_any (any);
      DynamicAny::DynStruct_var structure = DynamicAny::DynStruct::_narrow (value.in ());
      CORBA::String_var owner = structure->get_string ();
      CHECK (ACE_OS::strcmp (owner.in (), "ann") == 0);
      structure->next ();
      structure->insert_double (3.5);
      CORBA::Any_var back = structure->to_any ();
      const Test::Account *out = 0;
      CHECK ((back.in () >>= out) && out->balance == 3.5);
      structure->destroy ();

      CORBA::TypeCode_var type = orb->create_sequence_tc (5, CORBA::_tc_long);
      CHECK (type->length () == 5);
      CORBA::StructMemberSeq members (1);
      members.length (1);
      members[0].name = CORBA::string_dup ("x");
      members[0].type = CORBA::TypeCode::_duplicate (CORBA::_tc_short);
      type = orb->create_struct_tc ("IDL:S:1.0", "S", members);
      CHECK (type->member_count () == 1);
      orb->destroy ();
    }
  catch (const CORBA::Exception &ex)
    {
      ex._tao_print_exception ("dynamic_any");
      return 1;
    }
  ACE_DEBUG ((LM_DEBUG, "OK\n"));
  return 0;
}
