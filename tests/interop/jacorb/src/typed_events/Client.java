// SPDX-License-Identifier: Apache-2.0
package typed_events;

import java.util.Properties;
import org.omg.CORBA.Any;
import org.omg.CORBA.BooleanHolder;
import org.omg.CORBA.IntHolder;
import org.omg.CORBA.ORB;
import org.omg.CORBA.StringHolder;
import org.omg.CORBA.SystemException;
import org.omg.CORBA.UserException;
import org.omg.CosEventChannelAdmin.*;
import org.omg.CosEventComm.*;
import org.omg.CosTypedEventChannelAdmin.*;
import org.omg.CosTypedEventComm.*;
import org.omg.PortableServer.POA;
import org.omg.PortableServer.POAHelper;
import org.omg.PortableServer.Servant;
import typed_events.Plant.*;

/**
 * JacORB's side of typed event channels: programs/typed_events/peer.cpp says what it does. Arguments: pushsupp,
 * pullsupp, pushcons, pullcons or refused, the channel, how many measurements.
 */
public final class Client {
  private static final String SENSOR = "IDL:Plant/Sensor:1.0", PULL_SENSOR = "IDL:Plant/PullSensor:1.0";
  private static final int START_EVERY = 5, ALARM_EVERY = 10;

  private final TypedEventChannel channel;
  private final POA poa;
  private final int count;

  private Client(TypedEventChannel channel, POA poa, int count) {
    this.channel = channel;
    this.poa = poa;
    this.count = count;
  }

  static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  static Reading reading(int number) {
    int[] history = new int[number % 3];
    java.util.Arrays.fill(history, -number);
    return new Reading("mill", number / 2.0, history);
  }

  static void show(Reading what, int number) {
    StringBuilder line = new StringBuilder("measured " + number + " " + what.place + " " + (int) (what.value * 2));
    for (int h : what.history) line.append(' ').append(h);
    say(line.toString());
  }

  private static final class SensorServant extends SensorPOA {
    @Override public void measured(Reading what, int number) { show(what, number); }
    @Override public void started(String place) { say("started " + place); }
    @Override public void alarm(String place, org.omg.CORBA.Object who) {
      say("alarm " + place + (who == null ? " nobody" : " somebody"));
    }
  }

  private static final class OtherServant extends OtherPOA {
    @Override public void unknown(int n) {}
    @Override public void alarm(int n) {}
  }

  private static final class Consumer extends TypedPushConsumerPOA {
    private final org.omg.CORBA.Object object;

    Consumer(org.omg.CORBA.Object object) { this.object = object; }
    @Override public org.omg.CORBA.Object get_typed_consumer() { return object; }
    @Override public void push(Any data) { say("an event without a type"); }
    @Override public void disconnect_push_consumer() { say("disconnected"); }
  }

  private static final class UntypedConsumer extends PushConsumerPOA {
    @Override public void push(Any data) {}
    @Override public void disconnect_push_consumer() {}
  }

  private static final class Supplier extends TypedPullSupplierPOA {
    private final org.omg.CORBA.Object object;

    Supplier(org.omg.CORBA.Object object) { this.object = object; }
    @Override public org.omg.CORBA.Object get_typed_supplier() { return object; }
    @Override public Any pull() { throw new org.omg.CORBA.NO_IMPLEMENT(); }
    @Override public Any try_pull(BooleanHolder has) { throw new org.omg.CORBA.NO_IMPLEMENT(); }
    @Override public void disconnect_pull_supplier() { say("disconnected"); }
  }

  private final class PullSensorServant extends PullSensorPOA {
    private int measured, started;  // the next ones

    @Override public void pull_measured(ReadingHolder what, IntHolder number) { throw new org.omg.CORBA.NO_IMPLEMENT(); }
    @Override public void pull_started(StringHolder place) { throw new org.omg.CORBA.NO_IMPLEMENT(); }
    @Override public synchronized boolean try_pull_measured(ReadingHolder what, IntHolder number) {
      boolean has = measured < count;
      number.value = has ? measured++ : 0;
      what.value = reading(number.value);
      notifyAll();
      return has;
    }
    @Override public synchronized boolean try_pull_started(StringHolder place) {
      boolean has = started < count;
      place.value = has ? "oven " + started : "";
      if (has) started += START_EVERY;
      notifyAll();
      return has;
    }
    synchronized void waitForNone() throws InterruptedException {
      while (measured < count || started < count) wait();
    }
  }

  private org.omg.CORBA.Object activated(Servant servant) throws UserException { return poa.servant_to_reference(servant); }

  private void pushSupplier() throws UserException {
    TypedProxyPushConsumer proxy = channel.for_suppliers().obtain_typed_push_consumer(SENSOR);
    proxy.connect_push_supplier(null);
    Sensor sensor = SensorHelper.narrow(proxy.get_typed_consumer());
    for (int i = 0; i < count; ++i) {
      if (i % ALARM_EVERY == 0) sensor.alarm("gate", i % (2 * ALARM_EVERY) == 0 ? sensor : null);
      if (i % START_EVERY == 0) sensor.started("oven " + i);
      sensor.measured(reading(i), i);
    }
    sensor.alarm("end", null);
    proxy.disconnect_push_consumer();
  }

  private void pullSupplier() throws Exception {
    PullSensorServant sensor = new PullSensorServant();
    PullSupplier supplier = PullSupplierHelper.narrow(activated(new Supplier(activated(sensor))));
    ProxyPullConsumer proxy = channel.for_suppliers().obtain_typed_pull_consumer(PULL_SENSOR);
    proxy.connect_pull_supplier(supplier);
    sensor.waitForNone();
    proxy.disconnect_pull_consumer();
  }

