package io.gpdb.planner.mapping;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Bytes;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.tree.SubQueryFunction;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.GpdbException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.calcite.rel.RelNode;
import org.jspecify.annotations.Nullable;

/** The plans of the subqueries that an operator's expressions call. Immutable. */
final class SubQueryPlans {
  private final Map<SubQueryFunction, Source> plans = new LinkedHashMap<>();
  private final Map<SubQueryFunction, GroupedValues> grouped = new LinkedHashMap<>();

  SubQueryPlans(Function<RelNode, Source> mapper, List<SubQueryFunction> functions) {
    for (SubQueryFunction function : functions) {
      plans.put(function, mapper.apply(function.query()));
      GroupedValues all = GroupedValues.of(mapper, function);
      if (all != null) {
        grouped.put(function, all);
      }
    }
  }

  Run begin(Execution x) {
    return new Run(x);
  }

  void explain(Outline outline) {
    plans.forEach(
        (function, source) -> {
          outline.line("  " + function.getName() + " for each of its outer values:");
          ParameterValues enclosing = outline.execution().parameters();
          outline.below(source, OuterBindings.unknown(enclosing, function.parameters()));
          GroupedValues all = grouped.get(function);
          if (all != null) {
            all.explain(outline);
          }
        });
  }

  void kernels(List<Kernel> kernels) {
    plans.values().forEach(source -> source.kernels(kernels));
    grouped.values().forEach(all -> all.kernels(kernels));
  }

  /** The subqueries of one execution. */
  final class Run {
    private final Execution x;
    private final SubQueryMemo memo;

    Run(Execution x) {
      this.x = x;
      memo = OuterBindings.memo(x.parameters());
    }

    /** The value of a call as its bits, its bytes, or null; so are the arguments. */
    @Nullable Object value(SubQueryFunction function, @Nullable Object[] arguments) {
      int own = arguments.length;
      @Nullable Object[] outer = Arrays.copyOf(arguments, own + function.outer().size());
      for (int i = own; i < outer.length; i++) {
        outer[i] = OuterBindings.outerValue(x.parameters(), function.outer().get(i - own));
      }
      SubQueryMemo.Key key = SubQueryMemo.key(function, outer);
      SubQueryMemo.Answer known = memo.find(key);
      if (known == null) {
        known = new SubQueryMemo.Answer(List.<@Nullable Object[]>of(computed(function, arguments)));
        memo.add(key, known);
      }
      return known.rows().getFirst()[0];
    }

    private @Nullable Object[] computed(SubQueryFunction function, @Nullable Object[] arguments) {
      GroupedValues all = grouped.get(function);
      if (all == null || (function.answer() == SubQueryFunction.Kind.GRADE && hasNull(arguments))) {
        return single(function, arguments);
      }
      GroupedValues.Found found = memo.groups(function);
      if (!all.isRun(found, x.with(bindings(List.of())))) {
        return single(function, arguments);
      }
      @Nullable Object @Nullable [] value = all.find(found, arguments);
      return value == null ? ofNoRows(function, all, arguments) : value;
    }

    /** A row that a NULL is not equal to is unknown, where one without it has none. */
    private static boolean hasNull(@Nullable Object[] arguments) {
      return Arrays.asList(arguments).contains(null);
    }

    /** The value for arguments that no row has, found for the first such ones and kept for all. */
    private @Nullable Object[] ofNoRows(
        SubQueryFunction function, GroupedValues all, @Nullable Object[] arguments) {
      SubQueryMemo.Key key = SubQueryMemo.key(all, new Object[0]);
      SubQueryMemo.Answer known = memo.find(key);
      if (known == null) {
        known = new SubQueryMemo.Answer(List.<@Nullable Object[]>of(single(function, arguments)));
        memo.add(key, known);
      }
      return known.rows().getFirst();
    }

    private OuterBindings bindings(List<Integer> parameters, @Nullable Object... values) {
      return new OuterBindings(x.parameters(), parameters, values, memo);
    }

    private @Nullable Object[] single(SubQueryFunction function, @Nullable Object[] arguments) {
      Source source = plans.get(function);
      if (source == null) {
        throw new IllegalStateException("no plan for " + function.getName());
      }
      Execution inner = x.with(bindings(function.parameters(), arguments));
      Object value =
          switch (function.answer()) {
            case EXISTS -> source.hasRows(inner) ? 1L : 0L;
            case VALUE -> onlyValue(source, inner);
            case GRADE -> truth(onlyValue(source, inner));
          };
      return new @Nullable Object[] {value};
    }

    private static @Nullable Object truth(@Nullable Object grade) {
      if (!(grade instanceof Long known) || known == 0) {
        return 0L;
      }
      return known == 2 ? 1L : null;
    }

    private static @Nullable Object onlyValue(Source source, Execution inner) {
      SqlTypeSpec type = source.columns().getFirst().type();
      Object value = null;
      int rows = 0;
      try (Batches batches = source.open(inner)) {
        while (true) {
          try (Batch batch = batches.next()) {
            if (batch == null) {
              return value;
            }
            rows += batch.rows();
            if (rows > 1) {
              throw new GpdbException(
                  SqlCondition.CARDINALITY,
                  "a subquery that is one value returns more than one row");
            }
            value = batch.rows() == 1 ? Bytes.encoded(batch, 0, type, 0) : value;
          }
        }
      }
    }
  }
}
