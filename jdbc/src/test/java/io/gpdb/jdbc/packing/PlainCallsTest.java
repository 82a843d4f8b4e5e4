package io.gpdb.jdbc.packing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.InvokeDynamicEntry;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlainCallsTest {
  private static final Class<?> PROGRAM = DynamicCallsProgram.class;
  private static final String FOLDER = PROGRAM.getPackageName().replace('.', '/');

  @TempDir private Path folder;

  @Test
  void plainCallsReturnWhatDynamicCallsReturn() throws Exception {
    Path jar = folder.resolve("calls.jar");
    pack(jar);
    assertThat(dynamicCalls(jar)).isGreaterThan(50);

    PlainCallsProgram.main(new String[] {jar.toString()});

    URL[] place = {jar.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(place, ClassLoader.getPlatformClassLoader())) {
      Object results = loader.loadClass(PROGRAM.getName()).getMethod("results").invoke(null);
      assertThat(results).isEqualTo(DynamicCallsProgram.results());
    }
    assertThat(dynamicCalls(jar)).isZero();
  }

  /** The program's classes, without strings joined by dynamic calls. */
  private void pack(Path jar) throws IOException {
    Path classes = Path.of(PROGRAM.getProtectionDomain().getCodeSource().getLocation().getPath());
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        Stream<Path> files = Files.list(classes.resolve(FOLDER))) {
      for (Path file : files.filter(this::isOfProgram).toList()) {
        out.putNextEntry(new JarEntry(FOLDER + "/" + file.getFileName()));
        out.write(Files.readAllBytes(file));
        out.closeEntry();
      }
    }
  }

  private boolean isOfProgram(Path file) {
    return file.getFileName().toString().startsWith(PROGRAM.getSimpleName());
  }

  private static long dynamicCalls(Path jar) throws IOException {
    long calls = 0;
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : (Iterable<ZipEntry>) zip.stream().map(ZipEntry.class::cast)::iterator) {
        try (InputStream in = zip.getInputStream(entry)) {
          calls +=
              StreamSupport.stream(
                      ClassFile.of().parse(in.readAllBytes()).constantPool().spliterator(), false)
                  .filter(PlainCallsTest::isReplaced)
                  .count();
        }
      }
    }
    return calls;
  }

  private static boolean isReplaced(Object entry) {
    return entry instanceof InvokeDynamicEntry call
        && !call.bootstrap()
            .bootstrapMethod()
            .reference()
            .name()
            .equalsString("makeConcatWithConstants");
  }
}
