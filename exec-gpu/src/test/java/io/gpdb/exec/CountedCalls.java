package io.gpdb.exec;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts how often one of the methods of devices is called that return nothing. */
public final class CountedCalls {
  private final String counted;
  private final AtomicInteger calls = new AtomicInteger();

  /** The name of the method. */
  public CountedCalls(String counted) {
    this.counted = counted;
  }

  /** The device, which learns nothing of it. */
  public Device counted(Device device) {
    return (Device)
        Proxy.newProxyInstance(
            Device.class.getClassLoader(),
            new Class<?>[] {Device.class},
            (_, method, arguments) -> {
              if (method.getName().equals(counted)) {
                calls.incrementAndGet();
                return null;
              }
              try {
                return method.invoke(device, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  public int made() {
    return calls.get();
  }
}
