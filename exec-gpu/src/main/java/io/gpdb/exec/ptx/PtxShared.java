package io.gpdb.exec.ptx;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Type;

/** The block's shared memory: the kernel's arrays one after the other, then one word a warp. */
final class PtxShared {
  static final String BASE = "%sharedBase";

  private static final int ALIGNMENT = 8;

  private final int[] offsets;
  private final int arrayBytes;

  PtxShared(Kernel kernel) {
    offsets = new int[kernel.shared().size()];
    int end = 0;
    for (int i = 0; i < offsets.length; i++) {
      Kernel.SharedArray array = kernel.shared().get(i);
      offsets[i] = end;
      int bytes = array.size() * array.element().bytes();
      end += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
    arrayBytes = end;
  }

  int offset(int array) {
    return offsets[array];
  }

  /** Where block operations pass one 8-byte word for each warp. */
  int warpWords() {
    return arrayBytes;
  }

  String declarations() {
    int bytes = arrayBytes + Op.WARP_LANES * Long.BYTES;
    return "  .shared .align 8 .b8 sharedMemory[" + bytes + "];\n  .reg .b32 " + BASE + ";\n";
  }

  /** At the entry's start: the lanes of the block set the arrays to zero. */
  void begin(PtxText out, String thread, int blockSize) {
    out.emit("mov.u32 #, sharedMemory", BASE);
    if (arrayBytes == 0) {
      return;
    }
    String word = out.temporary(Type.I32);
    String address = out.temporary(Type.I32);
    String done = out.temporary(Type.PRED);
    String loop = out.label();
    String end = out.label();
    out.emit("mov.b32 #, #", word, thread);
    out.place(loop);
    out.emit("setp.ge.s32 #, #, #", done, word, arrayBytes / ALIGNMENT);
    out.emit("@# bra #", done, end);
    out.emit("mad.lo.s32 #, #, #, #", address, word, ALIGNMENT, BASE);
    out.emit("st.shared.b64 [#], 0", address);
    out.emit("add.s32 #, #, #", word, word, blockSize);
    out.emit("bra #", loop);
    out.place(end);
    out.emit("barrier.sync 0");
  }
}
