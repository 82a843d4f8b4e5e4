package io.gpdb.jdbc.metadata;

import io.gpdb.jdbc.value.JdbcTypes;
import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.DomainDef;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.type.SqlTypeSpec;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Rows of distinct types, the only ones that users define, in the order of their names. */
public final class TypeRows {
  private TypeRows() {}

  /** As getUDTs wants them. */
  public static List<@Nullable Object[]> of(
      CatalogSnapshot catalog,
      @Nullable String catalogName,
      @Nullable String schemaPattern,
      @Nullable String namePattern,
      int @Nullable [] types) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    boolean wanted = types == null || IntStream.of(types).anyMatch(t -> t == Types.DISTINCT);
    NamePattern schema = new NamePattern(schemaPattern);
    NamePattern name = new NamePattern(namePattern);
    for (DomainDef type : catalog.domains()) {
      ObjectName full = type.fullName();
      if (wanted
          && (catalogName == null || catalogName.isEmpty())
          && type.isDistinct()
          && schema.matches(full.schema())
          && name.matches(full.name())) {
        SqlTypeSpec source = type.column().type();
        rows.add(
            new @Nullable Object[] {
              null,
              full.schema(),
              full.name(),
              JdbcTypes.className(source),
              Types.DISTINCT,
              null,
              (short) JdbcTypes.code(source)
            });
      }
    }
    return rows;
  }
}
