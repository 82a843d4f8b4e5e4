package io.gpdb.jdbc;

import java.util.List;

/** The client info properties that a connection remembers and does nothing with. */
final class ClientInfo {
  static final List<String> NAMES = List.of("ApplicationName", "ClientHostname", "ClientUser");
  static final int LENGTH_MAX = 255;

  private ClientInfo() {}
}
