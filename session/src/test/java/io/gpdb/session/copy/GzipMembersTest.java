package io.gpdb.session.copy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GzipMembersTest {
  private static final int BLOCK = GzipMembers.BLOCK_BYTES;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 31, BLOCK - 1, BLOCK, BLOCK + 1, 12 * BLOCK + 17})
  void whatIsWrittenIsReadBack(int size) throws IOException {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    for (int i = 0; i < size; i += 3) {
      bytes[i] = 'x';
    }
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    try (GzipMembers gzip = new GzipMembers(file)) {
      int pieces = 100_000;
      for (int at = 0; at < size; at += pieces) {
        gzip.write(bytes, at, Math.min(pieces, size - at));
      }
      gzip.finish();
    }
    try (GZIPInputStream stream =
        new GZIPInputStream(new ByteArrayInputStream(file.toByteArray()))) {
      assertThat(stream.readAllBytes()).isEqualTo(bytes);
    }
  }
}
