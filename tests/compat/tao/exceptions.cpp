// SPDX-License-Identifier: Apache-2.0
// _tao_print_exception(), _info() and minor codes.
#include "check.h"
#include "tao/SystemException.h"
#include "tao/ORB_Constants.h"

int
ACE_TMAIN (int argc, ACE_TCHAR *argv[])
{
  CORBA::ORB_var orb = CORBA::ORB_init (argc, argv);
  Test::Bank_var bank = make_bank (orb.in ());
  try
    {
      bank->deposit ("ann", -1);
      return 1;
    }
  catch (const CORBA::Exception &ex)
    {
      ex._tao_print_exception ("a user exception");
      CHECK (ACE_OS::strstr (ex._info ().c_str (), "IDL:Test/Overdrawn:1.0") != 0);
    }
  try
    {
      CORBA::Object_var object = orb->string_to_object ("corbaloc:iiop:127.0.0.1:1/nobody");
      object->_non_existent ();
      return 1;
    }
  catch (const CORBA::SystemException &ex)
    {
      ex._tao_print_exception ("a system exception", stdout);
      ACE_CString text = ex._info ();
      CHECK (text.find ("TRANSIENT") != ACE_CString::npos);
      CHECK (CORBA::TRANSIENT::_downcast (&ex) != 0);
      CHECK ((ex.minor () & 0xfffff000u) != TAO::VMCID);
      CHECK (CORBA::SystemException::_tao_minor_code (0x80, ENOENT) == (TAO::VMCID | 0x80u | ENOENT));
    }
  orb->destroy ();
  ACE_DEBUG ((LM_DEBUG, "OK\n"));
  return 0;
}
