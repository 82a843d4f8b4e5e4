package io.gpdb.txn.change;

import io.gpdb.exec.PersistTarget;
import io.gpdb.storage.column.ChunkKind;
import io.gpdb.storage.tablet.Tablet;

/** Where the chunks that a change stores in become durable. */
public interface Homes {
  /** Of a working image in volatile memory. */
  Homes NOWHERE =
      new Homes() {
        @Override
        public void prepare(Tablet tablet, int column, boolean nullable) {}

        @Override
        public PersistTarget target(Tablet tablet, ChunkKind kind, int column) {
          return PersistTarget.VOLATILE;
        }
      };

  /** Before the column's chunks are bound; the validity too where it is nullable. */
  void prepare(Tablet tablet, int column, boolean nullable);

  /** What makes the chunk durable. */
  PersistTarget target(Tablet tablet, ChunkKind kind, int column);
}
