package io.gpdb.storage.home;

import io.gpdb.storage.column.ColumnShape;
import io.gpdb.storage.column.FieldWriter;
import io.gpdb.storage.column.IndexShape;
import io.gpdb.storage.column.TableShape;
import java.nio.charset.StandardCharsets;

/** Writes root directories and the shapes of tables. */
final class RootWriter {
  private RootWriter() {}

  static byte[] encode(RootImage root) {
    FieldWriter out = new FieldWriter(64 + root.state().length);
    out.writeLong(RootLayout.MAGIC);
    out.writeInt(RootLayout.VERSION);
    writeBlob(out, root.state());
    writeCount(out, root.tables().size());
    byte[] head = out.toByteArray();
    return root.tables().isEmpty() ? head : RootTablesWriter.encode(head, root.tables());
  }

  static byte[] encodeShape(TableShape shape) {
    FieldWriter out = new FieldWriter(256);
    writeShape(out, shape);
    return out.toByteArray();
  }

  private static void writeShape(FieldWriter out, TableShape shape) {
    writeCount(out, shape.columns().size());
    for (ColumnShape column : shape.columns()) {
      writeText(out, column.name());
      out.writeByte(column.type().tag());
    }
    writeCount(out, shape.indexes().size());
    for (IndexShape index : shape.indexes()) {
      out.writeStopBit(index.indexId());
      out.writeByte(index.kind().tag(index.unique()));
      int[] columns = index.columns();
      writeCount(out, columns.length);
      for (int column : columns) {
        out.writeStopBit(column);
      }
      if (index.kind().isOrdered()) {
        for (boolean descending : index.descending()) {
          out.writeByte(descending ? 1 : 0);
        }
      }
    }
  }

  private static void writeText(FieldWriter out, String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    writeCount(out, utf8.length);
    out.write(utf8);
  }

  private static void writeBlob(FieldWriter out, byte[] blob) {
    writeCount(out, blob.length);
    out.write(blob);
  }

  private static void writeCount(FieldWriter out, int count) {
    out.writeStopBit(count);
  }
}
