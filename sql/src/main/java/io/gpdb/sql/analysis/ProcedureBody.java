package io.gpdb.sql.analysis;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.RoutineParameter;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.definition.ViewDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.ProcedureStep;
import io.gpdb.sql.text.Words;
import io.gpdb.sql.text.Words.Word;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The statements of a procedure as statements with parameters. A name is a parameter of the
 * procedure unless it is a column of a table that the statement names, or an alias in it; with the
 * procedure's name before it, it always is one. What is found to be a column and is none makes the
 * statement invalid.
 */
final class ProcedureBody {
  private static final Set<String> RUN = Set.of("INSERT", "UPDATE", "DELETE", "MERGE", "CALL");

  private final ObjectName procedure;
  private final List<RoutineParameter> parameters;
  private final CatalogSnapshot catalog;
  private final Set<ObjectName> uses = new TreeSet<>();
  private final Set<ObjectName> calls = new TreeSet<>();

  /**
   * The body of a procedure.
   *
   * @param catalog in which names are looked up as in the procedure's schema
   */
  ProcedureBody(ObjectName procedure, List<RoutineParameter> parameters, CatalogSnapshot catalog) {
    this.procedure = procedure;
    this.parameters = parameters;
    this.catalog = catalog;
  }

  /** The tables and views that the statements name. */
  List<ObjectName> uses() {
    return List.copyOf(uses);
  }

  /** The routines that the statements call. */
  List<ObjectName> calls() {
    return List.copyOf(calls);
  }

