package io.gpdb.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.Device;
import io.gpdb.jdbc.GpdbDriver;
import io.gpdb.planner.QueryEngine;
import io.gpdb.session.Session;
import io.gpdb.sql.SqlFrontEnd;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.txn.TransactionManager;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The engine has no memory that one thread alone may access. Each access to memory asks whether it
 * has an owner; once it had one anywhere in the process, HotSpot compiles both answers into every
 * loop over several buffers, one copy of the loop after the other, for seconds.
 */
class NoConfinedArenasTest {
  private static final List<Class<?>> ONE_OF_EACH_MODULE =
      List.of(
          HostBuffer.class,
          Device.class,
          TransactionManager.class,
          SqlFrontEnd.class,
          QueryEngine.class,
          Session.class,
          GpdbDriver.class);

  /** Calls of a GPU's driver, whose kernels run instead of loops of the host. */
  private static final String EXCEPT = "io/gpdb/exec/cuda/";

  @Test
  void noClassOfTheEngineMakesOne() throws IOException, URISyntaxException {
    List<String> makers = new ArrayList<>();
    for (Class<?> one : ONE_OF_EACH_MODULE) {
      makers.addAll(makers(one));
    }
    assertThat(makers).isNotEmpty().allMatch(maker -> maker.startsWith(EXCEPT));
  }

  /** The classes built together with that one whose constants name such an arena's maker. */
  private static List<String> makers(Class<?> one) throws IOException, URISyntaxException {
    Path root = Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<String> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
        String bytes = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        if (bytes.contains("ofConfined")) {
          found.add(root.relativize(file).toString());
        }
      }
    }
    return found;
  }
}
