package io.gpdb.tools;

import java.util.Optional;
import org.springframework.data.jdbc.core.dialect.DialectResolver.JdbcDialectProvider;
import org.springframework.data.relational.core.dialect.Dialect;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcOperations;

/** Has Spring Data JDBC take {@link GpdbJdbcDialect} for connections to gpDB. */
public final class GpdbJdbcDialectProvider implements JdbcDialectProvider {
  @Override
  public Optional<Dialect> getDialect(JdbcOperations operations) {
    ConnectionCallback<String> productName =
        connection -> connection.getMetaData().getDatabaseProductName();
    return GpdbProduct.NAME.equals(operations.execute(productName))
        ? Optional.of(GpdbJdbcDialect.INSTANCE)
        : Optional.empty();
  }
}
