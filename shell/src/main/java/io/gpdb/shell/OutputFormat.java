package io.gpdb.shell;

/** How results are written. */
enum OutputFormat {
  TABLE,
  CSV,
  JSON;

  /** {@code widthMax} is the terminal's, 0 when there is none. */
  ResultPrinter printer(int widthMax) {
    return switch (this) {
      case TABLE -> new TablePrinter(widthMax);
      case CSV -> new CsvPrinter();
      case JSON -> new JsonPrinter();
    };
  }

  static OutputFormat named(String name) {
    for (OutputFormat format : values()) {
      if (format.name().equalsIgnoreCase(name)) {
        return format;
      }
    }
    throw new ShellError("there is no format '" + name + "': table, csv or json");
  }

  @Override
  public String toString() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }
}
