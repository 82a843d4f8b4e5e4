package io.gpdb.storage.column;

/** A column as storage sees it. */
public record ColumnShape(String name, ElementType type) {}
