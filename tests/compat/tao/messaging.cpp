// SPDX-License-Identifier: Apache-2.0
// Times of calls by policies, of an object, a thread and an ORB.
#include "check.h"
#include "tao/Messaging/Messaging.h"
#include "tao/AnyTypeCode/Any.h"
#include "tao/AnyTypeCode/TimeBaseA.h"

int
ACE_TMAIN (int argc, ACE_TCHAR *argv[])
{
  try
    {
      CORBA::ORB_var orb = CORBA::ORB_init (argc, argv);
      Test::Bank_var bank = make_bank (orb.in ());
      // A client's ORB: calls of the ORB's own objects take no time to send.
      int none = 0;
      CORBA::ORB_var client = CORBA::ORB_init (none, 0, "client");
      CORBA::String_var ior = orb->object_to_string (bank.in ());
      CORBA::Object_var object = orb->resolve_initial_references ("ORBPolicyManager");
      CORBA::PolicyManager_var policy_manager = CORBA::PolicyManager::_narrow (object.in ());
      object = orb->resolve_initial_references ("PolicyCurrent");
      CORBA::PolicyCurrent_var policy_current = CORBA::PolicyCurrent::_narrow (object.in ());

      TimeBase::TimeT timeout_period = 10000 * 50;
      CORBA::Any value;
      value <<= timeout_period;
      CORBA::PolicyList policy_list (1);
      policy_list.length (1);
      policy_list[0] = orb->create_policy (Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, value);
      CORBA::Object_var other = client->string_to_object (ior.in ());
      object = other->_set_policy_overrides (policy_list, CORBA::SET_OVERRIDE);
      Test::Bank_var limited = Test::Bank::_narrow (object.in ());
      policy_list[0]->destroy ();
      try
        {
          limited->slow (2000);
          return 1;
        }
      catch (const CORBA::TIMEOUT &)
        {
        }
      value <<= TimeBase::TimeT (10000 * 1000);
      policy_list[0] = orb->create_policy (TAO::CONNECTION_TIMEOUT_POLICY_TYPE, value);
      policy_manager->set_policy_overrides (policy_list, CORBA::ADD_OVERRIDE);
      Messaging::SyncScope scope = Messaging::SYNC_WITH_SERVER;
      value <<= scope;
      policy_list[0] = orb->create_policy (Messaging::SYNC_SCOPE_POLICY_TYPE, value);
      policy_current->set_policy_overrides (policy_list, CORBA::ADD_OVERRIDE);
      bank->note ("with the server");
      client->destroy ();
      orb->destroy ();
    }
  catch (const CORBA::Exception &ex)
    {
      ex._tao_print_exception ("messaging");
      return 1;
    }
  ACE_DEBUG ((LM_DEBUG, "OK\n"));
  return 0;
}
