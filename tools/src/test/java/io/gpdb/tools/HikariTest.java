package io.gpdb.tools;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/** HikariCP. */
class HikariTest extends ClientTest {
  private static HikariConfig config(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(4);
    return config;
  }

  @Override
  void run(String url) throws Exception {
    try (HikariDataSource pool = new HikariDataSource(config(url))) {
      PooledApplication.run(pool);
      HikariConfig readers = config(url);
      readers.setReadOnly(true);
      readers.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
      readers.setSchema("PUBLIC");
      try (HikariDataSource readOnly = new HikariDataSource(readers)) {
        PooledApplication.readOnly(readOnly);
      }
    }
  }
}