  private void pushConsumer() throws Exception {
    PushConsumer consumer = PushConsumerHelper.narrow(activated(new Consumer(activated(new SensorServant()))));
    ProxyPushSupplier proxy = channel.for_consumers().obtain_typed_push_supplier(SENSOR);
    proxy.connect_push_consumer(consumer);
    say("connected");
    while (System.in.read() >= 0) {}
    proxy.disconnect_push_supplier();
  }

  private void pullConsumer() throws UserException {
    TypedProxyPullSupplier proxy = channel.for_consumers().obtain_typed_pull_supplier(PULL_SENSOR);
    proxy.connect_pull_consumer(null);
    PullSensor sensor = PullSensorHelper.narrow(proxy.get_typed_supplier());
    say("connected");
    ReadingHolder what = new ReadingHolder();
    IntHolder number = new IntHolder();
    StringHolder place = new StringHolder();
    for (int i = 0; i < count; ++i) {
      sensor.pull_measured(what, number);
      show(what.value, number.value);
    }
    for (int i = 0; i < count; i += START_EVERY) {
      sensor.pull_started(place);
      say("started " + place.value);
    }
    if (sensor.try_pull_started(place)) say("one start too many");
    if (sensor.try_pull_measured(what, number)) say("one measurement too many");
    proxy.disconnect_pull_supplier();
  }

  interface Action { void run() throws Exception; }

  static void refused(String what, Action a) {
    try {
      a.run();
      say(what + ": done");
    } catch (Exception e) {
      say(what + ": " + e.getClass().getSimpleName());
    }
  }

  private void connect(ProxyPushSupplier proxy, Servant servant) throws UserException {
    proxy.connect_push_consumer(PushConsumerHelper.narrow(activated(servant)));
  }

  private void refuseAll() throws UserException {
    TypedSupplierAdmin suppliers = channel.for_suppliers();
    TypedConsumerAdmin consumers = channel.for_consumers();
    refused("supported, push", () -> suppliers.obtain_typed_push_consumer("IDL:Plant/WithOut:1.0"));
    refused("supported, pull", () -> consumers.obtain_typed_pull_supplier(SENSOR));
    refused("used, push", () -> consumers.obtain_typed_push_supplier("IDL:Plant/Nobody:1.0"));
    refused("used, pull", () -> suppliers.obtain_typed_pull_consumer("IDL:Plant/OnlyPulls:1.0"));
    refuseConsumers(consumers.obtain_typed_push_supplier(SENSOR));
    refuseCalls(suppliers.obtain_typed_push_consumer(SENSOR));
    refusePulls(consumers.obtain_typed_pull_supplier(PULL_SENSOR));
  }

  private void refuseConsumers(ProxyPushSupplier proxy) throws UserException {
    org.omg.CORBA.Object other = activated(new OtherServant()), sensor = activated(new SensorServant());
    refused("nil", () -> proxy.connect_push_consumer(null));
    refused("untyped", () -> connect(proxy, new UntypedConsumer()));
    refused("of another type", () -> connect(proxy, new Consumer(other)));
    refused("without an object", () -> connect(proxy, new Consumer(null)));
    refused("of its type", () -> connect(proxy, new Consumer(sensor)));
    refused("again", () -> connect(proxy, new Consumer(sensor)));
    proxy.disconnect_push_supplier();
    refused("after that", () -> connect(proxy, new Consumer(sensor)));
  }

  private void refuseCalls(TypedProxyPushConsumer proxy) {
    org.omg.CORBA.Object object = proxy.get_typed_consumer();
    for (String id : new String[] {SENSOR, "IDL:Plant/Base:1.0", "IDL:Plant/Other:1.0"})
      say("is " + id + ": " + (object._is_a(id) ? "yes" : "no"));
    Sensor sensor = SensorHelper.narrow(object);
    refused("not connected", () -> sensor.alarm("", null));
    refused("connected", () -> {
      proxy.connect_push_supplier(null);
      sensor.alarm("", null);
    });
    refused("connected twice", () -> proxy.connect_push_supplier(null));
    proxy.disconnect_push_consumer();
    refused("disconnected", () -> sensor.alarm("", null));
  }

  private void refusePulls(TypedProxyPullSupplier proxy) {
    PullSensor sensor = PullSensorHelper.narrow(proxy.get_typed_supplier());
    StringHolder place = new StringHolder();
    refused("pull, not connected", () -> sensor.pull_started(place));
    refused("try, connected", () -> {
      proxy.connect_pull_consumer(null);
      sensor.try_pull_started(place);
    });
    proxy.disconnect_pull_supplier();
    refused("pull, disconnected", () -> sensor.pull_started(place));
  }

  private void run(String kind) throws Exception {
    switch (kind) {
      case "pushsupp": pushSupplier(); break;
      case "pullsupp": pullSupplier(); break;
      case "pushcons": pushConsumer(); break;
      case "pullcons": pullConsumer(); break;
      default: refuseAll();
    }
    say("done");
  }

  public static void main(String[] arguments) throws Exception {
    ORB orb = ORB.init(new String[0], properties());
    try {
      TypedEventChannel channel = TypedEventChannelHelper.narrow(orb.string_to_object(arguments[1]));
      POA poa = POAHelper.narrow(orb.resolve_initial_references("RootPOA"));
      poa.the_POAManager().activate();
      new Client(channel, poa, Integer.parseInt(arguments[2])).run(arguments[0]);
    } catch (SystemException e) {
      say("failed: " + e);
      System.exit(1);
    }
    orb.destroy();
  }

  private static Properties properties() {
    Properties p = new Properties();
    p.put("org.omg.CORBA.ORBClass", "org.jacorb.orb.ORB");
    p.put("org.omg.CORBA.ORBSingletonClass", "org.jacorb.orb.ORBSingleton");
    return p;
  }
}
