package io.gpdb.sql.direct;

import io.gpdb.sql.direct.DirectStatement.Combined;
import io.gpdb.sql.direct.DirectStatement.Query;
import io.gpdb.sql.direct.DirectStatement.SetOperator;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.sql.statement.ParameterDef;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** SELECTs with UNION, EXCEPT and INTERSECT between them, or one alone. */
final class DirectCombination {
  private final DirectText text;
  private final DirectParameters params;
  private int at;

  private DirectCombination(DirectText text) {
    this.text = text;
    params = new DirectParameters(text);
  }

  static @Nullable DirectStatement in(DirectText text) {
    try {
      return new DirectCombination(text).query();
    } catch (NotDirect e) {
      return null;
    }
  }

  private Query query() {
    int end = selectEnd(0);
    if (end == text.end()) {
      return new DirectSelect(text, 0, end, params).selection(params::all);
    }
    Query left = intersection();
    while (at < text.end()) {
      SetOperator operator = operator(at++);
      if (operator == null) {
        throw NotDirect.here();
      }
      boolean all = isAll();
      left = combined(operator, all, left, intersection(), at == text.end());
    }
    return left;
  }

  /** One SELECT, or several with INTERSECT between them, which binds most. */
  private Query intersection() {
    Query left = select();
    while (operator(at) == SetOperator.INTERSECT) {
      at++;
      boolean all = isAll();
      left = combined(SetOperator.INTERSECT, all, left, select(), at == text.end());
    }
    return left;
  }

  private boolean isAll() {
    boolean all = text.is(at, "ALL");
    at += all || text.is(at, "DISTINCT") ? 1 : 0;
    return all;
  }

  private Query select() {
    int end = selectEnd(at);
    DirectSelect select = new DirectSelect(text, at, end, params);
    if (!text.is(at, "SELECT") || select.isSorted()) {
      throw NotDirect.here();
    }
    at = end;
    return select.selection(List::of);
  }

  private int selectEnd(int begin) {
    int open = 0;
    for (int i = begin; i < text.end(); i++) {
      open += text.is(i, "(") ? 1 : text.is(i, ")") ? -1 : 0;
      if (open == 0 && operator(i) != null) {
        return i;
      }
    }
    return text.end();
  }

  private @Nullable SetOperator operator(int word) {
    return switch (text.word(word)) {
      case "UNION" -> SetOperator.UNION;
      case "EXCEPT" -> SetOperator.EXCEPT;
      case "INTERSECT" -> SetOperator.INTERSECT;
      default -> null;
    };
  }

  /**
   * @param last whether it is the whole statement
   */
  private Query combined(SetOperator operator, boolean all, Query left, Query right, boolean last) {
    if (left.output().size() != right.output().size()) {
      throw NotDirect.here();
    }
    List<OutputColumn> output = new ArrayList<>();
    for (int i = 0; i < left.output().size(); i++) {
      OutputColumn a = left.output().get(i);
      OutputColumn b = right.output().get(i);
      DirectOperations.comparable(left.items().get(i));
      if (!a.type().equals(b.type())) {
        throw NotDirect.here();
      }
      output.add(new OutputColumn(a.name(), a.type(), a.nullable() || b.nullable()));
    }
    List<ParameterDef> parameters = last ? params.all() : List.of();
    return new Combined(operator, all, left, right, parameters, List.copyOf(output));
  }
}
