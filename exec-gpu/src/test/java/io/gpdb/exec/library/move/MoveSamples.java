package io.gpdb.exec.library.move;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Element;
import java.util.ArrayList;
import java.util.List;

/** A kernel of every kind and variant that moves rows. */
public final class MoveSamples {
  private final List<Kernel> kernels = new ArrayList<>();

  public static List<Kernel> of() {
    MoveSamples samples = new MoveSamples();
    samples.moves();
    return samples.kernels;
  }

  private void moves() {
    for (Element element : List.of(Element.I8, Element.I16, Element.I32, Element.I64)) {
      kernels.add(GridPack.packKernel(element));
      kernels.add(GridGather.valuesKernel(element));
    }
    kernels.addAll(GridPick.samples());
    kernels.add(GridPack.bitmapKernel());
    kernels.add(GridGather.validityKernel(true));
    kernels.add(GridGather.validityKernel(false));
    for (Element element : List.of(Element.I32, Element.I64)) {
      kernels.add(GridSeries.kernel(element));
      kernels.add(GridPrefixSum.totalsKernel(element));
      kernels.add(GridPrefixSum.offsetsKernel(element));
    }
    kernels.add(RankedBits.countKernel());
    kernels.add(RankedBits.mergeKernel());
    kernels.add(GridRadixSort.varyingKernel());
    kernels.add(GridRadixSort.countKernel());
    kernels.add(GridRadixSort.placeKernel());
    kernels.add(GridRadixSort.rankKernel());
  }
}
