// SPDX-License-Identifier: Apache-2.0
// A Java program that loads a library with stubs. Arguments: the library, a reference.
public class Guest {
  static native String echo(String ior, String text);

  public static void main(String[] arguments) throws Exception {
    Thread.setDefaultUncaughtExceptionHandler((thread, what) -> {
      what.printStackTrace();
      System.exit(1);
    });
    System.load(arguments[0]);
    Thread[] callers = new Thread[4];
    for (int i = 0; i < callers.length; ++i) {
      final String text = "from Java " + i;
      callers[i] = new Thread(() -> {
        String answer = echo(arguments[1], text);
        if (!answer.equals(text)) {
          System.out.println(answer);
          System.exit(1);
        }
      });
      callers[i].start();
    }
    for (Thread caller : callers) caller.join();
    System.out.println("OK");
  }
}
