package io.gpdb.bench.tpcc;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.bench.peers.Peer;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What must hold after TPC-C's transactions holds, and is seen to be broken where it is. */
class TpccTest {
  private static final long ROUND_NANOS = 1_000_000_000L;
  private static final long SEED = 7;

  @TempDir private Path directory;

  @Test
  void conditionsHoldAfterTransactionsOfSeveralTerminals() throws SQLException {
    TpccDatabase database = new TpccDatabase(Peer.GPDB, directory);
    try (TpccRun run = new TpccRun(database, new Scale(1, 100, 30), 3, SEED)) {
      assertThat(TpccConsistency.violated(run.owner())).isEmpty();
      TpccRun.Outcome outcome = run.run(ROUND_NANOS);
      assertThat(outcome.transactionsPerSecond()).isPositive();
      assertThat(TpccConsistency.violated(run.owner())).isEmpty();
    }
  }

  @Test
  void brokenTransactionsAreFound() throws SQLException {
    TpccDatabase database = new TpccDatabase(Peer.GPDB, directory);
    Map<Integer, List<String>> broken =
        Map.of(
            1, List.of("UPDATE warehouse SET w_ytd = w_ytd + 1"),
            2, List.of("UPDATE district SET d_next_o_id = d_next_o_id + 1 WHERE d_id = 2"),
            3, List.of("DELETE FROM new_order WHERE no_d_id = 3 AND no_o_id = 25"),
            4, List.of("DELETE FROM order_line WHERE ol_d_id = 4 AND ol_o_id = 1"));
    try (TpccRun run = new TpccRun(database, new Scale(1, 100, 30), 1, SEED);
        Statement statement = run.owner().createStatement()) {
      run.owner().setAutoCommit(false);
      for (Map.Entry<Integer, List<String>> each : broken.entrySet()) {
        for (String sql : each.getValue()) {
          statement.execute(sql);
        }
        assertThat(TpccConsistency.violated(run.owner())).containsExactly(each.getKey());
        run.owner().rollback();
      }
    }
  }
}
