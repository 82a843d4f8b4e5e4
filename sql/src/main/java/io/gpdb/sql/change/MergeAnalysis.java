package io.gpdb.sql.change;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.conversion.Assignment;
import io.gpdb.sql.conversion.NodeCopy;
import io.gpdb.sql.conversion.QueryConversion;
import io.gpdb.sql.definition.IdentityDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.parser.MergeClause;
import io.gpdb.sql.parser.ParsedStatement;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.statement.MergeBranch;
import io.gpdb.sql.statement.NumberedColumn;
import io.gpdb.sql.syntax.TableNames;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/**
 * MERGE as a query for a sink: the join of target and source, whose rows are a row id (NULL without
 * a target), the number of the branch that takes them (-1 for none), and the values of all
 * branches, each computed for the rows of its branch alone.
 */
public final class MergeAnalysis {
  private static final SqlParserPos NOWHERE = SqlParserPos.ZERO;
  private static final String MARKER = "$SOURCE";

  private final ChangeScope scope;

  public MergeAnalysis(ChangeScope scope) {
    this.scope = scope;
  }

  public Analyzed merge(ParsedStatement.Merge merge) {
    TargetRows target = TargetRows.named(merge.name(), merge.alias(), scope.catalog());
    UpdatableView view = target.view();
    return view == null
        ? merge(merge, merge.branches(), target)
        : view.checked(
            merge(merge, merge.branches().stream().map(view::ofTable).toList(), target),
            scope.conversions());
  }

  /**
   * @param clauses name columns of the table where values are stored, and of the target elsewhere
   */
  private Analyzed merge(
      ParsedStatement.Merge merge, List<MergeClause> clauses, TargetRows target) {
    TableDef table = target.table();
    List<SqlNode> conditions = new ArrayList<>();
    boolean bySource = has(merge, MergeClause.Rows.NOT_MATCHED_BY_SOURCE);
    for (MergeClause clause : clauses) {
      conditions.add(target.named(condition(clause, target, bySource)));
    }
    SqlNodeList items = new SqlNodeList(NOWHERE);
    items.add(target.rowId());
    items.add(SqlStdOperatorTable.AS.createCall(NOWHERE, chosen(conditions), name("$BRANCH")));
    List<Branch> values = new ArrayList<>();
    for (int b = 0; b < clauses.size(); b++) {
      Branch branch = branch(clauses.get(b), table);
      Assignments assigned = branch.assigned.named(target);
      assigned.addTo(items, "$B" + b + "_", guard(clauses, conditions, b));
      items.addAll(branch.generated.oldValues(target, "$B" + b + "_O"));
      values.add(branch);
    }
    SqlNode query = QueryConversion.select(items, from(merge, target, bySource), null);
    QueryConversion.Converted converted =
        scope.conversion().query(scope.completed(TargetRows.whole(merge.with(), query, null)));
    return new Analyzed.Merge(
        table,
        branches(clauses, values),
        assigned(converted, values, scope.catalog()),
        converted.parameters());
  }

  /** What a branch assigns, and what it computes of that. */
  private record Branch(Assignments assigned, GeneratedUpdate generated) {
    TableDef table() {
      return assigned.table();
    }
  }

  private Branch branch(MergeClause clause, TableDef table) {
    Assignments written = assignments(clause, table);
    Assignments assigned = written.ofOthersThanGenerated();
    GeneratedUpdate generated =
        clause.action() == MergeClause.Action.UPDATE
            ? GeneratedUpdate.of(table, written.columns())
            : GeneratedUpdate.none(table, assigned.columns());
    generated.requireOnce(assigned);
    return new Branch(assigned, generated);
  }

  private static boolean has(ParsedStatement.Merge merge, MergeClause.Rows rows) {
    return merge.branches().stream().anyMatch(branch -> branch.rows() == rows);
  }

  private static SqlIdentifier name(String name) {
    return new SqlIdentifier(name, NOWHERE);
  }

