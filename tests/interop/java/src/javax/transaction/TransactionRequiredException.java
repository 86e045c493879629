// SPDX-License-Identifier: Apache-2.0
package javax.transaction;

/** Each call of Yoko's, and JacORB's way to write a value in an any, load a class that names this one, which Java 17 does not have. */
public final class TransactionRequiredException extends java.rmi.RemoteException {}
