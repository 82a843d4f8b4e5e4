package io.gpdb.planner.bridge;

import io.gpdb.sql.type.GpTypes;
import io.gpdb.sql.type.TemporalText;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.linq4j.QueryProvider;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.schema.ScannableTable;
import org.apache.calcite.schema.SchemaPlus;
import org.jspecify.annotations.Nullable;

/**
 * What generated code asks for while it runs: parameters, the time, leaves, tables of recursion.
 */
final class BridgeContext implements DataContext {
  /** Parameter indexes from here on are the statement's time in its several types. */
  static final int TIMESTAMP_PARAMETER = 1_000_000;

  static final int TIME_PARAMETER = TIMESTAMP_PARAMETER + 1;
  static final int DATE_PARAMETER = TIMESTAMP_PARAMETER + 2;

  private final List<RelNode> leaves;
  private final LeafSource source;
  private final SubQueryValues.Run subQueries;
  private final @Nullable Object[] parameters;
  private final long nowMicros;
  private final Map<String, Object> stashed;
  private final Map<String, ScannableTable> recursions = new HashMap<>();
  private final SchemaPlus recursion = CalciteSchema.createRootSchema(false, false).plus();

  BridgeContext(
      List<RelNode> leaves,
      LeafSource source,
      SubQueryValues.Run subQueries,
      @Nullable Object[] parameters,
      long nowMicros,
      Map<String, Object> stashed) {
    this.leaves = leaves;
    this.source = source;
    this.subQueries = subQueries;
    this.parameters = parameters;
    this.nowMicros = nowMicros;
    this.stashed = stashed;
  }

  @Override
  public SchemaPlus getRootSchema() {
    return recursion;
  }

  @Override
  @SuppressWarnings("NullAway") // generated code asks for neither
  public JavaTypeFactory getTypeFactory() {
    return null;
  }

  @Override
  @SuppressWarnings("NullAway")
  public QueryProvider getQueryProvider() {
    return null;
  }

  @Override
  public @Nullable Object get(String name) {
    if (name.startsWith("?")) {
      return parameter(Integer.parseInt(name.substring(1)));
    }
    if (name.startsWith(BridgeLeaf.RECURSION)) {
      return found(name.substring(BridgeLeaf.RECURSION.length()));
    }
    for (int i = 0; i < leaves.size(); i++) {
      if (name.equals(BridgeLeaf.plannerKey(i))) {
        return leaf(leaves.get(i));
      }
    }
    return switch (name) {
      case SubQueryCalls.KEY -> subQueries;
      case "user" -> "";
      case "locale" -> Locale.ENGLISH;
      default -> stashed.get(name);
    };
  }

  /**
   * Looks the table up when its rows are asked for: the recursion registers it before that. A join
   * may run the recursion again after it has ended and taken its table away, so it is kept.
   */
  private Enumerable<?> found(String name) {
    return new AbstractEnumerable<>() {
      @Override
      public Enumerator<Object> enumerator() {
        ScannableTable registered = (ScannableTable) recursion.tables().get(name);
        if (registered != null) {
          recursions.put(name, registered);
        }
        ScannableTable table = recursions.get(name);
        if (table == null) {
          throw new IllegalStateException("recursive query " + name + " has not begun");
        }
        Enumerable<@Nullable Object[]> rows = table.scan(BridgeContext.this);
        boolean single = table.getRowType(GpTypes.FACTORY).getFieldCount() == 1;
        return single
            ? rows.<Object>select(BridgeContext::first).enumerator()
            : rows.<Object>select(row -> row).enumerator();
      }
    };
  }

  @SuppressWarnings("NullAway") // Calcite's enumerables do carry nulls
  private static Object first(@Nullable Object[] row) {
    return row[0];
  }

  private @Nullable Object parameter(int index) {
    return switch (index) {
      case TIMESTAMP_PARAMETER -> nowMicros;
      case TIME_PARAMETER -> Math.floorMod(nowMicros, TemporalText.MICROS_PER_DAY);
      case DATE_PARAMETER -> (int) Math.floorDiv(nowMicros, TemporalText.MICROS_PER_DAY);
      default -> parameters[index];
    };
  }

  /** A row of one field is the field itself in Calcite's convention. */
  private Enumerable<?> leaf(RelNode leaf) {
    Enumerable<@Nullable Object[]> rows = source.rows(leaf);
    return leaf.getRowType().getFieldCount() == 1 ? rows.select(row -> row[0]) : rows;
  }
}
