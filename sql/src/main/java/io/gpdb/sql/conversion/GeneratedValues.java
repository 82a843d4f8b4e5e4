package io.gpdb.sql.conversion;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.GeneratedColumn;
import io.gpdb.sql.syntax.NodeSearch;
import io.gpdb.sql.text.ErrorTranslation;
import io.gpdb.sql.text.SqlText;
import io.gpdb.sql.type.GpTypes;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.TemporalText;
import io.gpdb.sql.validation.ParameterGuesses;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntFunction;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * The expressions of a table's generated columns over its row: of other columns that are not
 * generated, of nothing else, and the same whenever they are computed.
 */
public final class GeneratedValues {
  private GeneratedValues() {}

  /** The generated columns with their values, which their columns take. */
  public static List<GeneratedColumn> of(TableDef table) {
    List<GeneratedColumn> generated = new ArrayList<>();
    for (int i = 0; i < table.columns().size(); i++) {
      if (table.column(i).generatedSql() != null) {
        generated.add(new GeneratedColumn(i, value(table, i)));
      }
    }
    return generated;
  }

  private static RexNode value(TableDef table, int index) {
    ColumnDef column = table.column(index);
    String text = String.valueOf(column.generatedSql());
    try {
      SqlNode parsed = SqlText.expression(text);
      NodeSearch.checkSupported(parsed);
      if (NodeSearch.hasQuery(parsed) || NodeSearch.hasParameter(parsed)) {
        throw refused("a query or a parameter");
      }
      CatalogSnapshot alone = CatalogSnapshot.of(table.withKeys(List.of()));
      QueryConversion conversion =
          new QueryConversion(alone, null, List.of(), new ParameterGuesses(SqlTypeSpec.VARCHAR));
      SqlNode query =
          QueryConversion.select(
              SqlNodeList.of(parsed),
              new SqlIdentifier(List.of(table.schema(), table.name()), SqlParserPos.ZERO),
              null);
      RexNode value = overRow(conversion.query(query).root().project());
      requireOfOthers(value, table);
      return Assignment.assigned(conversion.rexBuilder(), value, table, column);
    } catch (SqlParseException | RuntimeException e) {
      GpdbException cause =
          new ErrorTranslation(new SqlText(text), CatalogSnapshot.EMPTY).translate(e);
      throw new GpdbException(
          cause.code(), "generated column " + column.name() + ": " + cause.getMessage(), cause);
    }
  }

  private static RexNode overRow(RelNode tree) {
    if (tree instanceof Project project
        && project.getInput() instanceof TableScan
        && !project.containsOver()) {
      return project.getProjects().getFirst();
    }
    if (tree instanceof TableScan scan && scan.getRowType().getFieldCount() == 1) {
      return RexInputRef.of(0, scan.getRowType());
    }
    throw refused("an aggregate or a window");
  }

  private static void requireOfOthers(RexNode value, TableDef table) {
    if (!RexUtil.isDeterministic(value) || SameEachTime.isNot(value)) {
      throw refused("what is not the same each time");
    }
    for (int used : RelOptUtil.InputFinder.bits(value)) {
      if (table.column(used).generatedSql() != null) {
        throw new GpdbException(
            SqlCondition.INVALID_STATEMENT,
            "it uses column " + table.column(used).name() + ", which is generated too");
      }
    }
  }

  private static GpdbException refused(String what) {
    return new GpdbException(ErrorCode.NOT_SUPPORTED, what + " in the expression");
  }

  /** The columns that the values use. */
  public static BitSet used(List<GeneratedColumn> generated) {
    BitSet used = new BitSet();
    generated.forEach(each -> used.or(RelOptUtil.InputFinder.bits(each.value()).toBitSet()));
    return used;
  }

  /** Those of the generated columns that are set, or change with one of the columns that are. */
  public static List<GeneratedColumn> changing(TableDef table, int[] set) {
    return of(table).stream()
        .filter(
            each -> {
              BitSet needed = used(List.of(each));
              return Arrays.stream(set).anyMatch(c -> c == each.column() || needed.get(c));
            })
        .toList();
  }

  /**
   * The value of a generated column of other values of the columns that it uses.
   *
   * @param values by column, its new value, before it is assigned
   */
  public static RexNode over(
      RexBuilder builder, GeneratedColumn generated, TableDef table, IntFunction<RexNode> values) {
    RexNode value =
        generated
            .value()
            .accept(
                new RexShuttle() {
                  @Override
                  public RexNode visitInputRef(RexInputRef column) {
                    RexNode field = values.apply(column.getIndex());
                    return stored(builder, field, table.column(column.getIndex()), column);
                  }
                });
    return Assignment.assigned(builder, value, table, table.column(generated.column()));
  }

  /** What the column stores of a value: a cast rounds, cuts and pads as the assignment does. */
  private static RexNode stored(
      RexBuilder builder, RexNode value, ColumnDef column, RexInputRef reference) {
    SqlTypeSpec from =
        value.getType().getSqlTypeName() == org.apache.calcite.sql.type.SqlTypeName.NULL
            ? SqlTypeSpec.BOOLEAN
            : GpTypes.spec(value.getType());
    if (from.equals(column.type())
        && value.getType().isNullable() == reference.getType().isNullable()) {
      return value;
    }
    RelDataType type = GpTypes.relType(column.type(), true);
    RexNode cast = TemporalText.folded(builder, builder.makeAbstractCast(type, value, false));
    // A column that is NOT NULL takes no NULL; the expression was made for one that has none.
    return reference.getType().isNullable() ? cast : builder.makeNotNull(cast);
  }
}
