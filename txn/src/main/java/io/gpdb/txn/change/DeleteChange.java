package io.gpdb.txn.change;

import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.version.TableVersions;
import io.gpdb.txn.version.UndoVersion;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows that cease to be live. */
public final class DeleteChange implements TableChange {
  private final TableVersions table;
  private final List<Part> parts;

  /** Those of one tablet. */
  public static final class Part implements TableChange.Part {
    private final Tablet tablet;
    private final HostBuffer rows;
    private final int n;
    private final boolean ascends;
    private boolean dead;

    private Part(Tablet tablet, HostBuffer rows, int n, boolean ascends) {
      this.tablet = tablet;
      this.rows = rows;
      this.n = n;
      this.ascends = ascends;
    }

    @Override
    public Tablet tablet() {
      return tablet;
    }

    /** i32[n], distinct. */
    public HostBuffer rows() {
      return rows;
    }

    @Override
    public int n() {
      return n;
    }

    /** Whether a scan has left the rows, in their order. */
    public boolean ascends() {
      return ascends;
    }

    /** From here on some of the rows may be dead. */
    void begin() {
      dead = true;
      tablet.liveCountAdd(-n);
    }
  }

  public DeleteChange(TableVersions table) {
    this(table, new ArrayList<>());
  }

  private DeleteChange(TableVersions table, List<Part> parts) {
    this.table = table;
    this.parts = parts;
  }

  /** The rows (i32[n], distinct) of one tablet; they stay where they are. */
  public void add(Tablet tablet, HostBuffer rows, int n, boolean ascends) {
    parts.add(new Part(tablet, rows, n, ascends));
  }

  @Override
  public TableVersions table() {
    return table;
  }

  @Override
  public List<Part> parts() {
    return parts;
  }

  @Override
  public DeleteChange only(List<? extends TableChange.Part> some) {
    return new DeleteChange(table, some.stream().map(Part.class::cast).toList());
  }

  @Override
  public @Nullable UndoVersion undo(TransactionWrites writes, TableChange.Part of) {
    Part part = (Part) of;
    return part.dead
        ? UndoVersion.delete(writes.stamp(), table, part.tablet.number(), part.rows, part.n)
        : null;
  }
}
