package io.gpdb.sql.direct;

import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.direct.DirectStatement.Comparison;
import io.gpdb.sql.direct.DirectStatement.Condition;
import io.gpdb.sql.statement.ParameterDef;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code WHERE column op ? AND …} to the end of a statement; names may be in quotes. */
final class DirectConditions {
  private DirectConditions() {}

  /** The conditions, whose parameters are added; null where there is anything else. */
  static @Nullable List<Condition> in(
      DirectText text, int from, TableDef table, List<ParameterDef> params) {
    List<Condition> conditions = new ArrayList<>();
    for (int at = from; at < text.end(); at += 4) {
      Comparison comparison = comparison(text.word(at + 2));
      int column = text.changedColumn(at + 1, table);
      if (comparison == null
          || column < 0
          || !isCompared(table.column(column).type(), comparison)
          || !text.is(at, at == from ? "WHERE" : "AND")
          || !text.is(at + 3, "?")) {
        return null;
      }
      conditions.add(new Condition(column, comparison, params.size()));
      SqlTypeSpec type = table.column(column).type().unlimited();
      params.add(new ParameterDef(type, true, ParameterDef.Use.COMPARED));
    }
    return List.copyOf(conditions);
  }

  static boolean isWhole(SqlTypeSpec type) {
    return type.kind() == SqlTypeSpec.Kind.INTEGER || type.kind() == SqlTypeSpec.Kind.BIGINT;
  }

  private static boolean isCompared(SqlTypeSpec type, Comparison comparison) {
    return isWhole(type)
        || (type.kind() == SqlTypeSpec.Kind.VARCHAR
            && !type.isLarge()
            && comparison == Comparison.EQUAL);
  }

  private static @Nullable Comparison comparison(String sign) {
    return switch (sign) {
      case "=" -> Comparison.EQUAL;
      case "<>" -> Comparison.UNEQUAL;
      case "<" -> Comparison.LESS;
      case "<=" -> Comparison.AT_MOST;
      case ">" -> Comparison.GREATER;
      case ">=" -> Comparison.AT_LEAST;
      default -> null;
    };
  }
}
