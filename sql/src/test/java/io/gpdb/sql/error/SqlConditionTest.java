package io.gpdb.sql.error;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.ErrorCondition;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SqlConditionTest {
  @Test
  void everyConditionHasAnSqlStateOfFiveLettersThatNoOtherHas() {
    assertThat(
            Stream.<ErrorCondition>concat(
                    Arrays.stream(SqlCondition.values()), Arrays.stream(ErrorCode.values()))
                .map(ErrorCondition::sqlState))
        .allMatch(state -> state.matches("[0-9A-Z]{5}"))
        .doesNotHaveDuplicates();
  }
}
