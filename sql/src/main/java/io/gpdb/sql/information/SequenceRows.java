package io.gpdb.sql.information;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.SchemaNames;
import io.gpdb.sql.definition.SequenceDef;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of INFORMATION_SCHEMA.SEQUENCES: the sequences that statements can name. */
final class SequenceRows {
  private static final int DECIMAL_RADIX = 10;

  private SequenceRows() {}

  static List<@Nullable Object[]> of(CatalogSnapshot catalog) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (SequenceDef sequence : catalog.sequences()) {
      if (!sequence.owned()) {
        rows.add(row(sequence));
      }
    }
    return rows;
  }

  private static @Nullable Object[] row(SequenceDef sequence) {
    return new @Nullable Object[] {
      SchemaNames.CATALOG,
      sequence.schema(),
      sequence.name(),
      sequence.type().name(),
      TableRows.numericPrecision(sequence.type()),
      DECIMAL_RADIX,
      0,
      sequence.start(),
      sequence.minimum(),
      sequence.maximum(),
      sequence.increment(),
      sequence.cycles() ? "YES" : "NO",
      (long) sequence.cache()
    };
  }
}
