package io.gpdb.exec.library.group;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.KernelTrap;
import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.exec.library.base.Scratch;
import io.gpdb.exec.library.group.accumulator.AccumulatorLayout;
import io.gpdb.exec.library.group.accumulator.Accumulators;
import io.gpdb.exec.library.group.accumulator.GroupSpace;
import io.gpdb.exec.library.group.accumulator.GroupText;
import io.gpdb.exec.library.group.accumulator.GroupText.Room;
import io.gpdb.exec.library.group.partition.PartitionedGroups;
import io.gpdb.exec.library.group.partition.StagedGroups;
import io.gpdb.exec.library.key.BoundRows;
import io.gpdb.exec.library.key.GroupTable;
import io.gpdb.exec.library.key.GroupTableKernels;
import io.gpdb.exec.library.key.WindowRows;
import io.gpdb.exec.library.lane.LaneKernels;
import io.gpdb.exec.library.lane.LaneKernels.ByName;
import io.gpdb.exec.library.lane.LaneKernels.Ready;
import io.gpdb.exec.library.lane.LaneScan;
import io.gpdb.exec.library.lane.LaneVariant;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.BufferAllocator;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * One execution of a {@link GridGroupBy}: groups and accumulators so far. One thread at a time.
 *
 * <p>Groups are numbered by their places in a {@link GroupSpace}, which grows with the keys, until
 * it would be too large: then by a {@link GroupTable}.
 */
public final class Grouping implements AutoCloseable {
  /** Rows of a block where a launch has many tablets. */
  private static final int BLOCK_ROWS = 32_768;

  /** In windows of this many tablets or more, the keys of a few say where those of all are. */
  private static final int GUESSED_TABLETS_MIN = 8;

  private static final int SAMPLED_TABLETS = 4;

  /** Fewer rows that pass say little about the others. */
  private static final int SAMPLED_ROWS_MIN = 1024;

  /** Rows are gathered first where fewer than one in so many passes. */
  private static final int GATHERED_SHARE = 4;

  /** Rows of a block where a launch has one tablet, which all workers share. */
  private static final int BLOCK_ROWS_OF_ONE = 8192;

  /** Places that a space may have whatever the number of rows. */
  private static final int PLACES_SMALL = GridGroupBy.DENSE_GROUPS_MAX;

  /** Beyond {@link #PLACES_SMALL}, for each row that passes the filter. */
  private static final int PLACES_PER_ROW = 2;

  private static final int PLACES_MAX = 1 << 26;

  /** Rows that a table takes at once: it has room for as many groups more. */
  private static final int HASHED_ROWS_MAX = 1 << 18;

  /**
   * Rows whose floats are added at once: the host's threads have them in their caches, a GPU needs
   * many to have a run of each group that is worth its launches.
   */
  private static final int FLOAT_ROWS_OF_HOST = 1 << 16;

  private static final int FLOAT_ROWS_OF_DEVICE = 1 << 24;

  /** Of a row in that: its group twice, its place, and those that the sort needs beside. */
  private static final int FLOAT_ROW_BYTES = 28;

  /** Accumulators may take one part in this many of the memory left. */
  private static final int SHARE_MEMORY_MAX = 4;

  private final GridGroupBy plan;
  private final GroupTable table;
  private final boolean settled;
  private @Nullable GroupSpace space;
  private Accumulators accumulators;
  private long rowsSoFar;
  private long passedSoFar;

  /** Whether so few rows of a sample pass that each is worth a place in memory of its own. */
  private boolean fewPass;

  Grouping(GridGroupBy plan, int[] limits) {
    this.plan = plan;
    table = new GroupTable(plan.tableKernels, plan.keyWords.count());
    accumulators = plan.accumulators();
    GroupSpace codes = GroupSpace.ofCodes(limits, GridGroupBy.DENSE_GROUPS_MAX);
    settled = codes != null;
    space = codes != null ? codes : plan.bounds == null ? null : GroupSpace.ofNulls(limits.length);
  }

  /** Adds the rows of tablets, in their order, after those that were added before. */
  public void add(List<BoundRows> tablets) {
    add(tablets.size(), tablets::get);
  }

  /**
   * As {@link #add(List)}.
   *
   * @param rowsOf called several times for each tablet; what it returns is used before the next
   *     call
   */
  public void add(int tablets, IntFunction<BoundRows> rowsOf) {
    WindowRows window = WindowRows.of(tablets, rowsOf, rowsSoFar);
    rowsSoFar = window.end();
    if (settled) {
      addAll(plan, window);
      return;
    }
    WindowRows left = guess(window) ? addFew(plan, window).tablets() : window;
    if (left.count() > 0) {
      if (left.anyMatches() || fewPass) {
        GridGroupBy.Gathered gathered = plan.gathered();
        gathered.rows().of(left, rows -> addWithRoom(gathered.groups(), rows));
      } else {
        addWithRoom(plan, left);
      }
    }
  }

