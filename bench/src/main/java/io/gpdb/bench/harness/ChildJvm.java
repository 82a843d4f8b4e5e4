package io.gpdb.bench.harness;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of a child process on this JVM's class path. */
public final class ChildJvm {
  /** What decides how classes are kept in an archive, too. */
  static final List<String> COLLECTOR = List.of("-XX:+UseSerialGC");

  private ChildJvm() {}

  /** A child as anybody starts it, whose times may be told. */
  public static List<String> command(String flags, Class<?> main, String... arguments) {
    return command(classPath(), List.of(flags.split(" ", -1)), main, arguments);
  }

  /** A child as anybody starts it, with the collector that the JVM chooses. */
  public static List<String> unarchived(List<String> flags, Class<?> main, String... arguments) {
    return unarchived(classPath(), flags, main, arguments);
  }

  /** As {@link #unarchived(List, Class, String...)}, on a class path of its own. */
  public static List<String> unarchived(
      String classPath, List<String> flags, Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>(command(classPath, flags, main, arguments));
    command.removeAll(COLLECTOR);
    return command;
  }

  /** A child that lives for seconds and that nobody measures: compiled quickly, from an archive. */
  public static List<String> shortLived(List<String> flags, Class<?> main, String... arguments) {
    ClassArchive archive = ClassArchive.ofThisJvm();
    List<String> all = new ArrayList<>(archive.flags());
    all.add("-XX:TieredStopAtLevel=1");
    all.addAll(flags);
    return command(archive.classPath(), all, main, arguments);
  }

  /** This JVM's class path. */
  public static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  static List<String> command(
      String classPath, List<String> flags, Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("--sun-misc-unsafe-memory-access=allow");
    command.add("-Dslf4j.internal.verbosity=ERROR");
    command.addAll(COLLECTOR);
    command.addAll(flags);
    command.add("-cp");
    command.add(classPath);
    command.add(main.getName());
    command.addAll(List.of(arguments));
    return command;
  }
}
