// SPDX-License-Identifier: Apache-2.0
// Interceptors on both sides, from an ORBInitializer, with a service context made by a codec.
#include "check.h"
#include "tao/PI/PI.h"
#include "tao/PI_Server/PI_Server.h"
#include "tao/ORBInitializer_Registry.h"
#include "tao/CodecFactory/CodecFactory.h"

static int sent = 0, received = 0;
static IOP::ServiceId const service_id = 0xdeadbeef;

class Client_Interceptor
  : public virtual PortableInterceptor::ClientRequestInterceptor,
    public virtual ::CORBA::LocalObject
{
public:
  explicit Client_Interceptor (IOP::Codec_ptr codec) : codec_ (IOP::Codec::_duplicate (codec)) {}
  virtual char *name () { return CORBA::string_dup ("Client"); }
  virtual void destroy () {}
  virtual void send_poll (PortableInterceptor::ClientRequestInfo_ptr) {}
  virtual void send_request (PortableInterceptor::ClientRequestInfo_ptr ri)
  {
    CORBA::Any any;
    any <<= CORBA::Long (17);
    CORBA::OctetSeq_var data = this->codec_->encode_value (any);
    IOP::ServiceContext sc;
    sc.context_id = service_id;
    CORBA::ULong const length = data->length ();
    sc.context_data.length (length);
    ACE_OS::memcpy (sc.context_data.get_buffer (), data->get_buffer (), length);
    ri->add_request_service_context (sc, 0);
    ++sent;
  }
  virtual void receive_reply (PortableInterceptor::ClientRequestInfo_ptr) {}
  virtual void receive_other (PortableInterceptor::ClientRequestInfo_ptr) {}
  virtual void receive_exception (PortableInterceptor::ClientRequestInfo_ptr) {}

private:
  IOP::Codec_var codec_;
};

class Server_Interceptor
  : public virtual PortableInterceptor::ServerRequestInterceptor,
    public virtual ::CORBA::LocalObject
{
public:
  virtual char *name () { return CORBA::string_dup ("Server"); }
  virtual void destroy () {}
  virtual void receive_request_service_contexts (PortableInterceptor::ServerRequestInfo_ptr ri)
  {
    CORBA::String_var operation = ri->operation ();
    if (ACE_OS::strcmp (operation.in (), "greet") != 0)
      return;
    IOP::ServiceContext_var sc = ri->get_request_service_context (service_id);
    ACE_DEBUG ((LM_DEBUG, "(%P|%t) context of %u bytes\n", sc->context_data.length ()));
    ++received;
  }
  virtual void receive_request (PortableInterceptor::ServerRequestInfo_ptr) {}
  virtual void send_reply (PortableInterceptor::ServerRequestInfo_ptr) {}
  virtual void send_exception (PortableInterceptor::ServerRequestInfo_ptr) {}
  virtual void send_other (PortableInterceptor::ServerRequestInfo_ptr) {}
};

class Initializer
  : public virtual PortableInterceptor::ORBInitializer,
    public virtual ::CORBA::LocalObject
{
public:
  virtual void pre_init (PortableInterceptor::ORBInitInfo_ptr) {}
  virtual void post_init (PortableInterceptor::ORBInitInfo_ptr info)
  {
    IOP::CodecFactory_var factory = info->codec_factory ();
    IOP::Encoding encoding;
    encoding.format = IOP::ENCODING_CDR_ENCAPS;
    encoding.major_version = 1;
    encoding.minor_version = 2;
    IOP::Codec_var codec = factory->create_codec (encoding);
    PortableInterceptor::ClientRequestInterceptor_ptr tmp = PortableInterceptor::ClientRequestInterceptor::_nil ();
    ACE_NEW_THROW_EX (tmp, Client_Interceptor (codec.in ()), CORBA::NO_MEMORY ());
    PortableInterceptor::ClientRequestInterceptor_var client = tmp;
    info->add_client_request_interceptor (client.in ());
    PortableInterceptor::ServerRequestInterceptor_var server = new Server_Interceptor;
    info->add_server_request_interceptor (server.in ());
  }
};

int
ACE_TMAIN (int argc, ACE_TCHAR *argv[])
{
  try
    {
      PortableInterceptor::ORBInitializer_ptr temp_initializer = PortableInterceptor::ORBInitializer::_nil ();
      ACE_NEW_RETURN (temp_initializer, Initializer, -1);
      PortableInterceptor::ORBInitializer_var orb_initializer = temp_initializer;
      PortableInterceptor::register_orb_initializer (orb_initializer.in ());
      CORBA::ORB_var orb = CORBA::ORB_init (argc, argv);
      Test::Bank_var bank = make_bank (orb.in ());
      CORBA::String_var text = bank->greet ("interceptor");
      CHECK (sent >= 1 && received == 1);
      orb->destroy ();
    }
  catch (const CORBA::Exception &ex)
    {
      ex._tao_print_exception ("interceptors");
      return 1;
    }
  ACE_DEBUG ((LM_DEBUG, "OK\n"));
  return 0;
}