  /**
   * Adds tablets of whose keys nothing is known.
   *
   * @param by reads them
   */
  private void addWithRoom(GridGroupBy by, WindowRows tablets) {
    if (space != null) {
      makeRoom(by, tablets);
    }
    addAll(by, tablets);
  }

  /** Adds tablets of which all rows have places, where there are places. */
  private void addAll(GridGroupBy by, WindowRows tablets) {
    GroupSpace places = space;
    if (places != null) {
      prepare(places);
    }
    if (places == null) {
      addByTable(by, tablets);
    } else if (plan.room(false, places.size()) == Room.APART) {
      FewGroups.Left left = addFew(by, tablets);
      if (left.tablets().count() > 0) {
        throw new GpdbException(
            ErrorCode.INTERNAL,
            "group code out of range: kernel=" + plan.name + ", row=" + left.firstRow());
      }
    } else if (!addStaged(by, places, tablets)) {
      addUnstaged(by, places, tablets);
    }
  }

  private boolean addStaged(GridGroupBy by, GroupSpace places, WindowRows tablets) {
    return by.addsOnHost && StagedGroups.add(by.staged, places, accumulators, tablets);
  }

  private void addUnstaged(GridGroupBy by, GroupSpace places, WindowRows tablets) {
    if (plan.layout.floatSums() == 0) {
      if (!PartitionedGroups.add(by.partitioned, places, accumulators, tablets)) {
        addPlaced(by, places, tablets);
      }
    } else {
      long most = floatRowsMax();
      for (WindowRows part : tablets.parts(most, rows -> Math.min(rows, most))) {
        addPlaced(by, places, part);
      }
    }
  }

  private long floatRowsMax() {
    int rowBytes = FLOAT_ROW_BYTES + plan.layout.floatSums() * Double.BYTES;
    long room = MemoryAccount.current().availableBytes() / SHARE_MEMORY_MAX / rowBytes;
    return Math.max(1, Math.min(room, plan.addsOnHost ? FLOAT_ROWS_OF_HOST : FLOAT_ROWS_OF_DEVICE));
  }

  private FewGroups.Left addFew(GridGroupBy by, WindowRows tablets) {
    GroupSpace places = Objects.requireNonNull(space);
    prepare(places);
    return new FewGroups(by, places, accumulators).add(tablets);
  }

  /** The first groups get their accumulators when the space is known. */
  private void prepare(GroupSpace places) {
    if (accumulators.capacity() == 0) {
      accumulators.grow(places.size());
    }
  }

  /**
   * Has the space hold the keys of some of many tablets, and whether it is small enough for blocks
   * to tell what is outside: then the keys of the others need not be looked at first.
   */
  private boolean guess(WindowRows tablets) {
    GroupSpace places = space;
    if (places == null || plan.layout.floatSums() > 0 || tablets.count() < GUESSED_TABLETS_MIN) {
      return false;
    }
    WindowRows sample = tablets.spread(SAMPLED_TABLETS);
    KeyBounds.Bounds found;
    try {
      found = bounds(plan, sample);
    } catch (KernelTrap e) {
      return false; // all tablets will tell the first row with an error
    }
    fewPass = plan.addsOnHost && found.rows() * GATHERED_SHARE < sample.rowCount();
    int most = plan.layout.blockPlaces() - 1;
    GroupSpace larger = places.with(found.least(), found.greatest(), most, true);
    if (larger == null || found.rows() < SAMPLED_ROWS_MIN) {
      return false;
    }
    passedSoFar += found.rows();
    if (!larger.equals(places)) {
      moveTo(larger);
    }
    return true;
  }

  private static KeyBounds.Bounds bounds(GridGroupBy by, WindowRows tablets) {
    return Objects.requireNonNull(by.bounds).of(tablets.count(), tablets::rows);
  }

  /** Has the space hold the keys of tablets, or has groups numbered by the table from now on. */
  private void makeRoom(GridGroupBy by, WindowRows tablets) {
    GroupSpace places = Objects.requireNonNull(space);
    KeyBounds.Bounds found;
    try {
      found = bounds(by, tablets);
    } catch (KernelTrap e) {
      numberByTable(); // which raises what the first row with an error says
      return;
    }
    boolean first = passedSoFar == 0;
    passedSoFar += found.rows();
    GroupSpace larger = places.with(found.least(), found.greatest(), placesMax(), !first);
    if (larger == null) {
      numberByTable();
    } else if (!larger.equals(places)) {
      moveTo(larger);
    }
  }

