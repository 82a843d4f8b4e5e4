package io.gpdb.bench.kill;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of a child process on this JVM's class path. */
final class ChildJvm {
  private ChildJvm() {}

  static List<String> command(String flags, Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("--sun-misc-unsafe-memory-access=allow");
    command.add("-Dslf4j.internal.verbosity=ERROR");
    command.add("-XX:+UseSerialGC");
    command.addAll(List.of(flags.split(" ", -1)));
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    return command;
  }
}
