/**
 * The device for NVIDIA GPUs: the driver's calls, the GPU's memory, launches of printed kernels.
 */
@NullMarked
package io.gpdb.exec.cuda;

import org.jspecify.annotations.NullMarked;
