package io.gpdb.sql.catalog;

import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.ColumnStatistics;
import io.gpdb.sql.definition.ForeignKeyDef;
import io.gpdb.sql.definition.IndexDef;
import io.gpdb.sql.definition.KeyDef;
import io.gpdb.sql.definition.RoleDef;
import io.gpdb.sql.definition.SchemaDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.definition.ViewDef;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.FieldReader;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Definitions of tables as bytes: format version, name, columns (name, kind, precision, scale,
 * nullable, default), keys (name, primary, columns), and from format 2 on a list of {@link
 * Addition}s, each with its number and the length of its bytes; a definition without any has format
 * 1. Those of views, which have no keys, are followed by the query's text and the names that it
 * uses. Those of schemas are name and comment, those of roles the name and the members. Numbers are
 * stop-bit encoded, text is UTF-8 with its length before it. Their writer is a class of its own,
 * which opening does not load.
 */
public final class TableDefCodec {
  /** Without additions. */
  static final int FORMAT_PLAIN = 1;

  /** With additions. */
  static final int FORMAT_ADDITIONS = 2;

  private TableDefCodec() {}

  /** What a definition may have in addition; their numbers never change. */
  enum Addition {
    /** The name of its schema, where that is not PUBLIC. */
    SCHEMA(0),
    /** The ids of the keys' indexes, where those are not their positions. */
    KEY_INDEXES(1),
    INDEXES(2),
    CHECKS(3),
    FOREIGN_KEYS(4),
    COMMENT(5),
    /** Identity columns: position, whether always, sequence. */
    IDENTITIES(6),
    /** Generated columns: position, expression. */
    GENERATED(7),
    /** Names of NOT NULL constraints: position, name. */
    NOT_NULL_NAMES(8),
    /** Comments on columns: position, text. */
    COLUMN_COMMENTS(9),
    /** A view's CHECK OPTION. */
    CHECK_OPTION(10),
    /** What becomes of a temporary table. */
    ON_COMMIT(20),
    /** A view's schema of names without one, and the schemas of the names that it uses. */
    VIEW_SCHEMAS(21),
    /** The schema and name of the table or view whose rows a view shows. */
    VIEW_BASE(22),
    /** What was granted on the table or view: grantee, action, column, whether grantable. */
    PRIVILEGES(23),
    /** Domains of columns: position, schema, name. */
    DOMAINS(24),
    /** The functions that a view calls: schema, name. */
    VIEW_ROUTINES(25),
    /** The numbers of the foreign keys that are MATCH FULL. */
    FULL_MATCHES(26),
    /** Indexes that are those of DEFERRABLE keys: position, whether primary, whether deferred. */
    DEFERRABLE_KEYS(27),
    /** CHECK constraints that are DEFERRABLE: position, whether deferred. */
    DEFERRABLE_CHECKS(28),
    /** What ANALYZE found of columns: position, rows, NULLs, different values, bounds as steps. */
    COLUMN_STATISTICS(29);

    private final int number;

    Addition(int number) {
      this.number = number;
    }

    int number() {
      return number;
    }

    static @Nullable Addition of(long number) {
      for (Addition addition : values()) {
        if (addition.number == number) {
          return addition;
        }
      }
      return null;
    }
  }

  public static byte[] encode(TableDef table) {
    return TableDefWriter.encode(table);
  }

  public static TableDef decode(int tableId, byte[] encoded) {
    try {
      TableDef table = decode(tableId, new FieldReader(encoded)).table();
      requireColumns(table);
      return table;
    } catch (RuntimeException e) {
      if (e instanceof GpdbException own) {
        throw own;
      }
      throw damaged(tableId, e);
    }
  }

  /** Keys, indexes and foreign keys are over columns that the table has. */
  private static void requireColumns(TableDef table) {
    int count = table.columns().size();
    for (KeyDef key : table.keys()) {
      requireColumns(key.columns(), count);
    }
    for (IndexDef index : table.indexes()) {
      requireColumns(index.columns(), count);
    }
    for (ForeignKeyDef key : table.foreignKeys()) {
      requireColumns(key.columns(), count);
      if (key.columns().length != key.parentColumns().size()) {
        throw new IllegalStateException(key + " has " + key.parentColumns());
      }
    }
  }

  private static void requireColumns(int[] columns, int count) {
    if (columns.length == 0) {
      throw new IllegalStateException("a key without columns");
    }
    for (int column : columns) {
      Objects.checkIndex(column, count);
    }
  }

  static byte[] encode(ViewDef view) {
    return TableDefWriter.encode(view);
  }

  static ViewDef decodeView(int viewId, byte[] encoded) {
    try {
      FieldReader in = new FieldReader(encoded);
      TableAdditions decoded = decode(viewId, in);
      TableDef columns = decoded.table();
      String query = text(in, viewId);
      return new ViewDef(
          viewId,
          columns.schema(),
          columns.name(),
          columns.columns(),
          query,
          decoded.uses(texts(in)),
          decoded.namesFrom(),
          decoded.checkOption(),
          columns.comment(),
          decoded.base(),
          columns.privileges(),
          decoded.routines());
    } catch (GpdbException own) {
      throw own;
    } catch (RuntimeException e) {
      throw damaged(viewId, e);
    }
  }

