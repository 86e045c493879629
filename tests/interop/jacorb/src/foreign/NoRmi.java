// SPDX-License-Identifier: Apache-2.0
package foreign;

import java.io.Serializable;
import java.rmi.Remote;
import java.rmi.RemoteException;
import javax.rmi.CORBA.Stub;
import javax.rmi.CORBA.Tie;
import javax.rmi.CORBA.UtilDelegate;
import javax.rmi.CORBA.ValueHandler;
import org.omg.CORBA.NO_IMPLEMENT;
import org.omg.CORBA.ORB;
import org.omg.CORBA.SystemException;
import org.omg.CORBA.portable.InputStream;
import org.omg.CORBA.portable.OutputStream;
import org.omg.SendingContext.RunTime;

/**
 * No RMI over IIOP. When JacORB writes a value in an any it asks for the value's id of RMI first, which values of IDL
 * have no use for; what it would ask reads parts of Java that Java 17 does not have.
 */
public final class NoRmi implements UtilDelegate {
  private static final class Handler implements ValueHandler {
    @Override public String getRMIRepositoryID(Class<?> type) { return ""; }
    @Override public void writeValue(OutputStream to, Serializable value) { throw new NO_IMPLEMENT(); }
    @Override public Serializable readValue(InputStream from, int at, Class<?> type, String id, RunTime sender) { throw new NO_IMPLEMENT(); }
    @Override public boolean isCustomMarshaled(Class<?> type) { return false; }
    @Override public RunTime getRunTimeCodeBase() { return null; }
    @Override public Serializable writeReplace(Serializable value) { return value; }
  }

  @Override public ValueHandler createValueHandler() { return new Handler(); }
  @Override public RemoteException mapSystemException(SystemException e) { throw e; }
  @Override public void writeAny(OutputStream to, Object value) { throw new NO_IMPLEMENT(); }
  @Override public Object readAny(InputStream from) { throw new NO_IMPLEMENT(); }
  @Override public void writeRemoteObject(OutputStream to, Object value) { throw new NO_IMPLEMENT(); }
  @Override public void writeAbstractObject(OutputStream to, Object value) { throw new NO_IMPLEMENT(); }
  @Override public void registerTarget(Tie tie, Remote target) { throw new NO_IMPLEMENT(); }
  @Override public void unexportObject(Remote target) { throw new NO_IMPLEMENT(); }
  @Override public Tie getTie(Remote target) { throw new NO_IMPLEMENT(); }
  @Override public String getCodebase(Class<?> type) { return null; }
  @Override public Class<?> loadClass(String name, String codebase, ClassLoader loader) throws ClassNotFoundException { return Class.forName(name); }
  @Override public boolean isLocal(Stub stub) { return false; }
  @Override public RemoteException wrapException(Throwable e) { return new RemoteException("", e); }
  @Override public Object copyObject(Object value, ORB orb) { throw new NO_IMPLEMENT(); }
  @Override public Object[] copyObjects(Object[] values, ORB orb) { throw new NO_IMPLEMENT(); }
}
