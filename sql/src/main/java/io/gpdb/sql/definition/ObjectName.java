package io.gpdb.sql.definition;

import java.util.Comparator;

/** The name of a table, view or sequence together with that of its schema. */
public record ObjectName(String schema, String name) implements Comparable<ObjectName> {
  private static final Comparator<ObjectName> ORDER =
      Comparator.comparing(ObjectName::schema).thenComparing(ObjectName::name);

  /** A name in the schema PUBLIC. */
  public static ObjectName ofPublic(String name) {
    return new ObjectName(SchemaNames.PUBLIC, name);
  }

  @Override
  public int compareTo(ObjectName other) {
    return ORDER.compare(this, other);
  }

  /** As SQL text writes it, whatever characters it has. */
  public String sql() {
    return quoted(schema) + "." + quoted(name);
  }

  /** A name in double quotes, which a statement takes as it is. */
  public static String quoted(String word) {
    return '"' + word.replace("\"", "\"\"") + '"';
  }

  /** As messages say it: the schema is left out where it is PUBLIC or hidden. */
  @Override
  public String toString() {
    return schema.equals(SchemaNames.PUBLIC) || SchemaNames.isHidden(schema)
        ? name
        : schema + "." + name;
  }
}
