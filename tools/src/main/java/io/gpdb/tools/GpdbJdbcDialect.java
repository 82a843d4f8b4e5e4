package io.gpdb.tools;

import org.springframework.data.jdbc.core.dialect.JdbcArrayColumns;
import org.springframework.data.jdbc.core.dialect.JdbcDialect;
import org.springframework.data.relational.core.dialect.AnsiDialect;

/** The SQL of gpDB for Spring Data JDBC 4. */
public final class GpdbJdbcDialect extends AnsiDialect implements JdbcDialect {
  public static final GpdbJdbcDialect INSTANCE = new GpdbJdbcDialect();

  private GpdbJdbcDialect() {}

  @Override
  public JdbcArrayColumns getArraySupport() {
    return JdbcArrayColumns.Unsupported.INSTANCE;
  }
}
