package io.gpdb.jdbc.metadata;

import io.gpdb.jdbc.value.JdbcTypes;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.IndexDef;
import io.gpdb.sql.definition.KeyDef;
import io.gpdb.sql.type.IntervalType;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.SqlTypeSpec.Kind;
import io.gpdb.storage.column.IndexKind;
import java.sql.DatabaseMetaData;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The rows of the metadata result sets that have any. */
public final class MetaDataRows {
  private static final int DECIMAL_RADIX = 10;
  private static final int UTF8_BYTES_MAX = 4;

  private MetaDataRows() {}

  public static List<@Nullable Object[]> tables(
      List<DescribedTable> tables, String @Nullable [] types) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (DescribedTable table : tables) {
      if (types == null || Arrays.asList(types).contains(table.type())) {
        rows.add(
            new @Nullable Object[] {
              null,
              table.schema(),
              table.name(),
              table.type(),
              table.comment(),
              null,
              null,
              null,
              null,
              null
            });
      }
    }
    return rows;
  }

  public static List<@Nullable Object[]> columns(
      List<DescribedTable> tables, @Nullable String columnPattern) {
    NamePattern pattern = new NamePattern(columnPattern);
    List<@Nullable Object[]> rows = new ArrayList<>();
    tables.stream()
        .sorted(Comparator.comparing(DescribedTable::schema).thenComparing(DescribedTable::name))
        .forEach(
            table -> {
              for (int i = 0; i < table.columns().size(); i++) {
                if (pattern.matches(table.columns().get(i).name())) {
                  rows.add(column(table, table.columns().get(i), i + 1));
                }
              }
            });
    return rows;
  }

  private static @Nullable Object[] column(DescribedTable table, ColumnDef column, int ordinal) {
    SqlTypeSpec type = column.type();
    Kind kind = type.kind();
    return new @Nullable Object[] {
      null,
      table.schema(),
      table.name(),
      column.name(),
      JdbcTypes.code(type),
      JdbcTypes.name(type),
      JdbcTypes.precision(type),
      null,
      hasDigits(kind) ? JdbcTypes.scale(type) : null,
      kind.isNumeric() ? DECIMAL_RADIX : null,
      column.nullable() ? DatabaseMetaData.columnNullable : DatabaseMetaData.columnNoNulls,
      column.comment(),
      column.defaultSql(),
      null,
      null,
      octets(type),
      ordinal,
      column.nullable() ? "YES" : "NO",
      null,
      null,
      null,
      null,
      column.identity() == null ? "NO" : "YES",
      column.generatedSql() == null ? "NO" : "YES"
    };
  }

  private static boolean hasDigits(Kind kind) {
    return kind.isExact() || kind.isClock() || kind.isInterval();
  }

  static @Nullable Integer octets(SqlTypeSpec type) {
    if (!type.kind().isCharacter() && type.kind() != Kind.VARBINARY) {
      return null;
    }
    long width = type.kind().isCharacter() ? UTF8_BYTES_MAX : 1;
    return (int) Math.min(JdbcTypes.precision(type) * width, Integer.MAX_VALUE);
  }

  public static List<@Nullable Object[]> primaryKeys(List<DescribedTable> tables) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (DescribedTable table : tables) {
      for (KeyDef key : table.keys()) {
        int[] columns = key.columns();
        for (int i = 0; key.primary() && i < columns.length; i++) {
          String column = table.columns().get(columns[i]).name();
          rows.add(
              new @Nullable Object[] {
                null, table.schema(), table.name(), column, i + 1, key.name()
              });
        }
      }
    }
    rows.sort(Comparator.comparing(row -> (String) Objects.requireNonNull(row[3])));
    return rows;
  }

  /** Those of keys and those of CREATE INDEX: unique ones first, by name. */
  public static List<@Nullable Object[]> indexes(List<DescribedTable> tables, boolean uniqueAlone) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (DescribedTable table : tables) {
      List<IndexDef> indexes = new ArrayList<>(table.indexes());
      for (KeyDef key : table.keys()) {
        boolean[] ascending = new boolean[key.columns().length];
        IndexKind kind = key.indexKind(table.columns());
        indexes.add(new IndexDef(key.name(), kind, true, key.columns(), ascending, -1));
      }
      indexes.stream()
          .filter(index -> index.unique() || !uniqueAlone)
          .sorted(
              Comparator.comparing(IndexDef::unique)
                  .reversed()
                  .thenComparingInt(MetaDataRows::indexType)
                  .thenComparing(IndexDef::name))
          .forEach(index -> addIndex(rows, table, index));
    }
    return rows;
  }

  private static short indexType(IndexDef index) {
    return index.kind() == IndexKind.HASH
        ? DatabaseMetaData.tableIndexHashed
        : DatabaseMetaData.tableIndexOther;
  }

  private static void addIndex(
      List<@Nullable Object[]> rows, DescribedTable table, IndexDef index) {
    int[] columns = index.columns();
    for (int i = 0; i < columns.length; i++) {
      boolean ordered = index.kind() != IndexKind.HASH;
      rows.add(
          new @Nullable Object[] {
            null,
            table.schema(),
            table.name(),
            !index.unique(),
            null,
            index.name(),
            indexType(index),
            i + 1,
            table.columns().get(columns[i]).name(),
            index.descending()[i] ? "D" : ordered ? "A" : null,
            null,
            null,
            null
          });
    }
  }

  /** The columns of the primary key, else of the first unique key without NULLs. */
  public static List<@Nullable Object[]> bestRowIdentifier(
      List<DescribedTable> tables, boolean nullableToo) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (DescribedTable table : tables) {
      for (KeyDef key : table.keys()) {
        if (rows.isEmpty() && (nullableToo || hasNoNulls(table, key))) {
          for (int column : key.columns()) {
            rows.add(rowIdentifier(table.columns().get(column)));
          }
        }
      }
    }
    return rows;
  }

  private static boolean hasNoNulls(DescribedTable table, KeyDef key) {
    for (int column : key.columns()) {
      if (table.columns().get(column).nullable()) {
        return false;
      }
    }
    return true;
  }

  private static @Nullable Object[] rowIdentifier(ColumnDef column) {
    SqlTypeSpec type = column.type();
    return new @Nullable Object[] {
      DatabaseMetaData.bestRowSession,
      column.name(),
      JdbcTypes.code(type),
      JdbcTypes.name(type),
      JdbcTypes.precision(type),
      null,
      JdbcTypes.scale(type),
      DatabaseMetaData.bestRowNotPseudo
    };
  }

  /** The types that a column can have, in the order of their codes. */
  public static List<@Nullable Object[]> types() {
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      if (kind != Kind.DECIMAL && !kind.isInterval()) { // its widest is the wide one
        rows.add(type(widest(kind)));
      }
    }
    for (IntervalType.Fields fields : IntervalType.Fields.values()) {
      rows.add(type(IntervalType.of(fields).spec()));
    }
    rows.add(type(SqlTypeSpec.CLOB));
    rows.add(type(SqlTypeSpec.BLOB));
    rows.sort(Comparator.comparing(row -> (Integer) Objects.requireNonNull(row[1])));
    return rows;
  }

  private static @Nullable Object[] type(SqlTypeSpec type) {
    Kind kind = type.kind();
    String prefix =
        switch (kind) {
          case CHAR, VARCHAR -> "'";
          case VARBINARY -> "X'";
          case UUID -> "UUID '";
          case DATE -> "DATE '";
          case TIME -> "TIME '";
          case TIMESTAMP -> "TIMESTAMP '";
          case TIMESTAMP_TZ -> "TIMESTAMP WITH TIME ZONE '";
          case INTERVAL_MONTHS, INTERVAL_MICROS -> "INTERVAL '";
          default -> null;
        };
    String suffix =
        kind.isInterval() ? "' " + IntervalType.of(type).fieldNames() : prefix == null ? null : "'";
    String parameters =
        switch (kind) {
          case CHAR, VARCHAR, VARBINARY -> "length";
          case DECIMAL, WIDE_DECIMAL -> "precision,scale";
          case TIME, TIMESTAMP, TIMESTAMP_TZ, INTERVAL_MONTHS, INTERVAL_MICROS -> "precision";
          default -> null;
        };
    int scaleMax =
        kind.isDecimal()
            ? SqlTypeSpec.DECIMAL_DIGITS_MAX
            : kind.isInterval()
                ? IntervalType.of(type).fraction()
                : kind.isClock() ? SqlTypeSpec.FRACTION_DIGITS_MAX : 0;
    return new @Nullable Object[] {
      JdbcTypes.name(type),
      JdbcTypes.code(type),
      JdbcTypes.precision(type),
      prefix,
      suffix,
      parameters,
      DatabaseMetaData.typeNullable,
      kind.isCharacter(),
      DatabaseMetaData.typeSearchable,
      !kind.isNumeric(),
      false,
      false,
      null,
      0,
      scaleMax,
      null,
      null,
      kind.isNumeric() ? DECIMAL_RADIX : null
    };
  }

  private static SqlTypeSpec widest(Kind kind) {
    int precision =
        switch (kind) {
          case DECIMAL, WIDE_DECIMAL -> SqlTypeSpec.DECIMAL_DIGITS_MAX;
          case TIME, TIMESTAMP, TIMESTAMP_TZ -> SqlTypeSpec.FRACTION_DIGITS_MAX;
          case CHAR, VARCHAR, VARBINARY -> SqlTypeSpec.LENGTH_MAX;
          default -> 0;
        };
    return new SqlTypeSpec(kind, precision, 0);
  }
}
