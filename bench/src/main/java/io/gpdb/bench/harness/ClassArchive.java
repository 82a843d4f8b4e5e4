package io.gpdb.bench.harness;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The classes of this JVM's class path as they are once they are read and verified (a CDS archive),
 * for children that begin with them: starting costs them half as much. Made for the first child;
 * where it cannot be made, children begin without it.
 */
final class ClassArchive {
  private static final long MADE_SECONDS_MAX = 60;
  private static final int NO_COMPRESSION = 0;
  private static @Nullable ClassArchive made;

  private final String classPath;
  private final List<String> flags;

  private ClassArchive(String classPath, List<String> flags) {
    this.classPath = classPath;
    this.flags = flags;
  }

  static synchronized ClassArchive ofThisJvm() {
    ClassArchive known = made;
    if (known == null) {
      known = make();
      made = known;
    }
    return known;
  }

  /** The archive names jars alone: folders of classes are packed into some. */
  String classPath() {
    return classPath;
  }

  List<String> flags() {
    return flags;
  }

  private static ClassArchive make() {
    try {
      Path folder = new ScratchDirectory(null).root();
      String jars = jars(folder);
      Path archive = folder.resolve("classes.jsa");
      Process start =
          new ProcessBuilder(
                  ChildJvm.command(
                      jars,
                      List.of("-XX:TieredStopAtLevel=1", "-XX:ArchiveClassesAtExit=" + archive),
                      ArchivedStart.class,
                      folder.resolve("db").toString()))
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("made.log").toFile())
              .start();
      if (start.waitFor(MADE_SECONDS_MAX, TimeUnit.SECONDS) && Files.exists(archive)) {
        return new ClassArchive(jars, List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:cds=off"));
      }
      start.destroyForcibly();
    } catch (IOException e) {
      // as where no archive can be made
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return new ClassArchive(ChildJvm.classPath(), List.of());
  }

  private static String jars(Path folder) throws IOException {
    List<String> jars = new ArrayList<>();
    for (String part : ChildJvm.classPath().split(File.pathSeparator, -1)) {
      Path path = Path.of(part);
      jars.add(Files.isDirectory(path) ? packed(path, folder.resolve(jars.size() + ".jar")) : part);
    }
    return String.join(File.pathSeparator, jars);
  }

  private static String packed(Path classes, Path jar) throws IOException {
    try (JarOutputStream entries = new JarOutputStream(Files.newOutputStream(jar));
        Stream<Path> files = Files.walk(classes)) {
      entries.setLevel(NO_COMPRESSION);
      files.filter(Files::isRegularFile).forEach(file -> pack(classes, file, entries));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return jar.toString();
  }

  private static void pack(Path classes, Path file, JarOutputStream entries) {
    try {
      entries.putNextEntry(new JarEntry(classes.relativize(file).toString()));
      Files.copy(file, entries);
      entries.closeEntry();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
