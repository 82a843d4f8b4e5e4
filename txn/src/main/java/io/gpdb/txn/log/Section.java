package io.gpdb.txn.log;

import java.util.List;

/**
 * A section of a log record: one change, or a part of one. Each kind has a type of its own, with
 * its fields by name, and beside them how they are written and read; the numbers of the header that
 * mean something else in each kind ({@link WalLayout}) are seen nowhere else.
 *
 * <p>What a section holds by itself (counts and lengths against its payload, codes) is checked when
 * it is read: otherwise {@code CORRUPTION}. What it says of tables is held against these when it is
 * applied. Arrays are views of the record's memory; reading copies nothing.
 */
public sealed interface Section permits TableSection, StringSection, InsertSection, ChangeSection {
  SectionKind kind();

  int tableId();

  /** Where values lie that the section leaves to the home file (B2). */
  default List<ExtentReference> references() {
    return List.of();
  }
}
