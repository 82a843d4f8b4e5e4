package io.gpdb.storage;

/** A column as storage sees it. */
public record ColumnShape(String name, ElementType type) {}