  private long placesMax() {
    long bytes = MemoryAccount.current().availableBytes() / SHARE_MEMORY_MAX;
    long most = Math.max(PLACES_SMALL, passedSoFar * PLACES_PER_ROW);
    return Math.min(Math.min(most, PLACES_MAX), bytes / Accumulators.bytes(plan.layout));
  }

  private void moveTo(GroupSpace larger) {
    GroupSpace places = Objects.requireNonNull(space);
    space = larger;
    if (accumulators.capacity() == 0) {
      return;
    }
    int[] from = used(places);
    int[] to = new int[from.length];
    for (int i = 0; i < from.length; i++) {
      to[i] = places.placeIn(larger, from[i]);
    }
    move(larger.size(), from, to);
  }

  /** The places of groups that have rows. */
  private int[] used(GroupSpace places) {
    prepare(places);
    int words = plan.layout.words().size();
    HostBuffer all = accumulators.words().onHost();
    int[] used = new int[places.size()];
    int count = 0;
    for (int g = 0; g < places.size(); g++) {
      long firstRow = all.longAt((long) g * words + AccumulatorLayout.FIRST_ROW);
      if (firstRow != AccumulatorLayout.NO_ROW) {
        used[count++] = g;
      }
    }
    return Arrays.copyOf(used, count);
  }

  private void move(int groups, int[] from, int[] to) {
    Accumulators larger = plan.accumulators();
    try (Accumulators before = accumulators) {
      accumulators = larger;
      larger.grow(groups);
      larger.add(before, from, to);
    }
  }

  /** Puts the groups so far into the table. */
  private void numberByTable() {
    GroupSpace places = Objects.requireNonNull(space);
    int[] from = used(places);
    space = null;
    try (Scratch local = new Scratch()) {
      int words = plan.keyWords.count();
      HostBuffer staged = local.pin((long) from.length * words * Long.BYTES);
      HostBuffer slotOf = local.pin((long) from.length * Integer.BYTES);
      for (int i = 0; i < from.length; i++) {
        long[] key = new long[words];
        for (int k = 0; k < plan.keys.size(); k++) {
          plan.keyWords.set(k, places.isNull(k, from[i]), places.key(k, from[i]), key);
        }
        staged.write((long) i * words, key, 0, words);
        slotOf.setInt(i, GroupTable.STAGED);
      }
      table.assign(staged, slotOf, from.length);
      HostBuffer slots = table.slots().onHost();
      int[] to = new int[from.length];
      for (int i = 0; i < from.length; i++) {
        to[i] = (int) (slots.longAt(slotOf.intAt(i)) & GroupTableKernels.NUMBER_MASK);
      }
      move(room(table.groups()), from, to);
    }
  }

  private static int room(int groups) {
    return Math.max(1024, Integer.highestOneBit(groups) << 1);
  }

  /** Adds rows whose groups the table numbers, some tablets at a time. */
  private void addByTable(GridGroupBy by, WindowRows tablets) {
    if (by.filter != null || tablets.anyDropped()) {
      GridGroupBy.Gathered gathered = by.gathered();
      gathered.rows().of(tablets, rows -> addByTable(gathered.groups(), rows));
      return;
    }
    for (WindowRows part :
        tablets.parts(HASHED_ROWS_MAX, rows -> Math.min(rows, HASHED_ROWS_MAX))) {
      addHashed(by, part, (int) part.rowCount());
    }
  }

  private void addHashed(GridGroupBy by, WindowRows tablets, int rows) {
    if (rows == 0) {
      return;
    }
    try (Scratch local = new Scratch()) {
      DeviceBuffer slotOf = local.ints(rows);
      DeviceBuffer staged = local.longs((long) rows * plan.keyWords.count());
      by.staging.run(tablets, staged, slotOf);
      table.assign(staged, slotOf, rows);
      if (table.groups() > accumulators.capacity()) {
        accumulators.grow(room(table.groups()));
      }
      Room room = plan.room(true, table.groups());
      Launches launches = new Launches(by, local, new GridGroupBy.Shape(true, room), rows);
      long first = 0;
      for (int i = 0; i < tablets.count(); i++) {
        BoundRows tablet = tablets.rows(i);
        if (tablet.rows() > 0) {
          DeviceBuffer own = slotOf.slice(first << 2, (long) tablet.rows() << 2);
          launches
              .add(tablet, tablets.base(i), accumulators.words(), table.groups())
              .buffer(GroupTableKernels.SLOT_OF, own)
              .buffer(GroupTableKernels.SLOTS, table.slots());
        }
        first += tablet.rows();
      }
      launches.launch();
    }
  }

