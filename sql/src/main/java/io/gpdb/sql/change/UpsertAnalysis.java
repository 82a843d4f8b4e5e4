package io.gpdb.sql.change;

import io.gpdb.sql.conversion.Assignment;
import io.gpdb.sql.conversion.QueryConversion;
import io.gpdb.sql.definition.IndexDef;
import io.gpdb.sql.definition.KeyDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.dialect.GpRexBuilder;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.parser.ConflictClause;
import io.gpdb.sql.parser.ParsedStatement;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.statement.ConflictAction;
import io.gpdb.sql.statement.ParameterDef;
import io.gpdb.sql.syntax.TableNames;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;

/** INSERT that does something else with a row whose key exists. */
public final class UpsertAnalysis {
  private static final String EXCLUDED = "EXCLUDED";

  private final ChangeScope scope;

  public UpsertAnalysis(ChangeScope scope) {
    this.scope = scope;
  }

  public Analyzed upsert(ParsedStatement.Upsert upsert) {
    TargetRows target = TargetRows.named(upsert.name(), upsert.alias(), scope.catalog());
    UpdatableView view = target.view();
    return view == null
        ? upsert(upsert, target)
        : view.checked(upsert(view.ofTable(upsert), target), scope.conversions());
  }

  /**
   * @param upsert names columns of the table where values are stored, and of the target elsewhere
   */
  private Analyzed upsert(ParsedStatement.Upsert upsert, TargetRows target) {
    TableDef table = target.table();
    InsertAnalysis inserts = new InsertAnalysis(scope.catalog(), scope.conversions());
    SqlNode source = upsert.source();
    InsertAnalysis.Numbered insert =
        source == null
            ? new InsertAnalysis.Numbered(inserts.insertDefaults(table), Map.of())
            : inserts.insert(table, upsert.columns(), scope.completed(source), upsert.overriding());
    Map<Integer, ParameterDef> parameters = new TreeMap<>(insert.parameters());
    ConflictAction action = action(upsert, target, given(upsert, table), parameters);
    return new Analyzed.Upsert(insert.insert(), action, QueryConversion.allOf(parameters));
  }

  /** Columns that the statement has values for; others of the rows that exist stay as they are. */
  private int[] given(ParsedStatement.Upsert upsert, TableDef table) {
    SqlNodeList names = upsert.columns();
    return names == null
        ? InsertAnalysis.allColumns(table)
        : TableNames.columns(table, names, scope.catalog());
  }

  private ConflictAction action(
      ParsedStatement.Upsert upsert,
      TargetRows target,
      int[] given,
      Map<Integer, ParameterDef> parameters) {
    ConflictClause clause = upsert.conflict();
    TableDef table = target.table();
    List<KeyDef> keys = keys(clause, table);
    return switch (clause.action()) {
      case NOTHING -> new ConflictAction.Nothing(keys);
      case REPLACE -> new ConflictAction.Replace(keys);
      case UPDATE -> update(clause, target, keys, parameters);
      case VALUES -> values(table, keys.getFirst(), given);
    };
  }

  /** The keys that exist once each, of which the clause speaks. */
  private static List<KeyDef> keys(ConflictClause clause, TableDef table) {
    requireNoneDeferrable(clause, table);
    List<KeyDef> all = uniqueKeys(table);
    SqlNodeList columns = clause.columns();
    if (columns != null) {
      return List.of(keyOf(all, k -> sameColumns(k, columns, table), columns, clause, table));
    }
    SqlIdentifier constraint = clause.constraint();
    if (constraint != null) {
      String name = constraint.getSimple();
      return List.of(keyOf(all, k -> k.name().equals(name), constraint, clause, table));
    }
    return switch (clause.action()) {
      case NOTHING, REPLACE -> all;
      case UPDATE -> onlyKey(all, clause, table);
      case VALUES -> List.of(primaryKey(all, clause, table));
    };
  }

  /** A DEFERRABLE key may be violated for a while, so that no row is in conflict with it. */
  private static void requireNoneDeferrable(ConflictClause clause, TableDef table) {
    SqlNodeList columns = clause.columns();
    SqlIdentifier constraint = clause.constraint();
    for (IndexDef index : table.deferrableKeys()) {
      KeyDef key = index.asKey();
      boolean meant =
          columns != null
              ? sameColumns(key, columns, table)
                  && uniqueKeys(table).stream().noneMatch(k -> sameColumns(k, columns, table))
              : constraint == null || constraint.getSimple().equals(key.name());
      if (meant) {
        throw new GpdbException(
            SqlCondition.OBJECT_NOT_READY,
            "ON CONFLICT, REPLACE and MERGE … KEY cannot go by key "
                + key.name()
                + " of table "
                + table.name()
                + ", which is DEFERRABLE"
                + TableNames.at(clause.position()));
      }
    }
  }

  private static KeyDef keyOf(
      List<KeyDef> all,
      Predicate<KeyDef> meant,
      SqlNode named,
      ConflictClause clause,
      TableDef table) {
    for (KeyDef key : all) {
      if (meant.test(key)) {
        return key;
      }
    }
    throw new GpdbException(
        SqlCondition.NO_SUCH_KEY,
        "table "
            + table.name()
            + " has no primary key or unique key "
            + (named instanceof SqlNodeList ? "of the columns " : "")
            + named
            + TableNames.at(clause.position()));
  }

