package io.gpdb.bench.tpcc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Terminals on one loaded database, for some time. */
final class TpccRun implements AutoCloseable {
  private final List<TpccClient> clients = new ArrayList<>();
  private final Connection owner;

  /** What was reached in one round. */
  record Outcome(double transactionsPerSecond, double newOrdersPerMinute, double conflicts) {}

  TpccRun(TpccDatabase database, Scale scale, int connections, long seed) throws SQLException {
    owner = database.connect();
    TpccTables.load(owner, scale, seed);
    for (int c = 0; c < connections; c++) {
      clients.add(new TpccClient(database.connect(), scale, c, seed, database));
    }
  }

  Connection owner() {
    return owner;
  }

  /** All terminals at once. */
  Outcome run(long nanos) throws SQLException {
    long commits = sum(0);
    long orders = sum(1);
    long conflicts = sum(2);
    long start = System.nanoTime();
    try (ExecutorService threads = Executors.newFixedThreadPool(clients.size())) {
      List<Future<?>> running = new ArrayList<>();
      for (TpccClient client : clients) {
        running.add(threads.submit(() -> runUntil(client, start + nanos)));
      }
      for (Future<?> thread : running) {
        thread.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while measuring", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    long done = sum(0) - commits;
    return new Outcome(
        done / seconds,
        (sum(1) - orders) * 60 / seconds,
        (double) (sum(2) - conflicts) / Math.max(1, done));
  }

  private static Void runUntil(TpccClient client, long endNanos) throws SQLException {
    do {
      client.runOne();
    } while (System.nanoTime() < endNanos);
    return null;
  }

  private long sum(int what) {
    return clients.stream()
        .mapToLong(c -> what == 0 ? c.commits() : what == 1 ? c.newOrders() : c.conflicts())
        .sum();
  }

  /** By the text of the statement. */
  Map<String, StatementCost> costs() {
    Map<String, StatementCost> all = new HashMap<>();
    for (TpccClient client : clients) {
      client
          .costs()
          .forEach((sql, cost) -> all.computeIfAbsent(sql, s -> new StatementCost()).add(cost));
    }
    return all;
  }

  /** Forgets what statements have cost so far. */
  void forgetCosts() {
    clients.forEach(client -> client.costs().clear());
  }

  @Override
  public void close() throws SQLException {
    for (TpccClient client : clients) {
      client.close();
    }
    owner.close();
  }
}
