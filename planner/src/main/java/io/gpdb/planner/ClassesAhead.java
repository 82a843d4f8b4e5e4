package io.gpdb.planner;

import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Loads and links classes that the first plan of a process needs, on threads of their own, ahead of
 * the thread that makes the plan: that one finds them, and only initialises them. Nothing is
 * initialised here, so no thread waits for another in a circle. The names are those that first
 * texts load, in their order ({@code first-classes.txt}, held by {@code AllJarIT}); one that is not
 * there, or cannot be linked, is passed over.
 */
final class ClassesAhead {
  private static final String NAMES = "first-classes.txt";
  private static final int THREADS_MAX = 3;

  /** What the packed driver writes before the names of libraries' classes. */
  private static final String PREFIX =
      ImmutableList.class.getName().replace(libraryName("common.collect.ImmutableList"), "");

  private static final List<String> LIBRARIES = List.of("org.apache.", "org.slf4j.", "com.");

  private ClassesAhead() {}

  /**
   * In two parts, since the packed driver's build writes its prefix before whole names in texts.
   */
  private static String libraryName(String behind) {
    return String.join(".", "com", "google", behind);
  }

  /** Begins where other processors have nothing to do; returns at once. */
  static void begin() {
    int threads = Math.min(THREADS_MAX, Runtime.getRuntime().availableProcessors() - 1);
    if (threads > 0) {
      start("gpdb-classes-1", () -> load(threads));
    }
  }

  private static void start(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  private static void load(int threads) {
    List<String> names;
    try {
      names = names();
    } catch (IOException _) {
      return; // the plan's thread loads them itself
    }
    AtomicInteger next = new AtomicInteger();
    for (int i = 2; i <= threads; i++) {
      start("gpdb-classes-" + i, () -> load(names, next));
    }
    load(names, next);
  }

  /** The names that the classes have in this process. */
  static List<String> names() throws IOException {
    try (InputStream in = ClassesAhead.class.getResourceAsStream(NAMES)) {
      if (in == null) {
        throw new IOException("no " + NAMES);
      }
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII)
          .lines()
          .map(ClassesAhead::here)
          .toList();
    }
  }

  private static String here(String name) {
    return LIBRARIES.stream().anyMatch(name::startsWith) ? PREFIX + name : name;
  }

  private static void load(List<String> names, AtomicInteger next) {
    ClassLoader loader = ClassesAhead.class.getClassLoader();
    for (int i = next.getAndIncrement(); i < names.size(); i = next.getAndIncrement()) {
      try {
        link(Class.forName(names.get(i), false, loader));
      } catch (ClassNotFoundException | LinkageError _) {
        // who needs it meets the same, and says so
      }
    }
  }

  /** The JVM links a class before it says which constructors it has. */
  @SuppressWarnings({"ReturnValueIgnored", "CheckReturnValue"})
  private static void link(Class<?> loaded) {
    loaded.getDeclaredConstructors();
  }
}
