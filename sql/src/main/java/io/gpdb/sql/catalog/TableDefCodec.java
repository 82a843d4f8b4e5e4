package io.gpdb.sql.catalog;

import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.FieldReader;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Definitions of tables as bytes: format version, name, columns (name, kind, precision, scale,
 * nullable, default), keys (name, primary, columns); those of views, which have no keys, followed
 * by the query's text and the names that it uses. Numbers are stop-bit encoded, text is UTF-8 with
 * its length before it. Their writer is a class of its own, which opening does not load.
 */
public final class TableDefCodec {
  static final int FORMAT = 1;

  private TableDefCodec() {}

  public static byte[] encode(TableDef table) {
    return TableDefWriter.encode(table);
  }

  public static TableDef decode(int tableId, byte[] encoded) {
    try {
      return decode(tableId, new FieldReader(encoded));
    } catch (RuntimeException e) {
      if (e instanceof GpdbException own) {
        throw own;
      }
      throw damaged(tableId, e);
    }
  }

  static byte[] encode(ViewDef view) {
    return TableDefWriter.encode(view);
  }

  static ViewDef decodeView(int viewId, byte[] encoded) {
    try {
      FieldReader in = new FieldReader(encoded);
      TableDef columns = decode(viewId, in);
      String query = text(in, viewId);
      int usesCount = (int) in.readStopBit();
      List<String> uses = new ArrayList<>();
      for (int i = 0; i < usesCount; i++) {
        uses.add(text(in, viewId));
      }
      return new ViewDef(viewId, columns.name(), columns.columns(), query, uses);
    } catch (GpdbException own) {
      throw own;
    } catch (RuntimeException e) {
      throw damaged(viewId, e);
    }
  }

  private static TableDef decode(int tableId, FieldReader in) {
    long format = in.readStopBit();
    if (format != FORMAT) {
      throw new GpdbException(
          ErrorCode.CORRUPTION,
          "definition of table " + tableId + " has format " + format + ", expected " + FORMAT);
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
      int[] keyColumns = new int[(int) in.readStopBit()];
      for (int c = 0; c < keyColumns.length; c++) {
        keyColumns[c] = (int) in.readStopBit();
      }
      keys.add(new KeyDef(key, primary, keyColumns));
    }
    return new TableDef(tableId, name, columns, keys);
  }

  private static ColumnDef column(FieldReader in, int tableId) {
    String name = text(in, tableId);
    SqlTypeSpec.Kind kind = SqlTypeSpec.Kind.valueOf(text(in, tableId));
    int precision = (int) in.readStopBit();
    int scale = (int) in.readStopBit();
    boolean nullable = in.readBoolean();
    return new ColumnDef(name, new SqlTypeSpec(kind, precision, scale), nullable, optionalText(in));
  }

  private static String text(FieldReader in, int tableId) {
    String text = optionalText(in);
    if (text == null) {
      throw damaged(tableId, null);
    }
    return text;
  }

  /** Null is a length of -1. */
  private static @Nullable String optionalText(FieldReader in) {
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
