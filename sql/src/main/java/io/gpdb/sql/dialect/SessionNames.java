package io.gpdb.sql.dialect;

import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.SchemaNames;
import io.gpdb.sql.definition.SchemaPath;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.jspecify.annotations.Nullable;

/**
 * CURRENT_SCHEMA, CURRENT_CATALOG, CURRENT_USER and their kin: constants of the plan, which is made
 * for one path of schemas. There is one user, and one catalog in a database.
 */
public final class SessionNames {
  /** Characters of each, as Calcite's standard table has it. */
  public static final int LENGTH_MAX = 2000;

  private static final Set<String> SCHEMAS = Set.of("CURRENT_SCHEMA", "SCHEMA");
  private static final Set<String> CATALOGS =
      Set.of("CURRENT_CATALOG", "CURRENT_DATABASE", "DATABASE");

  /** Those of Calcite's standard table. */
  static final Set<String> STANDARD =
      Set.of(
          "CURRENT_CATALOG",
          "CURRENT_PATH",
          "CURRENT_ROLE",
          "CURRENT_USER",
          "SESSION_USER",
          "SYSTEM_USER",
          "USER");

  /** CURRENT_SCHEMA with and without parentheses, and what other databases have. */
  static final List<SqlOperator> OPERATORS =
      List.of(
          new Name("CURRENT_SCHEMA", SqlSyntax.FUNCTION_ID),
          new Name("CURRENT_SCHEMA", SqlSyntax.FUNCTION),
          new Name("SCHEMA", SqlSyntax.FUNCTION),
          new Name("CURRENT_DATABASE", SqlSyntax.FUNCTION),
          new Name("DATABASE", SqlSyntax.FUNCTION));

  private SessionNames() {}

  /** Whether the word without parentheses is one of them where no column is called so. */
  public static boolean isWord(String word) {
    return STANDARD.contains(word) || word.equals("CURRENT_SCHEMA");
  }

  /** What the operator is in a session of that path; null where it is another operator. */
  public static @Nullable String value(SqlOperator operator, SchemaPath path) {
    String name = operator.getName().toUpperCase(Locale.ROOT);
    if (operator instanceof Name) {
      return SCHEMAS.contains(name) ? path.current() : SchemaNames.CATALOG;
    }
    if (!(operator instanceof SqlFunction) || !STANDARD.contains(name)) {
      return null;
    }
    if (name.equals("CURRENT_PATH")) {
      return ObjectName.quoted(path.current());
    }
    return CATALOGS.contains(name) ? SchemaNames.CATALOG : SchemaNames.USER;
  }

  private static final class Name extends SqlFunction {
    private final SqlSyntax syntax;

    Name(String name, SqlSyntax syntax) {
      super(
          name,
          SqlKind.OTHER_FUNCTION,
          ReturnTypes.VARCHAR_2000,
          null,
          OperandTypes.NILADIC,
          SqlFunctionCategory.SYSTEM);
      this.syntax = syntax;
    }

    @Override
    public SqlSyntax getSyntax() {
      return syntax;
    }
  }
}
