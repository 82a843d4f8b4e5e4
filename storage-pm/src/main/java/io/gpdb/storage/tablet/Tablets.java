package io.gpdb.storage.tablet;

/** The tablets of one table, those of low rows first. */
public interface Tablets {
  int tabletCount();

  Tablet tablet(int i);
}
