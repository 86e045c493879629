// SPDX-License-Identifier: Apache-2.0
// Valuetypes with a factory, and an IDL file that includes another one.
#include "ValueS.h"
#include "check.h"
#include "tao/Valuetype/ValueFactory.h"

class Point_i
  : public virtual OBV_Shapes::Point,
    public virtual CORBA::DefaultValueRefCountBase
{
public:
  Point_i () {}
  Point_i (CORBA::Long px, CORBA::Long py, const char *plabel)
  {
    x (px);
    y (py);
    label (plabel);
  }
  virtual char *text ()
  {
    char text[64];
    ACE_OS::snprintf (text, sizeof text, "%s (%d, %d)", label (), x (), y ());
    return CORBA::string_dup (text);
  }
  virtual CORBA::ValueBase *_copy_value () { return new Point_i (x (), y (), label ()); }
};

class Point_Factory : public Shapes::Point_init
{
public:
  virtual Shapes::Point *create (CORBA::Long x, CORBA::Long y, const char *label) { return new Point_i (x, y, label); }
  virtual CORBA::ValueBase *create_for_unmarshal () { return new Point_i; }
};

class Canvas_i : public virtual POA_Shapes::Canvas
{
public:
  virtual Shapes::Point *mirrored (Shapes::Point *p, Shapes::Label *l)
  {
    return new Point_i (p->y (), p->x (), l ? l->_value () : "none");
  }
  virtual Test::NameList *owners () { return new Test::NameList; }
};

int
ACE_TMAIN (int argc, ACE_TCHAR *argv[])
{
  try
    {
      CORBA::ORB_var orb = CORBA::ORB_init (argc, argv);
      CORBA::ValueFactoryBase_var factory = new Point_Factory;
      CORBA::ValueFactoryBase_var old =
        orb->register_value_factory (Shapes::Point::_tao_obv_static_repository_id (), factory.in ());
      CORBA::Object_var object = orb->resolve_initial_references ("RootPOA");
      PortableServer::POA_var poa = PortableServer::POA::_narrow (object.in ());
      PortableServer::POAManager_var manager = poa->the_POAManager ();
      manager->activate ();
      Canvas_i *canvas_impl = new Canvas_i;
      PortableServer::ServantBase_var owner (canvas_impl);
      object = canvas_impl->_this ();
      CORBA::String_var ior = orb->object_to_string (object.in ());
      int none = 0;
      CORBA::ORB_var client = CORBA::ORB_init (none, 0, "client");
      object = client->string_to_object (ior.in ());
      Shapes::Canvas_var canvas = Shapes::Canvas::_narrow (object.in ());

      Shapes::Point_var point = new Point_i (1, 2, "a");
      Shapes::Label_var label = new Shapes::Label ("mirror");
      Shapes::Point_var other = canvas->mirrored (point.in (), label.in ());
      CORBA::String_var text = other->text ();
      CHECK (ACE_OS::strcmp (text.in (), "mirror (2, 1)") == 0);
      client->destroy ();
      orb->destroy ();
    }
  catch (const CORBA::Exception &ex)
    {
      ex._tao_print_exception ("values");
      return 1;
    }
  ACE_DEBUG ((LM_DEBUG, "OK\n"));
  return 0;
}
