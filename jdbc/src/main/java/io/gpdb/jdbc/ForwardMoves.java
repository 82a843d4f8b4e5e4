package io.gpdb.jdbc;

import io.gpdb.jdbc.value.SqlErrors;
import io.gpdb.session.SessionLock;
import io.gpdb.sql.type.SqlTypeSpec;
import java.sql.SQLException;

/** What a result set refuses that only goes forward and changes no rows. */
abstract class ForwardMoves extends ColumnGetters {
  ForwardMoves(SessionLock lock, SqlTypeSpec[] types) {
    super(lock, types);
  }

  static SQLException forwardOnly() {
    return SqlErrors.notSupported("moving other than forward in a forward-only result set");
  }

  static SQLException readOnly() {
    return SqlErrors.notSupported("changing a row through a result set that is read only");
  }

  @Override
  void set(int column, Setting setting) throws SQLException {
    throw readOnly();
  }

  @Override
  public boolean absolute(int row) throws SQLException {
    throw forwardOnly();
  }

  @Override
  public boolean relative(int rows) throws SQLException {
    throw forwardOnly();
  }

  @Override
  public boolean first() throws SQLException {
    throw forwardOnly();
  }

  @Override
  public boolean last() throws SQLException {
    throw forwardOnly();
  }

  @Override
  public boolean previous() throws SQLException {
    throw forwardOnly();
  }

  @Override
  public void beforeFirst() throws SQLException {
    throw forwardOnly();
  }

  @Override
  public void afterLast() throws SQLException {
    throw forwardOnly();
  }

  @Override
  public boolean isLast() throws SQLException {
    throw SqlErrors.notSupported("isLast in a forward-only result set");
  }

  @Override
  public boolean rowDeleted() throws SQLException {
    requireOpen();
    return false;
  }

  @Override
  public boolean rowInserted() throws SQLException {
    requireOpen();
    return false;
  }

  @Override
  public boolean rowUpdated() throws SQLException {
    requireOpen();
    return false;
  }

  @Override
  public void refreshRow() throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateRow() throws SQLException {
    throw readOnly();
  }

  @Override
  public void insertRow() throws SQLException {
    throw readOnly();
  }

  @Override
  public void deleteRow() throws SQLException {
    throw readOnly();
  }

  @Override
  public void cancelRowUpdates() throws SQLException {
    throw readOnly();
  }

  @Override
  public void moveToInsertRow() throws SQLException {
    throw readOnly();
  }

  @Override
  public void moveToCurrentRow() throws SQLException {
    throw readOnly();
  }
}
