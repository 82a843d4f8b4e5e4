package io.gpdb.sql.change;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.conversion.QueryConversion;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.definition.ViewDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.parser.CopyOption;
import io.gpdb.sql.parser.ParsedStatement;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.statement.CopyFormat;
import io.gpdb.sql.syntax.NodeSearch;
import io.gpdb.sql.syntax.TableNames;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** COPY: which columns a file has, and how it is written. */
public final class CopyAnalysis {
  private final CatalogSnapshot catalog;
  private final Supplier<QueryConversion> conversions;

  public CopyAnalysis(CatalogSnapshot catalog, Supplier<QueryConversion> conversions) {
    this.catalog = catalog;
    this.conversions = conversions;
  }

  /**
   * @param queries analyses a query
   */
  public Analyzed copy(ParsedStatement.Copy copy, Function<SqlNode, Analyzed.Query> queries) {
    CopyFormat format = format(copy.settings());
    SqlIdentifier name = copy.table();
    if (copy.from()) {
      if (name == null) {
        throw new GpdbException(SqlCondition.SYNTAX, "COPY … FROM needs a table, not a query");
      }
      return from(copy, name, format);
    }
    SqlNode query = copy.query();
    if (query == null) {
      SqlNodeList names = copy.columns();
      query = QueryConversion.select(names == null ? copied(name) : names, name, null);
    }
    NodeSearch.checkSupported(query);
    return new Analyzed.CopyTo(queries.apply(query), copy.file(), format);
  }

  private Analyzed from(ParsedStatement.Copy copy, SqlIdentifier name, CopyFormat format) {
    UpdatableView view = UpdatableView.named(name, catalog);
    TableDef table = view == null ? TableNames.table(name, catalog) : view.table();
    SqlNodeList names = copy.columns();
    int[] columns = names == null ? notGenerated(table, view) : named(table, view, names);
    AssignedColumns.requireNoneGenerated(table, columns);
    return new Analyzed.CopyFrom(
        table,
        columns,
        IntStream.of(columns)
            .mapToObj(c -> view == null ? table.column(c).name() : view.nameOf(c))
            .toList(),
        copy.file(),
        format,
        new InsertAnalysis(catalog, conversions).numbered(table),
        view == null ? List.of() : view.checks(conversions));
  }

  private int[] named(TableDef table, @Nullable UpdatableView view, SqlNodeList names) {
    return TableNames.columns(table, view == null ? names : view.columns(names), catalog);
  }

  /** What COPY reads of a file: generated columns are computed. */
  private static int[] notGenerated(TableDef table, @Nullable UpdatableView view) {
    return IntStream.of(view == null ? InsertAnalysis.allColumns(table) : view.tableColumns())
        .filter(column -> table.column(column).generatedSql() == null)
        .toArray();
  }

  /** The columns that COPY writes of a table, which are those that it would read. */
  private SqlNodeList copied(@Nullable SqlIdentifier name) {
    if (name == null) {
      return SqlNodeList.SINGLETON_STAR;
    }
    ViewDef found = catalog.view(TableNames.named(name, catalog));
    boolean changes = found != null && catalog.isUpdatable(found);
    UpdatableView view = changes ? UpdatableView.named(name, catalog) : null;
    TableDef table = view == null ? catalog.table(TableNames.named(name, catalog)) : view.table();
    if (table == null) {
      return SqlNodeList.SINGLETON_STAR;
    }
    SqlNodeList columns = new SqlNodeList(SqlParserPos.ZERO);
    for (int column : notGenerated(table, view)) {
      String own = view == null ? table.column(column).name() : view.nameOf(column);
      columns.add(new SqlIdentifier(own, SqlParserPos.ZERO));
    }
    return columns.isEmpty() ? SqlNodeList.SINGLETON_STAR : columns; // all of them are computed
  }

  private static CopyFormat format(List<CopyOption> options) {
    CopyFormat format = CopyFormat.CSV;
    List<String> seen = new ArrayList<>();
    for (CopyOption option : options) {
      String name = option.name().toUpperCase(Locale.ROOT);
      String value = option.value();
      if (seen.contains(name)) {
        throw optionError(option, "is given twice");
      }
      seen.add(name);
      format =
          switch (name) {
            case "FORMAT" -> {
              if (!"CSV".equalsIgnoreCase(value)) {
                throw new GpdbException(
                    ErrorCode.NOT_SUPPORTED, "COPY format " + value + "; only CSV is supported");
              }
              yield format;
            }
            case "HEADER" -> format.withHeader(isTrue(option));
            case "DELIMITER" -> format.withDelimiter(character(option));
            case "QUOTE" -> format.withQuote(character(option));
            case "NULL" -> format.withNullText(value == null ? "" : value);
            case "EXACT" -> format.withExact(isTrue(option));
            default -> throw optionError(option, "is unknown");
          };
    }
    return format;
  }

  private static boolean isTrue(CopyOption option) {
    String value = option.value();
    if (value == null || value.equalsIgnoreCase("TRUE") || value.equalsIgnoreCase("ON")) {
      return true;
    }
    if (value.equalsIgnoreCase("FALSE") || value.equalsIgnoreCase("OFF")) {
      return false;
    }
    throw optionError(option, "must be TRUE or FALSE, not " + value);
  }

  private static char character(CopyOption option) {
    String value = option.value();
    if ("\\t".equals(value)) {
      return '\t';
    }
    if (value == null || value.length() != 1 || value.charAt(0) > 127) {
      throw optionError(option, "must be one ASCII character");
    }
    return value.charAt(0);
  }

  private static GpdbException optionError(CopyOption option, String what) {
    return new GpdbException(
        SqlCondition.INVALID_STATEMENT,
        "COPY option " + option.name() + " " + what + TableNames.at(option.position()));
  }
}
