// SPDX-License-Identifier: Apache-2.0
// Pointers that count: TAO::Utils, PortableServer::Servant_var, TAO_Intrusive_Ref_Count_Handle, ACE_Auto_Ptr.
#include "check.h"
#include "tao/Utils/Servant_Var.h"
#include "tao/Utils/RIR_Narrow.h"
#include "tao/Utils/PolicyList_Destroyer.h"
#include "tao/Utils/ORB_Destroyer.h"
#include "tao/Intrusive_Ref_Count_Base_T.h"
#include "tao/Intrusive_Ref_Count_Handle_T.h"
#include "ace/Auto_Ptr.h"

static int gone = 0;

class Counted : public TAO_Intrusive_Ref_Count_Base<TAO_SYNCH_MUTEX>
{
public:
  ~Counted () { ++gone; }
  int answer () { return 42; }
};

int
ACE_TMAIN (int argc, ACE_TCHAR *argv[])
{
  try
    {
      CORBA::ORB_var orb = CORBA::ORB_init (argc, argv);
      TAO::Utils::ORB_Destroyer destroyer (orb);
      PortableServer::POA_var poa =
        TAO::Utils::RIR_Narrow<PortableServer::POA>::narrow (orb, "RootPOA");
      TAO::Utils::PolicyList_Destroyer policies (2);
      policies.length (2);
      policies[0] = poa->create_lifespan_policy (PortableServer::PERSISTENT);
      policies[1] = poa->create_id_assignment_policy (PortableServer::USER_ID);
      PortableServer::POAManager_var manager = poa->the_POAManager ();
      PortableServer::POA_var child = poa->create_POA ("child", manager.in (), policies);
      manager->activate ();

      TAO::Utils::Servant_Var<Bank_i> servant (new Bank_i (orb.in ()));
      PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId ("bank");
      child->activate_object_with_id (id.in (), servant.in ());
      CORBA::Object_var object = child->servant_to_reference (servant.in ());
      Test::Bank_var bank = Test::Bank::_narrow (object.in ());
      CORBA::String_var text = bank->greet ("pointer");
      CHECK (ACE_OS::strcmp (text.in (), "Hello, pointer") == 0);
      CHECK (servant->_refcount_value () >= 2);

      {
        TAO_Intrusive_Ref_Count_Handle<Counted> one (new Counted, false);
        TAO_Intrusive_Ref_Count_Handle<Counted> two (one);
        TAO_Intrusive_Ref_Count_Handle<Counted> three;
        three = two;
        CHECK (three->answer () == 42 && !three.is_nil ());
        CHECK (one->_ref_count () == 3);
      }
      CHECK (gone == 1);

      ACE_Auto_Array_Ptr<int> array (new int[3]);
      array[0] = 7;
      CHECK (array.get ()[0] == 7);
      ACE_Auto_Ptr<ACE_CString> string (new ACE_CString ("text"));
      CHECK (string->length () == 4);
    }
  catch (const CORBA::Exception &ex)
    {
      ex._tao_print_exception ("safe_pointers");
      return 1;
    }
  ACE_DEBUG ((LM_DEBUG, "OK\n"));
  return 0;
}