  static SchemaDef decodeSchema(int schemaId, byte[] encoded) {
    try {
      FieldReader in = new FieldReader(encoded);
      return new SchemaDef(schemaId, text(in), optionalText(in));
    } catch (RuntimeException e) {
      throw damaged(schemaId, e);
    }
  }

  static RoleDef decodeRole(int roleId, byte[] encoded) {
    try {
      FieldReader in = new FieldReader(encoded);
      String name = text(in);
      List<RoleDef.Member> members = new ArrayList<>();
      int count = length(in);
      for (int i = 0; i < count; i++) {
        members.add(new RoleDef.Member(text(in), in.readBoolean()));
      }
      return new RoleDef(roleId, name, members);
    } catch (RuntimeException e) {
      throw damaged(roleId, e);
    }
  }

  private static TableAdditions decode(int tableId, FieldReader in) {
    long format = in.readStopBit();
    if (format != FORMAT_PLAIN && format != FORMAT_ADDITIONS) {
      throw new GpdbException(
          ErrorCode.CORRUPTION,
          "definition of table "
              + tableId
              + " has format "
              + format
              + ", expected at most "
              + FORMAT_ADDITIONS);
    }
    String name = text(in, tableId);
    int columnCount = (int) in.readStopBit();
    List<ColumnDef> columns = new ArrayList<>();
    for (int i = 0; i < columnCount; i++) {
      columns.add(column(in, tableId));
    }
    int keyCount = (int) in.readStopBit();
    List<KeyDef> keys = new ArrayList<>();
    for (int i = 0; i < keyCount; i++) {
      String key = text(in, tableId);
      boolean primary = in.readBoolean();
      keys.add(new KeyDef(key, primary, numbers(in), i));
    }
    TableAdditions table = new TableAdditions(new TableDef(tableId, name, columns, keys));
    if (format == FORMAT_ADDITIONS) {
      readAdditions(in, tableId, table);
    }
    return table;
  }

  private static void readAdditions(FieldReader in, int tableId, TableAdditions table) {
    int count = (int) in.readStopBit();
    for (int i = 0; i < count; i++) {
      long number = in.readStopBit();
      Addition addition = Addition.of(number);
      if (addition == null) {
        throw new GpdbException(
            ErrorCode.CORRUPTION,
            "definition of table "
                + tableId
                + " has an addition of number "
                + number
                + ", which this version does not know");
      }
      byte[] bytes = new byte[length(in)];
      in.read(bytes);
      table.read(addition, new FieldReader(bytes));
    }
  }

  private static ColumnDef column(FieldReader in, int tableId) {
    String name = text(in, tableId);
    SqlTypeSpec.Kind kind = SqlTypeSpec.Kind.valueOf(text(in, tableId));
    int precision = (int) in.readStopBit();
    int scale = (int) in.readStopBit();
    boolean nullable = in.readBoolean();
    return new ColumnDef(name, new SqlTypeSpec(kind, precision, scale), nullable, optionalText(in));
  }

  static int[] numbers(FieldReader in) {
    int[] numbers = new int[length(in)];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = (int) in.readStopBit();
    }
    return numbers;
  }

  static ColumnStatistics statistics(FieldReader in) {
    long rows = in.readStopBit();
    long nulls = in.readStopBit();
    long distinct = in.readStopBit();
    long[] bounds = new long[length(in)];
    for (int i = 0; i < bounds.length; i++) {
      bounds[i] = (i == 0 ? 0 : bounds[i - 1]) + in.readStopBit();
    }
    return new ColumnStatistics(rows, nulls, distinct, bounds);
  }

  static List<String> texts(FieldReader in) {
    int count = length(in);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      texts.add(text(in));
    }
    return texts;
  }

  /** A count of what follows, each at least a byte. */
  static int length(FieldReader in) {
    long length = in.readStopBit();
    if (length < 0 || length > in.remaining()) {
      throw new IllegalStateException("length " + length + " of " + in.remaining() + " bytes");
    }
    return (int) length;
  }

  static String text(FieldReader in) {
    String text = optionalText(in);
    if (text == null) {
      throw new IllegalStateException("a text is missing");
    }
    return text;
  }

  private static String text(FieldReader in, int tableId) {
    String text = optionalText(in);
    if (text == null) {
      throw damaged(tableId, null);
    }
    return text;
  }

  /** Null is a length of -1. */
  static @Nullable String optionalText(FieldReader in) {
    long length = in.readStopBit();
    if (length < 0) {
      return null;
    }
    if (length > in.remaining()) {
      throw new IllegalStateException("text of " + length + " bytes cut off");
    }
    byte[] utf8 = new byte[(int) length];
    in.read(utf8);
    return new String(utf8, StandardCharsets.UTF_8);
  }

  private static GpdbException damaged(int tableId, @Nullable Throwable cause) {
    return new GpdbException(
        ErrorCode.CORRUPTION, "definition of table " + tableId + " cannot be read", cause);
  }
}
