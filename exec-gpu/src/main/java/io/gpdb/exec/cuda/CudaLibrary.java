package io.gpdb.exec.cuda;

import java.lang.foreign.SymbolLookup;

/** The functions of {@code libcuda.so.1} that are called. */
final class CudaLibrary {

  final NativeCall init;
  final NativeCall count;
  final NativeCall get;
  final NativeCall name;
  final NativeCall attribute;
  final NativeCall totalMemory;
  final NativeCall scheduling;
  final NativeCall retain;
  final NativeCall setCurrent;
  final NativeCall peerAttribute;
  final NativeCall enablePeer;
  final NativeCall allocate;
  final NativeCall free;
  final NativeCall register;
  final NativeCall unregister;
  final NativeCall load;
  final NativeCall unload;
  final NativeCall function;
  final NativeCall openStream;
  final NativeCall closeStream;
  final NativeCall await;
  final NativeCall copy;
  final NativeCall fill;
  final NativeCall launch;
  final NativeCall errorName;

  CudaLibrary(SymbolLookup library) {
    init = NativeCall.find(library, "cuInit", 1);
    count = NativeCall.find(library, "cuDeviceGetCount", 1);
    get = NativeCall.find(library, "cuDeviceGet", 2);
    name = NativeCall.find(library, "cuDeviceGetName", 3);
    attribute = NativeCall.find(library, "cuDeviceGetAttribute", 3);
    totalMemory = NativeCall.find(library, "cuDeviceTotalMem_v2", 2);
    scheduling = NativeCall.find(library, "cuDevicePrimaryCtxSetFlags_v2", 2);
    retain = NativeCall.find(library, "cuDevicePrimaryCtxRetain", 2);
    peerAttribute = NativeCall.find(library, "cuDeviceGetP2PAttribute", 4);
    enablePeer = NativeCall.find(library, "cuCtxEnablePeerAccess", 2);
    setCurrent = NativeCall.find(library, "cuCtxSetCurrent", 1);
    allocate = NativeCall.find(library, "cuMemAlloc_v2", 2);
    free = NativeCall.find(library, "cuMemFree_v2", 1);
    register = NativeCall.find(library, "cuMemHostRegister_v2", 3);
    unregister = NativeCall.find(library, "cuMemHostUnregister", 1);
    load = NativeCall.find(library, "cuModuleLoadDataEx", 5);
    unload = NativeCall.find(library, "cuModuleUnload", 1);
    function = NativeCall.find(library, "cuModuleGetFunction", 3);
    openStream = NativeCall.find(library, "cuStreamCreate", 2);
    closeStream = NativeCall.find(library, "cuStreamDestroy_v2", 1);
    await = NativeCall.find(library, "cuStreamSynchronize", 1);
    copy = NativeCall.find(library, "cuMemcpyAsync", 4);
    fill = NativeCall.find(library, "cuMemsetD8Async", 4);
    launch = NativeCall.find(library, "cuLaunchKernel", 11);
    errorName = NativeCall.find(library, "cuGetErrorName", 2);
  }
}
