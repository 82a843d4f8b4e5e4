package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packed jar alone, in a JVM of its own without flags. */
class AllJarIT {
  private static final Path JAR = Path.of(System.getProperty("gpdb.all.jar", ""));

  @TempDir private Path folder;

  @Test
  void theJarAloneRunsStatementsThroughKernelsAndTheBridge() throws Exception {
    Path program = folder.resolve("io/gpdb/jdbc/PackedProgram.class");
    Files.createDirectories(program.getParent());
    try (InputStream in = PackedProgram.class.getResourceAsStream("PackedProgram.class")) {
      Files.copy(in, program);
    }
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "-cp",
                JAR + File.pathSeparator + folder,
                "io.gpdb.jdbc.PackedProgram",
                folder.resolve("db").toString())
            .redirectError(folder.resolve("err").toFile())
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int status = process.waitFor();
    String errors = Files.readString(folder.resolve("err"));
    assertThat(status).as(errors).isZero();
    assertThat(output).isEqualTo(PackedProgram.EXPECTED);
    // The JDK itself warns of memory access by Chronicle; nothing else may speak.
    assertThat(errors.lines().filter(line -> !line.startsWith("WARNING: "))).isEmpty();
  }

  @Test
  void everyClassIsOursOrUnderOurName() throws IOException {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      List<String> foreign =
          jar.stream()
              .map(entry -> entry.getName())
              .filter(name -> name.endsWith(".class") && !name.startsWith("io/gpdb/"))
              .toList();
      assertThat(foreign).isEmpty();
      assertThat(jar.stream().filter(entry -> entry.getName().matches("META-INF/.*\\.(SF|RSA)")))
          .isEmpty();
      String drivers =
          new String(
              jar.getInputStream(jar.getEntry("META-INF/services/java.sql.Driver")).readAllBytes(),
              StandardCharsets.UTF_8);
      assertThat(drivers.strip()).isEqualTo("io.gpdb.jdbc.GpdbDriver");
    }
  }
}
