package io.gpdb.sql.direct;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.sql.SqlFrontEnd;
import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.KeyDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.dialect.GpOperatorTable;
import io.gpdb.sql.parser.generated.GpSqlParserConstants;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.text.SqlText;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.parser.SqlParseException;
import org.junit.jupiter.api.Test;

/** Whatever word the grammar has, it is a name where {@link DirectNames} says so. */
class DirectNamesTest {
  /** A name that no word of the grammar is. */
  private static final String OTHER = "OTHER_NAME";

  /** Where expressions, aliases and tables have names. */
  private static final List<String> FORMS =
      List.of(
          "SELECT 1 %1$s, A + 2 %1$s, A.A %1$s, A IS NULL %1$s, %1$s.%1$s, +%1$s FROM A",
          "SELECT CASE A WHEN 1 THEN 2 END %1$s, 1 + %1$s AS %1$s, 2 * %1$s, -%1$s FROM A %1$s",
          "SELECT CASE %1$s WHEN %1$s THEN %1$s ELSE %1$s END FROM A AS %1$s WHERE %1$s = 1",
          "SELECT COALESCE(%1$s, %1$s), CAST(%1$s AS INTEGER), COUNT(DISTINCT %1$s) FROM A",
          "SELECT A FROM A AS %1$s, A %1$s CROSS JOIN A AS B ORDER BY %1$s LIMIT 1",
          "SELECT A FROM A %1$s WHERE A IN (%1$s, 1) AND NOT %1$s IS NULL AND %1$s * 2 < %1$s",
          "SELECT A FROM A GROUP BY %1$s HAVING %1$s > %1$s + 1 ORDER BY %1$s DESC, %1$s");

  private static boolean isReadAsAnyName(String form, String w) {
    try {
      String other = plain(new SqlText(String.format(form, OTHER)).statement());
      return plain(new SqlText(String.format(form, w)).statement()).equals(other.replace(OTHER, w));
    } catch (SqlParseException e) {
      return false;
    }
  }

  private static List<String> names() {
    List<String> names = new ArrayList<>();
    for (String image : GpSqlParserConstants.tokenImage) {
      String word = image.replace("\"", "");
      if (word.matches("[A-Z][A-Z0-9_]*") && DirectNames.isName(word)) {
        names.add(word);
      }
    }
    return names;
  }

  @Test
  void theGrammarTakesNamesForNames() {
    assertThat(names()).hasSizeGreaterThan(500).allMatch(DirectNamesTest::isNameOfTheGrammar);
  }

  @Test
  void changesAndDefinitionsOfAllNamesAreThoseOfTheGrammar() {
    assertThat(names()).allMatch(DirectNamesTest::isReadAsByTheGrammar);
  }

  private static boolean isReadAsByTheGrammar(String w) {
    ColumnDef column = new ColumnDef(w, SqlTypeSpec.INTEGER, false, null);
    KeyDef key = new KeyDef(w + "_PKEY", true, new int[] {0}, 0);
    TableDef table = new TableDef(-1, w, List.of(column), List.of(key));
    String create = String.format("CREATE TABLE %1$s (%1$s INTEGER, PRIMARY KEY (%1$s))", w);
    CatalogSnapshot with = new CatalogSnapshot(1, List.of(table.withTableId(7)));
    List<String> changes =
        List.of(
            "INSERT INTO %1$s (%1$s) VALUES (?)",
            "UPDATE %1$s SET %1$s = %1$s + ? WHERE %1$s = ?", "DELETE FROM %1$s WHERE %1$s = ?");
    try {
      return new SqlFrontEnd().analyze(create, CatalogSnapshot.EMPTY, null)
              instanceof Analyzed.CreateTable created
          && created.def().equals(table)
          && DirectAnalysis.of(create, CatalogSnapshot.EMPTY)
              instanceof DirectStatement.CreateTable direct
          && direct.table().equals(table)
          && changes.stream().allMatch(change -> isRead(String.format(change, w), with));
    } catch (GpdbException e) {
      return false;
    }
  }

  private static boolean isRead(String sql, CatalogSnapshot catalog) {
    DirectStatement direct = DirectAnalysis.of(sql, catalog);
    return direct != null
        && new SqlFrontEnd().analyze(sql, catalog, null).params().equals(direct.params());
  }

  @Test
  void functionsThatAreCalledByTheirNamesAloneAreNone() {
    List<String> functions =
        GpOperatorTable.INSTANCE.getOperatorList().stream()
            .filter(operator -> operator.getSyntax() == SqlSyntax.FUNCTION_ID)
            .map(SqlOperator::getName)
            .toList();
    assertThat(functions).isNotEmpty().noneMatch(DirectNames::isName);
  }

  private static boolean isNameOfTheGrammar(String w) {
    String sql =
        String.format(
            "SELECT %1$s, COUNT(%1$s) AS %1$s, COUNT(*) %1$s FROM %1$s WHERE %1$s < ? AND %1$s = ?",
            w);
    try {
      return new SqlText(sql).statement() instanceof SqlSelect select
          && select.getSelectList().getFirst() instanceof SqlIdentifier column
          && column.names.equals(List.of(w))
          && select.getFrom() instanceof SqlIdentifier table
          && table.names.equals(List.of(w))
          && plain(select).equals(sql.replace("COUNT(*) " + w, "COUNT(*) AS " + w))
          && FORMS.stream().allMatch(form -> isReadAsAnyName(form, w))
          && (DirectNames.isUnit(w) || isReadAsAnyName("SELECT (A) %1$s, (A + 1) %1$s FROM A", w));
    } catch (SqlParseException e) {
      return false;
    }
  }

  private static String plain(SqlNode node) {
    return node.toString().replace("`", "").replaceAll("\\s+", " ");
  }
}
