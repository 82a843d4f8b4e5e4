package io.gpdb.sql.conversion;

import io.gpdb.sql.tree.WrittenRows;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.validation.GpValidator;
import io.gpdb.sql.validation.ParameterGuesses;
import io.gpdb.sql.validation.RecursiveConversion;
import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.sql2rel.SqlToRelConverter;
import org.jspecify.annotations.Nullable;

/**
 * Calcite's validator and converter for one statement. Plain statements need neither, and a process
 * that has no others does not load them.
 */
public final class CalciteConversion {
  private static final SqlToRelConverter.Config CONFIG =
      SqlToRelConverter.config()
          .withExpand(false)
          .withDecorrelationEnabled(false)
          .withTrimUnusedFields(false)
          .withInSubQueryThreshold(Integer.MAX_VALUE)
          .withRemoveSortInSubQuery(false)
          .addRelBuilderConfigTransform(WrittenRows::config);

  private final CalciteCatalogReader reader;
  private final GpValidator validator;
  private final RecursiveConversion converter;

  CalciteConversion(
      CalciteCatalogReader reader,
      @Nullable List<SqlTypeSpec> boundTypes,
      ParameterGuesses guesses,
      RelOptCluster cluster) {
    this.reader = reader;
    validator = new GpValidator(reader, boundTypes, guesses);
    converter = new RecursiveConversion(validator, reader, cluster, CONFIG);
  }

  CalciteCatalogReader reader() {
    return reader;
  }

  GpValidator validator() {
    return validator;
  }

  RecursiveConversion converter() {
    return converter;
  }
}
