package io.gpdb.sql.direct;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.sql.dialect.GpOperatorTable;
import io.gpdb.sql.parser.generated.GpSqlParserConstants;
import io.gpdb.sql.text.SqlText;
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
  @Test
  void theGrammarTakesNamesForNames() {
    List<String> names = new ArrayList<>();
    for (String image : GpSqlParserConstants.tokenImage) {
      String word = image.replace("\"", "");
      if (word.matches("[A-Z][A-Z0-9_]*") && DirectNames.isName(word)) {
        names.add(word);
      }
    }
    assertThat(names).hasSizeGreaterThan(500).allMatch(DirectNamesTest::isNameOfTheGrammar);
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
          && plain(select).equals(sql.replace("COUNT(*) " + w, "COUNT(*) AS " + w));
    } catch (SqlParseException e) {
      return false;
    }
  }

  private static String plain(SqlNode node) {
    return node.toString().replace("`", "").replaceAll("\\s+", " ");
  }
}
