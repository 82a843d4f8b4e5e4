package io.gpdb.sql.define;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.SequenceDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.parser.ParsedStatement;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.syntax.SequenceCalls;
import io.gpdb.sql.syntax.TableNames;
import io.gpdb.sql.text.SqlText;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.parser.SqlParseException;
import org.jspecify.annotations.Nullable;

/** CREATE, ALTER and DROP SEQUENCE. */
public final class SequenceAnalysis {
  private final CatalogSnapshot catalog;

  public SequenceAnalysis(CatalogSnapshot catalog) {
    this.catalog = catalog;
  }

  public Analyzed create(ParsedStatement.CreateSequence create) {
    ObjectName name = TableNames.newName(create.name(), catalog);
    TableDefinition.checkedName(name.name(), create.name());
    return new Analyzed.CreateSequence(
        SequenceDefinition.of(name, create.options()), create.ifNotExists());
  }

  public Analyzed alter(ParsedStatement.AlterSequence alter) {
    SequenceDef old = found(alter.name(), alter.ifExists());
    return new Analyzed.AlterSequence(
        old == null ? null : SequenceDefinition.altered(old, alter.options()));
  }

  public Analyzed drop(ParsedStatement.DropSequence drop) {
    SequenceDef sequence = found(drop.name(), drop.ifExists());
    if (sequence != null) {
      requireUnused(sequence, drop.cascade());
    }
    return new Analyzed.DropSequence(sequence);
  }

  private @Nullable SequenceDef found(SqlIdentifier written, boolean ifExists) {
    ObjectName name = TableNames.named(written, catalog);
    return ifExists && catalog.sequence(name) == null
        ? null
        : SequenceCalls.sequence(name, written, catalog);
  }

  private void requireUnused(SequenceDef sequence, boolean cascade) {
    for (TableDef table : catalog.tables()) {
      for (ColumnDef column : table.columns()) {
        if (uses(column.defaultSql(), sequence)) {
          String use = "the DEFAULT of column " + column.name() + " of table " + table.name();
          throw cascade
              ? new GpdbException(ErrorCode.NOT_SUPPORTED, "DROP SEQUENCE … CASCADE with " + use)
              : new GpdbException(
                  SqlCondition.OBJECT_IN_USE, use + " uses sequence " + sequence.name());
        }
      }
    }
  }

  private static boolean uses(@Nullable String expression, SequenceDef sequence) {
    try {
      return expression != null
          && SequenceCalls.sequences(SqlText.expression(expression)).contains(sequence.name());
    } catch (SqlParseException e) {
      throw new GpdbException(ErrorCode.INTERNAL, "a stored expression: " + expression, e);
    }
  }
}