  ProcedureStep step(String sql) {
    List<Word> words = Words.of(sql);
    String first = words.getFirst().name();
    if (words.stream().anyMatch(word -> !word.isName() && word.is("?"))) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT,
          "a procedure has no parameters but those that it names: " + sql);
    }
    return switch (first) {
      case "SET" -> set(sql, words);
      case "SELECT" -> selectInto(sql, words);
      default -> {
        if (!RUN.contains(first)) {
          throw new GpdbException(
              ErrorCode.NOT_SUPPORTED, first + " in a procedure is not supported");
        }
        Substituted run = substituted(sql, words);
        yield new ProcedureStep.Run(run.sql, run.variables);
      }
    };
  }

  private ProcedureStep set(String sql, List<Word> words) {
    int[] target = new int[1];
    int next = target(words, 1, target);
    if (next >= words.size() || !words.get(next).is("=")) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED, "SET of anything but one parameter in a procedure: " + sql);
    }
    String value = sql.substring(words.get(next).end());
    Substituted of = substituted(value, Words.of(value));
    return new ProcedureStep.Assign(
        "SELECT CAST((" + of.sql + ") AS " + parameters.get(target[0]).type() + ")",
        of.variables,
        target);
  }

  /** The parameter that gets a value at a place; returns the place behind its name. */
  private int target(List<Word> words, int at, int[] target) {
    boolean qualified =
        at + 2 < words.size() && words.get(at + 1).is(".") && words.get(at).is(procedure.name());
    int place = qualified ? at + 2 : at;
    String name = place < words.size() ? words.get(place).name() : "";
    int index = parameter(name);
    if (index < 0) {
      throw new GpdbException(
          SqlCondition.COLUMN_NOT_FOUND,
          "parameter " + name + " does not exist in procedure " + procedure);
    }
    if (!parameters.get(index).returnsValue()) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT,
          "parameter " + name + " of procedure " + procedure + " is IN and cannot be set");
    }
    target[0] = index;
    return place + 1;
  }

  private int parameter(String name) {
    for (int i = 0; i < parameters.size(); i++) {
      if (parameters.get(i).name().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  private ProcedureStep selectInto(String sql, List<Word> words) {
    int into = outermost(words, "INTO");
    if (into < 0) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED, "SELECT without INTO in a procedure is not supported");
    }
    List<Integer> targets = new ArrayList<>();
    int next = into;
    do {
      int[] target = new int[1];
      next = target(words, next + 1, target);
      targets.add(target[0]);
    } while (next < words.size() && words.get(next).is(","));
    int end = next < words.size() ? words.get(next).start() : sql.length();
    String query = sql.substring(0, words.get(into).start()) + " " + sql.substring(end);
    Substituted of = substituted(query, Words.of(query));
    List<String> names = new ArrayList<>();
    List<String> casts = new ArrayList<>();
    for (int i = 0; i < targets.size(); i++) {
      names.add("\"$" + i + "\"");
      casts.add("CAST(\"$" + i + "\" AS " + parameters.get(targets.get(i)).type() + ")");
    }
    return new ProcedureStep.Assign(
        "SELECT "
            + String.join(", ", casts)
            + " FROM ("
            + of.sql
            + ") AS \"$\" ("
            + String.join(", ", names)
            + ")",
        of.variables,
        targets.stream().mapToInt(Integer::intValue).toArray());
  }

  /** The place of a word outside of parentheses; -1 where it is not. */
  private static int outermost(List<Word> words, String sought) {
    int depth = 0;
    for (int i = 0; i < words.size(); i++) {
      String name = words.get(i).name();
      depth += name.equals("(") ? 1 : name.equals(")") ? -1 : 0;
      if (depth == 0 && name.equals(sought)) {
        return i;
      }
    }
    return -1;
  }

  /** A statement with parameters in the places of variables. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Substituted(String sql, int[] variables) {}

  private Substituted substituted(String sql, List<Word> words) {
    Set<String> columns = columns(words);
    StringBuilder text = new StringBuilder();
    List<Integer> variables = new ArrayList<>();
    int copied = 0;
    for (int i = 0; i < words.size(); i++) {
      int afterList = afterInsertedColumns(words, i);
      i = Math.max(i, afterList);
      int first = i;
      boolean qualified =
          isWord(words, i + 1, ".")
              && !isWord(words, i - 1, ".")
              && words.get(i).is(procedure.name())
              && i + 2 < words.size();
      int last = qualified ? i + 2 : i;
      Word word = words.get(last);
      int index = word.isName() ? parameter(word.name()) : -1;
      boolean plain =
          !isWord(words, i - 1, ".")
              && !isWord(words, i + 1, ".")
              && !columns.contains(word.name());
      if (index >= 0 && (qualified || plain) && !isWord(words, last + 1, "(")) {
        text.append(sql, copied, words.get(first).start())
            .append("CAST(? AS ")
            .append(parameters.get(index).type())
            .append(')');
        copied = word.end();
        variables.add(index);
        i = last;
      }
    }
    text.append(sql.substring(copied));
    return new Substituted(
        text.toString(), variables.stream().mapToInt(Integer::intValue).toArray());
  }

  private static boolean isWord(List<Word> words, int at, String name) {
    return at >= 0 && at < words.size() && words.get(at).is(name);
  }

  /** The place of the parenthesis that ends the columns of INSERT, where they begin at a place. */
  private static int afterInsertedColumns(List<Word> words, int at) {
    if (!isWord(words, at, "(")
        || isWord(words, at + 1, "SELECT")
        || isWord(words, at + 1, "VALUES")
        || isWord(words, at + 1, "WITH")) {
      return -1;
    }
    int before = at - 1;
    while (before > 0 && (words.get(before).is(".") || isWord(words, before - 1, "."))) {
      before--;
    }
    boolean columns =
        isWord(words, at - 1, "INSERT") || (isWord(words, before - 1, "INTO") && before >= 2);
    int end = at;
    while (columns && end < words.size() && !words.get(end).is(")")) {
      end++;
    }
    return columns ? end : -1;
  }

  /** The columns that names in a statement may mean; notes the tables and routines in it. */
  private Set<String> columns(List<Word> words) {
    Set<String> columns = new HashSet<>();
    for (int i = 0; i < words.size(); i++) {
      Word word = words.get(i);
      if (!word.isName()) {
        continue;
      }
      if (isWord(words, i - 1, "AS")) {
        columns.add(word.name());
      }
      ObjectName name =
          isWord(words, i - 1, ".") && i >= 2
              ? new ObjectName(words.get(i - 2).name(), word.name())
              : catalog.resolve(word.name());
      if (catalog.routine(name) != null
          && (isWord(words, i + 1, "(") || isWord(words, i - 1, "CALL"))) {
        calls.add(name);
      }
      List<ColumnDef> of = columnsOf(name);
      if (!of.isEmpty()) {
        uses.add(name);
        if (!isInserted(words, i)) {
          of.forEach(column -> columns.add(column.name()));
        }
      }
    }
    return columns;
  }

  /** The columns of a table or view; empty where there is none of the name. */
  private List<ColumnDef> columnsOf(ObjectName name) {
    TableDef table = catalog.table(name);
    ViewDef view = catalog.view(name);
    return table != null ? table.columns() : view != null ? view.columns() : List.of();
  }

  /** Whether a table is that of an INSERT, whose columns its values do not see. */
  private static boolean isInserted(List<Word> words, int at) {
    int first = isWord(words, at - 1, ".") ? at - 2 : at;
    return isWord(words, 0, "INSERT") && first == 2;
  }
}
