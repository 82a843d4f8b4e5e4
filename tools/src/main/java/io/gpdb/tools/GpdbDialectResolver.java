package io.gpdb.tools;

import org.hibernate.dialect.Dialect;
import org.hibernate.engine.jdbc.dialect.spi.DialectResolutionInfo;
import org.hibernate.engine.jdbc.dialect.spi.DialectResolver;
import org.jspecify.annotations.Nullable;

/** Has Hibernate take {@link GpdbDialect} for connections to gpDB. */
public final class GpdbDialectResolver implements DialectResolver {
  private static final long serialVersionUID = 1L;

  @Override
  public @Nullable Dialect resolveDialect(DialectResolutionInfo info) {
    return GpdbProduct.NAME.equals(info.getDatabaseName()) ? new GpdbDialect(info) : null;
  }
}
