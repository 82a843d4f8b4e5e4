package io.gpdb.sql.catalog;

import java.nio.charset.StandardCharsets;
import java.util.List;
import net.openhft.chronicle.bytes.Bytes;
import org.jspecify.annotations.Nullable;

/** Writes what {@link TableDefCodec} describes, by Chronicle Bytes. */
final class TableDefWriter {
  private TableDefWriter() {}

  static byte[] encode(TableDef table) {
    Bytes<byte[]> out = Bytes.allocateElasticOnHeap(256);
    write(out, table);
    return out.toByteArray();
  }

  static byte[] encode(ViewDef view) {
    Bytes<byte[]> out = Bytes.allocateElasticOnHeap(256);
    write(out, new TableDef(view.viewId(), view.name(), view.columns(), List.of()));
    writeText(out, view.query());
    out.writeStopBit(view.uses().size());
    view.uses().forEach(name -> writeText(out, name));
    return out.toByteArray();
  }

  private static void write(Bytes<?> out, TableDef table) {
    out.writeStopBit(TableDefCodec.FORMAT);
    writeText(out, table.name());
    out.writeStopBit(table.columns().size());
    for (ColumnDef column : table.columns()) {
      writeText(out, column.name());
      writeText(out, column.type().kind().name());
      out.writeStopBit(column.type().precision());
      out.writeStopBit(column.type().scale());
      out.writeBoolean(column.nullable());
      writeText(out, column.defaultSql());
    }
    out.writeStopBit(table.keys().size());
    for (KeyDef key : table.keys()) {
      writeText(out, key.name());
      out.writeBoolean(key.primary());
      int[] columns = key.columns();
      out.writeStopBit(columns.length);
      for (int column : columns) {
        out.writeStopBit(column);
      }
    }
  }

  /** As {@code writeUtf8}, which says something on stderr where JVM flags are missing. */
  private static void writeText(Bytes<?> out, @Nullable String text) {
    if (text == null) {
      out.writeStopBit(-1);
      return;
    }
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    out.writeStopBit(utf8.length);
    out.write(utf8);
  }
}
