package io.gpdb.storage.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ErrorCodeTest {
  @Test
  void everyCodeHasAnSqlStateOfFiveLettersOfItsOwn() {
    assertThat(Arrays.stream(ErrorCode.values()).map(ErrorCode::sqlState))
        .allMatch(state -> state.matches("[0-9A-Z]{5}"))
        .doesNotHaveDuplicates();
  }
}
