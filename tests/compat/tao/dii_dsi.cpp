// SPDX-License-Identifier: Apache-2.0
// Requests made and served at run time.
#include "check.h"
#include "tao/DynamicInterface/Request.h"
#include "tao/DynamicInterface/Server_Request.h"
#include "tao/DynamicInterface/Dynamic_Implementation.h"
#include "tao/AnyTypeCode/NVList.h"

class Dynamic_i : public virtual PortableServer::DynamicImplementation
{
public:
  explicit Dynamic_i (CORBA::ORB_ptr orb) : orb_ (CORBA::ORB::_duplicate (orb)) {}
  virtual void invoke (CORBA::ServerRequest_ptr request)
  {
    CORBA::NVList_ptr list = 0;
    this->orb_->create_list (0, list);
    CORBA::Any name;
    name._tao_set_typecode (CORBA::_tc_string);
    list->add_value ("name", name, CORBA::ARG_IN);
    request->arguments (list);
    const char *text = 0;
    CORBA::NamedValue_ptr item = list->item (0);
    *item->value () >>= text;
    ACE_CString answer ("dynamic ");
    answer += text;
    CORBA::Any result;
    result <<= answer.c_str ();
    request->set_result (result);
  }
  virtual CORBA::RepositoryId _primary_interface (const PortableServer::ObjectId &, PortableServer::POA_ptr)
  {
    return CORBA::string_dup ("IDL:Test/Bank:1.0");
  }

private:
  CORBA::ORB_var orb_;
};

int
ACE_TMAIN (int argc, ACE_TCHAR *argv[])
{
  try
    {
      CORBA::ORB_var orb = CORBA::ORB_init (argc, argv);
      Test::Bank_var bank = make_bank (orb.in ());
      CORBA::Object_var object = orb->resolve_initial_references ("RootPOA");
      PortableServer::POA_var poa = PortableServer::POA::_narrow (object.in ());
      PortableServer::ServantBase_var servant (new Dynamic_i (orb.in ()));
      PortableServer::ObjectId_var id = poa->activate_object (servant.in ());
      object = poa->id_to_reference (id.in ());
      Test::Bank_var dynamic = Test::Bank::_narrow (object.in ());
      CORBA::String_var text = dynamic->greet ("call");
      CHECK (ACE_OS::strcmp (text.in (), "dynamic call") == 0);

      CORBA::Request_var request = bank->_request ("greet");
      request->add_in_arg ("name") <<= "request";
      request->set_return_type (CORBA::_tc_string);
      request->invoke ();
      const char *answer = 0;
      CHECK (request->return_value () >>= answer);
      CHECK (ACE_OS::strcmp (answer, "Hello, request") == 0);
      orb->destroy ();
    }
  catch (const CORBA::Exception &ex)
    {
      ex._tao_print_exception ("dii_dsi");
      return 1;
    }
  ACE_DEBUG ((LM_DEBUG, "OK\n"));
  return 0;
}
