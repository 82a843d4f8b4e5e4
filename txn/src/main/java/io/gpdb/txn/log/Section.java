package io.gpdb.txn.log;

import java.util.List;

/**
 * A section of a log record: one change, or a part of one. Each kind has a type of its own, with
 * its fields by name and the code that writes and reads them. Some numbers of the header mean
 * something else in each kind ({@link WalLayout}); only these types know what.
 *
 * <p>What a section holds by itself (counts and lengths against its payload, codes) is checked when
 * it is read: otherwise {@code CORRUPTION}. What it says of tables is checked when it is applied.
 * Arrays are views of the record's memory; reading copies nothing.
 */
public sealed interface Section permits TableSection, StringSection, InsertSection, ChangeSection {
  SectionKind kind();

  int tableId();

  /** The extents of the home file that have values of the section (B2). */
  default List<ExtentReference> references() {
    return List.of();
  }
}