  private void addPlaced(GridGroupBy by, GroupSpace places, WindowRows tablets) {
    try (Scratch local = new Scratch()) {
      Room room = plan.room(false, places.size());
      Launches launches =
          new Launches(by, local, new GridGroupBy.Shape(false, room), tablets.rowCount());
      for (int i = 0; i < tablets.count(); i++) {
        BoundRows tablet = tablets.rows(i);
        if (tablet.rows() > 0) {
          DeviceBuffer words = accumulators.words(0, places.size());
          places.bind(launches.add(tablet, tablets.base(i), words, places.size()));
        }
      }
      launches.launch();
    }
  }

  /** Launches that add rows to accumulators: one for each variant of the kernel. */
  private final class Launches {
    private final GridGroupBy by;
    private final GridGroupBy.Shape shape;
    private final Map<LaneVariant, List<LaunchGroup>> groups = new LinkedHashMap<>();
    private final int blockRows;
    private final List<DeviceBuffer> values = new ArrayList<>();
    private final DeviceBuffer groupOf;
    private final int floatRows;
    private int boundRows;

    /**
     * @param rows how many will be added
     */
    Launches(GridGroupBy by, Scratch local, GridGroupBy.Shape shape, long rows) {
      this.by = by;
      this.shape = shape;
      boolean alone = shape.hashed() || plan.layout.floatSums() > 0;
      blockRows = alone ? BLOCK_ROWS_OF_ONE : BLOCK_ROWS;
      floatRows = plan.layout.floatSums() > 0 ? (int) rows : 0;
      groupOf = local.ints(floatRows);
      for (int i = 0; i < plan.layout.floatSums(); i++) {
        values.add(local.longs(floatRows));
      }
    }

    /** The tablet's arguments, to which whoever numbers the groups adds its own. */
    Arguments add(BoundRows tablet, long base, DeviceBuffer words, int groupCount) {
      int rows = tablet.rows();
      LaneVariant variant = LaneVariant.of(tablet.bindings(), tablet.live() != null);
      Ready<ByName> ready = by.kernels(shape).get(variant);
      Arguments arguments =
          LaneScan.bind(ready, tablet.bindings(), rows, tablet.live())
              .scalar(GroupText.ROW_BASE, base)
              .scalar(GroupText.GROUPS, groupCount)
              .scalar(GroupText.BLOCK_ROWS, blockRows)
              .buffer(GroupText.ACCUMULATORS, words);
      if (plan.layout.floatSums() > 0) {
        bindFloats(arguments, tablet.rows());
      }
      int blocks = LaneKernels.blocks(rows, blockRows);
      groups
          .computeIfAbsent(variant, _ -> new ArrayList<>())
          .add(new LaunchGroup(blocks, arguments, rows));
      return arguments;
    }

    /** The groups and floats of all tablets lie behind each other, by which they are sorted. */
    private void bindFloats(Arguments arguments, int tabletRows) {
      arguments.buffer(
          GroupText.GROUP_OF,
          groupOf.slice((long) boundRows * Integer.BYTES, (long) tabletRows * Integer.BYTES));
      for (int i = 0; i < values.size(); i++) {
        DeviceBuffer own =
            values.get(i).slice((long) boundRows * Double.BYTES, (long) tabletRows * Double.BYTES);
        arguments.buffer(GroupText.floatValue(i), own);
      }
      boundRows += tabletRows;
    }

    void launch() {
      groups.forEach(
          (variant, parts) -> KernelLibrary.launch(by.kernels(shape).get(variant).kernel(), parts));
      if (!values.isEmpty()) {
        plan.floatSums.add(groupOf, floatRows, values, accumulators.totals());
      }
    }
  }

  /**
   * The groups of all rows added; NUMERIC_OUT_OF_RANGE when an integer sum does not fit i64.
   *
   * @param keyElements what each key is returned as
   */
  public Groups finish(List<ElementType> keyElements, BufferAllocator results) {
    try (Scratch local = new Scratch()) {
      GroupSpace places = space;
      if (places != null) {
        prepare(places);
      }
      int groups = places == null ? table.groups() : places.size();
      GroupColumns.Input input =
          new GroupColumns.Input(
              plan, places, table.keys(), accumulators.words(0, groups), groups, rowsSoFar);
      if (!plan.addsOnHost && GroupColumns.suit(input)) {
        Groups made = GroupColumns.of(input, keyElements, local, results);
        if (made != null) {
          return made;
        }
      }
      return new GroupResults(plan, places, table, accumulators, rowsSoFar)
          .collect(keyElements, local, results);
    }
  }

  @Override
  public void close() {
    table.close();
    accumulators.close();
  }
}
