// SPDX-License-Identifier: Apache-2.0
// RTCORBA: a pool with lanes, the server's priorities, RTCurrent, and a mutex.
#include "check.h"
#include "tao/RTCORBA/RTCORBA.h"
#include "tao/RTCORBA/Priority_Mapping_Manager.h"
#include "tao/RTPortableServer/RTPortableServer.h"

int
ACE_TMAIN (int argc, ACE_TCHAR *argv[])
{
  try
    {
      CORBA::ORB_var orb = CORBA::ORB_init (argc, argv);
      CORBA::Object_var object = orb->resolve_initial_references ("RTORB");
      RTCORBA::RTORB_var rt_orb = RTCORBA::RTORB::_narrow (object.in ());
      object = orb->resolve_initial_references ("RTCurrent");
      RTCORBA::Current_var current = RTCORBA::Current::_narrow (object.in ());
      CHECK (!CORBA::is_nil (current.in ()));
      object = orb->resolve_initial_references ("RootPOA");
      PortableServer::POA_var root_poa = PortableServer::POA::_narrow (object.in ());
      PortableServer::POAManager_var poa_manager = root_poa->the_POAManager ();

      RTCORBA::ThreadpoolLanes lanes (2);
      lanes.length (2);
      for (CORBA::ULong i = 0; i < 2; ++i)
        {
          lanes[i].lane_priority = static_cast<RTCORBA::Priority> (i * 10);
          lanes[i].static_threads = 1;
          lanes[i].dynamic_threads = 0;
        }
      CORBA::ULong const stacksize = 0;
      RTCORBA::ThreadpoolId pool =
        rt_orb->create_threadpool_with_lanes (stacksize, lanes, false, false, 0, 0);
      CORBA::PolicyList policies (2);
      policies.length (2);
      policies[0] = rt_orb->create_priority_model_policy (RTCORBA::SERVER_DECLARED, 10);
      policies[1] = rt_orb->create_threadpool_policy (pool);
      PortableServer::POA_var child = root_poa->create_POA ("rt", poa_manager.in (), policies);
      poa_manager->activate ();
      PortableServer::ServantBase_var servant (new Bank_i (orb.in ()));
      PortableServer::ObjectId_var id = child->activate_object (servant.in ());
      object = child->id_to_reference (id.in ());
      Test::Bank_var bank = Test::Bank::_narrow (object.in ());
      CORBA::String_var text = bank->greet ("real time");
      CHECK (ACE_OS::strcmp (text.in (), "Hello, real time") == 0);

      RTCORBA::Mutex_var mutex = rt_orb->create_mutex ();
      mutex->lock ();
      mutex->unlock ();
      rt_orb->destroy_mutex (mutex.in ());
      orb->destroy ();
    }
  catch (const CORBA::Exception &ex)
    {
      ex._tao_print_exception ("real_time");
      return 1;
    }
  ACE_DEBUG ((LM_DEBUG, "OK\n"));
  return 0;
}
