package io.gpdb.sql.direct;

/**
 * Where the clauses of a SELECT begin; one that is not there begins where the next one does.
 *
 * @param begin the word SELECT
 * @param limit LIMIT or OFFSET
 * @param end behind its last word
 */
record DirectClauses(
    int begin, int from, int where, int group, int having, int order, int limit, int end) {

  static DirectClauses of(DirectText text, int begin, int end) {
    int limit = Math.min(first(text, begin, end, "LIMIT"), first(text, begin, end, "OFFSET"));
    int order = first(text, begin, limit, "ORDER");
    int having = first(text, begin, order, "HAVING");
    int group = first(text, begin, having, "GROUP");
    int where = first(text, begin, group, "WHERE");
    int from = first(text, begin, where, "FROM");
    return new DirectClauses(begin, from, where, group, having, order, limit, end);
  }

  /** Where the word is first, in no parentheses and before {@code end}; else the end. */
  private static int first(DirectText text, int begin, int end, String word) {
    int open = 0;
    for (int i = begin + 1; i < end; i++) {
      open += text.is(i, "(") ? 1 : text.is(i, ")") ? -1 : 0;
      if (open == 0 && text.is(i, word)) {
        return i;
      }
    }
    return end;
  }

  boolean areGrouped() {
    return group < order;
  }
}
