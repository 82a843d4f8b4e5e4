package io.gpdb.planner.run.join;

/** Each row of a batch with each row of a block: whole rows of the block, where these are few. */
final class AllRowPairs implements RowPairs {
  private final int rows;
  private final int heldRows;
  private final int pairsMax;
  private int row;
  private int heldRow;
  private int[] streamed = {};
  private int[] held = {};

  AllRowPairs(int rows, int heldRows, int pairsMax) {
    this.rows = rows;
    this.heldRows = heldRows;
    this.pairsMax = pairsMax;
  }

  @Override
  public boolean advance() {
    if (row == rows || heldRows == 0) {
      return false;
    }
    int ofHeld = Math.min(heldRows - heldRow, pairsMax);
    int ofStreamed = Math.min(Math.max(1, pairsMax / heldRows), rows - row);
    streamed = new int[ofStreamed * ofHeld];
    held = new int[ofStreamed * ofHeld];
    for (int i = 0, pair = 0; i < ofStreamed; i++) {
      for (int j = 0; j < ofHeld; j++, pair++) {
        streamed[pair] = row + i;
        held[pair] = heldRow + j;
      }
    }
    heldRow += ofHeld;
    if (heldRow == heldRows) {
      heldRow = 0;
      row += ofStreamed;
    }
    return true;
  }

  @Override
  public int count() {
    return streamed.length;
  }

  @Override
  public int[] streamed() {
    return streamed;
  }

  @Override
  public int[] held() {
    return held;
  }
}
