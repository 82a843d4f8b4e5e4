package io.gpdb.bench.peers;

import io.gpdb.bench.harness.ChildJvm;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.sql.Driver;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The class path of an application that has one database: {@link java.sql.DriverManager} makes a
 * driver of everything it finds there, before it asks the first of them for a connection. Where a
 * property names the packed driver of gpDB, an application of gpDB has that one: its libraries have
 * a quarter fewer classes to load.
 */
public final class PeerClassPath {
  /** Names the packed driver; the {@code gpdb} command sets it to the one that it has built. */
  static final String PACKED_DRIVER = "gpdb.bench.driver";

  private PeerClassPath() {}

  /** This process's, without what registers the drivers of other databases. */
  public static String of(Peer peer) {
    String packed = System.getProperty(PACKED_DRIVER);
    boolean isOfGpdb = place(peer).equals(place(Peer.GPDB));
    return packed == null || !isOfGpdb ? alone(peer) : packed + File.pathSeparator + alone(peer);
  }

  private static String alone(Peer peer) {
    Optional<Path> own = place(peer);
    Set<Path> others = new HashSet<>();
    for (Peer other : Peer.values()) {
      place(other).filter(path -> !own.equals(Optional.of(path))).ifPresent(others::add);
    }
    return Arrays.stream(ChildJvm.classPath().split(File.pathSeparator, -1))
        .filter(part -> !others.contains(Path.of(part).toAbsolutePath().normalize()))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Optional<Path> place(Peer peer) {
    return peer.driver().map(PeerClassPath::place);
  }

  /** The archive or folder that a driver was loaded from. */
  private static Path place(Driver driver) {
    CodeSource source =
        Objects.requireNonNull(driver.getClass().getProtectionDomain().getCodeSource());
    try {
      return Path.of(source.getLocation().toURI()).toAbsolutePath().normalize();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
