package io.gpdb.tools;

import org.apache.commons.dbcp2.BasicDataSource;

/** Commons DBCP 2. */
class Dbcp2Test extends ClientTest {
  private static BasicDataSource pool(String url) {
    BasicDataSource pool = new BasicDataSource();
    pool.setDriverClassName("io.gpdb.jdbc.GpdbDriver");
    pool.setUrl(url);
    pool.setMaxTotal(4);
    pool.setPoolPreparedStatements(true);
    pool.setValidationQuery("SELECT 1");
    pool.setTestOnReturn(true);
    return pool;
  }

  @Override
  void run(String url) throws Exception {
    try (BasicDataSource pool = pool(url);
        BasicDataSource readers = pool(url)) {
      PooledApplication.run(pool);
      readers.setDefaultReadOnly(true);
      PooledApplication.readOnly(readers);
    }
  }
}