  private Assignments assignments(MergeClause clause, TableDef table) {
    if (clause.action() != MergeClause.Action.INSERT) {
      return Assignments.of(clause.set(), table, scope.catalog());
    }
    SqlNodeList names = clause.columns();
    boolean defaults = clause.values().isEmpty();
    int[] given =
        names != null
            ? TableNames.columns(table, names, scope.catalog())
            : defaults ? new int[0] : InsertAnalysis.allColumns(table);
    if (given.length != clause.values().size()) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT,
          "INSERT has "
              + given.length
              + " columns but "
              + clause.values().size()
              + " values"
              + TableNames.at(clause.position()));
    }
    List<SqlNode> values = new ArrayList<>();
    IntStream.Builder columns = IntStream.builder();
    for (int i = 0; i < given.length; i++) {
      SqlNode value = clause.values().get(i);
      if (value.getKind() != SqlKind.DEFAULT || table.column(given[i]).identity() == null) {
        columns.add(given[i]);
        values.add(value);
      }
    }
    for (int column : InsertAnalysis.defaulted(table, given)) {
      if (table.column(column).identity() == null) {
        columns.add(column);
        values.add(Assignments.defaultOf(table.column(column), scope.catalog().inSchemaOf(table)));
      }
    }
    return Assignments.of(columns.build().toArray(), values, table, scope.catalog());
  }

  /** On which rows of the join a branch is tried. */
  private static SqlNode condition(MergeClause clause, TargetRows target, boolean marked) {
    SqlNode rows =
        switch (clause.rows()) {
          case MATCHED -> {
            SqlNode exists = call(SqlStdOperatorTable.IS_NOT_NULL, target.rowId());
            yield marked
                ? and(exists, call(SqlStdOperatorTable.IS_NOT_NULL, name(MARKER)))
                : exists;
          }
          case NOT_MATCHED_BY_TARGET -> call(SqlStdOperatorTable.IS_NULL, target.rowId());
          case NOT_MATCHED_BY_SOURCE -> call(SqlStdOperatorTable.IS_NULL, name(MARKER));
        };
    SqlNode more = clause.condition();
    return more == null ? rows : and(rows, more);
  }

  private static SqlNode call(SqlOperator operator, SqlNode operand) {
    return operator.createCall(NOWHERE, operand);
  }

  private static SqlNode and(SqlNode one, SqlNode other) {
    return SqlStdOperatorTable.AND.createCall(NOWHERE, one, other);
  }

  /** The first branch whose condition holds. */
  private static SqlNode chosen(List<SqlNode> conditions) {
    SqlNodeList when = new SqlNodeList(NOWHERE);
    SqlNodeList then = new SqlNodeList(NOWHERE);
    for (int b = 0; b < conditions.size(); b++) {
      when.add(NodeCopy.of(conditions.get(b)));
      then.add(number(b));
    }
    return new SqlCase(NOWHERE, null, when, then, number(-1));
  }

  private static SqlNode number(int value) {
    return SqlLiteral.createExactNumeric(Integer.toString(value), NOWHERE);
  }

  /** On which rows the values of branch b are computed. */
  private static SqlNode guard(List<MergeClause> clauses, List<SqlNode> conditions, int b) {
    MergeClause.Rows rows = clauses.get(b).rows();
    boolean first = clauses.subList(0, b).stream().allMatch(other -> other.rows() != rows);
    return first
        ? conditions.get(b)
        : SqlStdOperatorTable.EQUALS.createCall(NOWHERE, chosen(conditions), number(b));
  }

  private static SqlNode from(ParsedStatement.Merge merge, TargetRows target, boolean bySource) {
    boolean byTarget = has(merge, MergeClause.Rows.NOT_MATCHED_BY_TARGET);
    if (bySource) {
      return TargetRows.join(
          target.from(),
          byTarget ? JoinType.FULL : JoinType.LEFT,
          marked(merge.source()),
          target.named(merge.condition()));
    }
    return TargetRows.join(
        merge.source(),
        byTarget ? JoinType.LEFT : JoinType.INNER,
        target.from(),
        target.named(merge.condition()));
  }

  /** The source with a column that is TRUE, and so NULL where the join has no row of the source. */
  private static SqlNode marked(SqlNode source) {
    SqlNode marker =
        SqlStdOperatorTable.AS.createCall(
            NOWHERE, SqlLiteral.createBoolean(true, NOWHERE), name(MARKER));
    SqlNode rows =
        QueryConversion.select(SqlNodeList.of(SqlIdentifier.star(NOWHERE), marker), source, null);
    SqlIdentifier alias = aliasOf(source);
    return alias == null ? rows : SqlStdOperatorTable.AS.createCall(NOWHERE, rows, alias);
  }

  private static @Nullable SqlIdentifier aliasOf(SqlNode source) {
    if (source instanceof SqlIdentifier id) {
      return name(id.names.getLast());
    }
    return source.getKind() == SqlKind.AS
        ? name(((SqlIdentifier) ((SqlCall) source).operand(1)).getSimple())
        : null;
  }

  private List<MergeBranch> branches(List<MergeClause> clauses, List<Branch> values) {
    List<MergeBranch> branches = new ArrayList<>();
    int field = 2;
    for (int b = 0; b < clauses.size(); b++) {
      MergeBranch.Kind kind =
          switch (clauses.get(b).action()) {
            case UPDATE -> MergeBranch.Kind.UPDATE;
            case DELETE -> MergeBranch.Kind.DELETE;
            case INSERT -> MergeBranch.Kind.INSERT;
            case NOTHING -> MergeBranch.Kind.NOTHING;
          };
      List<NumberedColumn> numbered =
          kind == MergeBranch.Kind.INSERT ? numbered(values.get(b).assigned) : List.of();
      int[] columns = values.get(b).generated.columns();
      branches.add(new MergeBranch(kind, columns, numbered, field));
      field += columns.length;
    }
    return branches;
  }

  /** Identity columns without a value. */
  private List<NumberedColumn> numbered(Assignments values) {
    List<NumberedColumn> numbered = new ArrayList<>();
    for (int column = 0; column < values.table().columns().size(); column++) {
      int c = column;
      IdentityDef identity = values.table().column(column).identity();
      if (identity != null && IntStream.of(values.columns()).noneMatch(given -> given == c)) {
        numbered.add(new NumberedColumn(column, scope.catalog().sequence(identity)));
      }
    }
    return numbered;
  }

  /** The values as their columns take them, and the generated columns of each branch. */
  private static RelRoot assigned(
      QueryConversion.Converted query, List<Branch> branches, CatalogSnapshot catalog) {
    RelNode input = query.root().project();
    RexBuilder builder = input.getCluster().getRexBuilder();
    List<RexNode> fields = new ArrayList<>();
    fields.add(builder.makeInputRef(input, 0));
    fields.add(builder.makeInputRef(input, 1));
    int field = 2;
    for (int b = 0; b < branches.size(); b++) {
      Branch branch = branches.get(b);
      int[] columns = branch.assigned.columns();
      Assignment.requireTypes(query.types(), field, branch.table(), columns, catalog);
      for (int i = 0; i < columns.length; i++) {
        RexNode value = builder.makeInputRef(input, field + i);
        fields.add(
            Assignment.assigned(builder, value, branch.table(), branch.table().column(columns[i])));
      }
      RexNode taken =
          builder.makeCall(
              SqlStdOperatorTable.EQUALS,
              builder.makeInputRef(input, 1),
              builder.makeExactLiteral(BigDecimal.valueOf(b)));
      for (RexNode value : branch.generated.computed(input, field)) {
        RexNode none = builder.makeNullLiteral(value.getType());
        fields.add(builder.makeCall(SqlStdOperatorTable.CASE, taken, value, none));
      }
      field += branch.generated.fields().length;
    }
    RelNode tree =
        LogicalProject.create(
            input, List.of(), fields, (@Nullable List<@Nullable String>) null, Set.of());
    return RelRoot.of(tree, SqlKind.SELECT);
  }
}
