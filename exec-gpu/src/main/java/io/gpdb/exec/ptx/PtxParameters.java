package io.gpdb.exec.ptx;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Type;

/**
 * How an entry comes by what a launch binds. An entry for one group has parameters of 8 bytes each:
 * address and length in elements of each buffer, the raw bits of each scalar, the address of the
 * trap word. An entry for several groups has three: the address of the groups' records, the address
 * of a group number (u32) for each block of the launch, the address of the trap word. The record of
 * a group, 8 bytes a field:
 *
 * <pre>
 *   0            8        16         24                      16 + 16 * buffers
 *   | first block | blocks | address 0 | length 0 | address 1 … | scalar 0 | scalar 1 … |
 * </pre>
 */
final class PtxParameters {
  static final String BLOCK = "%blockId";
  static final String GRID = "%gridSize";
  private static final String GROUP = "%group";
  private static final int FIELD_BYTES = 8;
  private static final int BUFFERS_AT = 2 * FIELD_BYTES;

  private final Kernel kernel;
  private final PtxText out;
  private final boolean grouped;

  PtxParameters(Kernel kernel, PtxText out, boolean grouped) {
    this.kernel = kernel;
    this.out = out;
    this.grouped = grouped;
  }

  /** Bytes of a group's record. */
  static int recordBytes(Kernel kernel) {
    return scalarAt(kernel, kernel.scalars().size());
  }

  private static int scalarAt(Kernel kernel, int scalar) {
    return BUFFERS_AT + 2 * FIELD_BYTES * kernel.buffers().size() + FIELD_BYTES * scalar;
  }

  String list() {
    StringBuilder text = new StringBuilder();
    if (grouped) {
      text.append("  .param .u64 groups,\n  .param .u64 block_groups,\n");
    } else {
      for (int i = 0; i < kernel.buffers().size(); i++) {
        text.append("  .param .u64 buffer" + i + ",\n  .param .u64 length" + i + ",\n");
      }
      for (int i = 0; i < kernel.scalars().size(); i++) {
        text.append("  .param .u64 scalar" + i + ",\n");
      }
    }
    return text.append("  .param .u64 " + PtxTraps.PARAMETER + "\n").toString();
  }

  String declarations() {
    StringBuilder text = new StringBuilder("  .reg .b32 " + BLOCK + ", " + GRID + ";\n");
    if (grouped) {
      text.append("  .reg .b64 " + GROUP + ";\n");
    }
    for (int i = 0; i < kernel.buffers().size(); i++) {
      text.append("  .reg .b64 " + PtxMemory.address(i) + ", " + PtxMemory.length(i) + ";");
      text.append("  // ").append(kernel.buffers().get(i).name()).append('\n');
    }
    return text.toString();
  }

  /** The block's number and the grid's size, in the group. */
  void beginGrid() {
    out.emit("mov.u32 #, %ctaid.x", BLOCK);
    if (!grouped) {
      out.emit("mov.u32 #, %nctaid.x", GRID);
      return;
    }
    String at = out.temporary(Type.I64);
    String number = out.temporary(Type.I32);
    String first = out.temporary(Type.I64);
    String narrow = out.temporary(Type.I32);
    out.emit("ld.param.b64 #, [block_groups]", at);
    out.emit("cvta.to.global.u64 #, #", at, at);
    out.emit("mad.wide.u32 #, #, 4, #", at, BLOCK, at);
    out.emit("ld.global.u32 #, [#]", number, at);
    out.emit("ld.param.b64 #, [groups]", GROUP);
    out.emit("cvta.to.global.u64 #, #", GROUP, GROUP);
    out.emit("mad.wide.u32 #, #, #, #", GROUP, number, recordBytes(kernel), GROUP);
    out.emit("ld.global.b64 #, [#]", first, GROUP);
    out.emit("cvt.u32.u64 #, #", narrow, first);
    out.emit("sub.u32 #, #, #", BLOCK, BLOCK, narrow);
    out.emit("ld.global.b64 #, [#+#]", first, GROUP, FIELD_BYTES);
    out.emit("cvt.u32.u64 #, #", GRID, first);
  }

  void beginBuffers() {
    for (int i = 0; i < kernel.buffers().size(); i++) {
      String address = PtxMemory.address(i);
      if (grouped) {
        int at = BUFFERS_AT + 2 * FIELD_BYTES * i;
        out.emit("ld.global.b64 #, [#+#]", address, GROUP, at);
        out.emit("ld.global.b64 #, [#+#]", PtxMemory.length(i), GROUP, at + FIELD_BYTES);
      } else {
        out.emit("ld.param.b64 #, [buffer#]", address, i);
        out.emit("ld.param.b64 #, [length#]", PtxMemory.length(i), i);
      }
      out.emit("cvta.to.global.u64 #, #", address, address);
    }
  }

  /** The scalar's raw bits into a register of 64 bits. */
  void scalar(String bits, int index) {
    if (grouped) {
      out.emit("ld.global.b64 #, [#+#]", bits, GROUP, scalarAt(kernel, index));
    } else {
      out.emit("ld.param.b64 #, [scalar#]", bits, index);
    }
  }
}
