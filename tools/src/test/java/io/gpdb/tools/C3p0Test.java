package io.gpdb.tools;

import com.mchange.v2.c3p0.ComboPooledDataSource;

/** c3p0. */
class C3p0Test extends ClientTest {
  @Override
  void run(String url) throws Exception {
    try (ComboPooledDataSource pool = new ComboPooledDataSource()) {
      pool.setJdbcUrl(url);
      pool.setMaxPoolSize(4);
      pool.setMaxStatements(20);
      pool.setTestConnectionOnCheckout(true);
      PooledApplication.run(pool);
    }
    awaitHelpers();
  }

  /** Connections are closed by threads of the pool, after it. */
  private static void awaitHelpers() throws InterruptedException {
    for (int i = 0; i < 100 && hasHelpers(); i++) {
      Thread.sleep(50);
    }
  }

  private static boolean hasHelpers() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().contains("C3P0"));
  }
}
