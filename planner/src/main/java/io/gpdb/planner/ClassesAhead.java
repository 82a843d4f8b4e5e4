package io.gpdb.planner;

import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Loads and links classes that a process is about to need, on threads of their own, ahead of the
 * thread that needs them: that one finds them, and only initialises them. Nothing is initialised
 * here, so no thread waits for another in a circle. The names are those that such processes load,
 * in their order (a file beside this class for each list, held by {@code AllJarIT}); one that is
 * not there, or cannot be linked, is passed over.
 */
public final class ClassesAhead {
  /** From the first connection to the first plain statement. */
  public static final ClassesAhead OPENING = new ClassesAhead("opening-classes.txt", 4);

  /** From the first text for the planner to its rows. */
  public static final ClassesAhead PLANNING = new ClassesAhead("first-classes.txt", 2);

  private static final int THREADS_MAX = 3;

  /** Libraries whose names the packed driver's build changes. */
  private static final String[] LIBRARIES = {"org.apache.", "org.slf4j.", "com."};

  /** In names of classes that the packed driver has in place of lambdas. */
  private static final String PACKED = "$$";

  private final String file;
  private final int leastProcessors;
  private final AtomicBoolean begun = new AtomicBoolean();
  private final AtomicInteger next = new AtomicInteger();

  /** Two processors that open a database take as long with a thread ahead as without. */
  private ClassesAhead(String file, int leastProcessors) {
    this.file = file;
    this.leastProcessors = leastProcessors;
  }

  /** Begins where there are processors enough, once a process; returns at once. */
  public void begin() {
    int processors = Runtime.getRuntime().availableProcessors();
    int threads = Math.min(THREADS_MAX, processors - 1);
    if (processors >= leastProcessors && begun.compareAndSet(false, true)) {
      new Loading(threads, null).start();
    }
  }

  /** The names that the classes have in this process. */
  List<String> names() throws IOException {
    String text;
    try (InputStream in = ClassesAhead.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IOException("no " + file);
      }
      text = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    }
    String prefix = prefix();
    List<String> names = new ArrayList<>();
    int end;
    for (int begin = 0; (end = text.indexOf('\n', begin)) >= 0; begin = end + 1) {
      String name = text.substring(begin, end);
      if (!prefix.isEmpty() || !name.contains(PACKED)) {
        names.add(isOfLibrary(name) ? prefix + name : name);
      }
    }
    return names;
  }

  private static boolean isOfLibrary(String name) {
    for (String library : LIBRARIES) {
      if (name.startsWith(library)) {
        return true;
      }
    }
    return false;
  }

  /** What the packed driver writes before the names of libraries' classes. */
  private static String prefix() {
    // in two parts, since the packed driver's build writes its prefix before whole names in texts
    String name = String.join(".", "com", "google", "common.collect.ImmutableList");
    return ImmutableList.class.getName().replace(name, "");
  }

  /** The first of them reads the names and starts the others. */
  private final class Loading extends Thread {
    private final int others;

    /** The names that the thread before has read; the first has none before it. */
    private final @Nullable List<String> read;

    Loading(int threads, @Nullable List<String> read) {
      super("gpdb-classes-" + threads);
      others = threads - 1;
      this.read = read;
      setDaemon(true);
    }

    @Override
    public void run() {
      List<String> names = read;
      if (names == null) {
        try {
          names = ClassesAhead.this.names();
        } catch (IOException _) {
          return; // who needs them loads them
        }
      }
      if (others > 0) {
        new Loading(others, names).start();
      }
      load(names);
    }

    private void load(List<String> names) {
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
    private void link(Class<?> loaded) {
      loaded.getDeclaredConstructors();
    }
  }
}
