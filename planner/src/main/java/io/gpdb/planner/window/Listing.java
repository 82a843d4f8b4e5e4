package io.gpdb.planner.window;

import io.gpdb.planner.text.TextLimit;
import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/** LISTAGG: the texts of the rows with separators between them. */
final class Listing extends Accumulator {
  private static final byte[] COMMA = {','};

  private final WindowColumn argument;
  private final @Nullable WindowColumn separator;
  private final ByteArrayOutputStream text = new ByteArrayOutputStream();
  private long count;

  Listing(WindowColumn argument, @Nullable WindowColumn separator) {
    this.argument = argument;
    this.separator = separator;
  }

  @Override
  void clear() {
    text.reset();
    count = 0;
  }

  @Override
  void add(int row) {
    if (argument.isNull(row)) {
      return;
    }
    if (count++ > 0) {
      text.writeBytes(separator(row));
    }
    text.writeBytes(argument.bytes(row));
    TextLimit.check("LISTAGG", text.size());
  }

  private byte[] separator(int row) {
    if (separator == null) {
      return COMMA;
    }
    return separator.isNull(row) ? new byte[0] : separator.bytes(row);
  }

  @Override
  void write(WindowOutput output, int row) {
    if (count == 0) {
      output.setNull(row);
    } else {
      output.setBytes(row, text.toByteArray());
    }
  }
}
