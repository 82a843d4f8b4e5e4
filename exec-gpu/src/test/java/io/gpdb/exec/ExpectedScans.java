package io.gpdb.exec;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts how often devices are told to expect scans. */
public final class ExpectedScans {
  private final AtomicInteger told = new AtomicInteger();

  /** The device, which learns nothing of it. */
  public Device counted(Device device) {
    return (Device)
        Proxy.newProxyInstance(
            Device.class.getClassLoader(),
            new Class<?>[] {Device.class},
            (_, method, arguments) -> {
              if (method.getName().equals("expectScans")) {
                told.incrementAndGet();
                return null;
              }
              try {
                return method.invoke(device, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  public int told() {
    return told.get();
  }
}