  private static List<KeyDef> uniqueKeys(TableDef table) {
    List<KeyDef> all = new ArrayList<>(table.keys());
    table.indexes().stream()
        .filter(index -> index.unique())
        .forEach(index -> all.add(table.keyOf(index.indexId())));
    return all;
  }

  private static boolean sameColumns(KeyDef key, SqlNodeList columns, TableDef table) {
    int[] named =
        columns.stream()
            .mapToInt(column -> table.indexOf(((SqlIdentifier) column).getSimple()))
            .sorted()
            .distinct()
            .toArray();
    return Arrays.equals(IntStream.of(key.columns()).sorted().toArray(), named);
  }

  private static List<KeyDef> onlyKey(List<KeyDef> all, ConflictClause clause, TableDef table) {
    if (all.size() != 1) {
      throw new GpdbException(
          SqlCondition.NO_SUCH_KEY,
          "ON CONFLICT DO UPDATE must name one of the "
              + all.size()
              + " keys of table "
              + table.name()
              + TableNames.at(clause.position()));
    }
    return all;
  }

  private static KeyDef primaryKey(List<KeyDef> all, ConflictClause clause, TableDef table) {
    if (all.isEmpty() || !all.getFirst().primary()) {
      throw new GpdbException(
          SqlCondition.NO_SUCH_KEY,
          "MERGE without KEY of table "
              + table.name()
              + ", which has no primary key"
              + TableNames.at(clause.position()));
    }
    return all.getFirst();
  }

  /** The SET list over the fields of the table, its row id, and the fields of the new row. */
  private ConflictAction update(
      ConflictClause clause,
      TargetRows target,
      List<KeyDef> keys,
      Map<Integer, ParameterDef> parameters) {
    TableDef table = target.table();
    Assignments written = Assignments.of(clause.set(), table, scope.catalog());
    GeneratedUpdate generated = GeneratedUpdate.of(table, written.columns());
    Assignments set = written.ofOthersThanGenerated();
    generated.requireOnce(set);
    SqlParserPos at = SqlParserPos.ZERO;
    SqlNodeList items = new SqlNodeList(at);
    set.named(target).addTo(items, "$S", null);
    SqlNode where = clause.where();
    if (where != null) {
      items.add(
          SqlStdOperatorTable.AS.createCall(at, target.named(where), new SqlIdentifier("$W", at)));
    }
    SqlNode from = TargetRows.join(target.allRows(), JoinType.COMMA, target.stored(EXCLUDED), null);
    QueryConversion conversion = scope.conversion();
    QueryConversion.Converted query =
        conversion.query(scope.completed(QueryConversion.select(items, from, null)));
    parameters.putAll(query.numbered());
    Assignment.requireTypes(query.types(), 0, table, set.columns(), scope.catalog());
    List<RexNode> fields = fields(query.root().project(), clause);
    List<RexNode> values = new ArrayList<>();
    for (int i = 0; i < set.columns().length; i++) {
      values.add(
          Assignment.assigned(
              conversion.rexBuilder(), fields.get(i), table, table.column(set.columns()[i])));
    }
    return new ConflictAction.Update(
        keys.getFirst(),
        generated.columns(),
        withGenerated(conversion.rexBuilder(), table, set.columns(), values, generated),
        where == null ? null : fields.getLast());
  }

  /** The values with those of the generated columns, of which others may be as they were. */
  private static List<RexNode> withGenerated(
      RexBuilder builder,
      TableDef table,
      int[] columns,
      List<RexNode> values,
      GeneratedUpdate generated) {
    List<RexNode> all = new ArrayList<>(values);
    all.addAll(
        generated.computed(
            builder,
            column -> {
              for (int i = 0; i < columns.length; i++) {
                if (columns[i] == column) {
                  return values.get(i);
                }
              }
              return ConflictAction.existing(table, column);
            }));
    return all;
  }

  private static List<RexNode> fields(RelNode tree, ConflictClause clause) {
    List<RexNode> fields = RowPairs.outputs(tree);
    if (fields == null) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED,
          "a subquery in ON CONFLICT DO UPDATE is not supported"
              + TableNames.at(clause.position()));
    }
    return fields;
  }

  /** All given values besides the key's. */
  private static ConflictAction values(TableDef table, KeyDef key, int[] given) {
    int[] columns =
        IntStream.of(given)
            .filter(c -> IntStream.of(key.columns()).noneMatch(k -> k == c))
            .filter(c -> table.column(c).generatedSql() == null)
            .toArray();
    if (columns.length == 0) {
      return new ConflictAction.Nothing(List.of(key));
    }
    List<RexNode> values =
        IntStream.of(columns).mapToObj(c -> ConflictAction.excluded(table, c)).toList();
    GeneratedUpdate generated = GeneratedUpdate.of(table, columns);
    return new ConflictAction.Update(
        key,
        generated.columns(),
        withGenerated(new GpRexBuilder(), table, columns, values, generated),
        null);
  }
}
