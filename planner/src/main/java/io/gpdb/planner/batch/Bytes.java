package io.gpdb.planner.batch;

import io.gpdb.planner.expression.HostValue;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The bytes of a string, equal to others that are the same. */
@SuppressWarnings("ArrayRecordComponent") // compared by contents
public record Bytes(byte[] bytes) {
  /** A {@link HostValue} as its bits, its bytes, or null. */
  public static @Nullable Object encoded(SqlTypeSpec type, @Nullable Object value) {
    return value == null
        ? null
        : type.kind().isString()
            ? new Bytes(HostValue.bytes(type, value))
            : (Object) HostValue.raw(type, value);
  }

  /** A field of a row as its bits, its bytes, or null. */
  public static @Nullable Object encoded(Batch batch, int field, SqlTypeSpec type, int row) {
    if (batch.isNull(field, row)) {
      return null;
    }
    long raw = type.element().rawAt(batch.hostValues(field), row);
    return type.kind().isString() ? new Bytes(batch.strings(field).bytes((int) raw)) : (Object) raw;
  }

  /** The {@link HostValue} of bits or bytes. */
  public static @Nullable Object decoded(SqlTypeSpec type, @Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Bytes text -> HostValue.ofBytes(type, text.bytes());
      default -> HostValue.ofRaw(type, (Long) value);
    };
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Bytes text && Arrays.equals(bytes, text.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }
}
