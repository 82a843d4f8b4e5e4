package io.gpdb.sql.definition;

import java.util.List;

/**
 * A role: a name that privileges and other roles can be granted to.
 *
 * @param members whom it was granted to
 */
public record RoleDef(int roleId, String name, List<Member> members) {
  /** Everybody, as GRANT writes it. */
  public static final String EVERYBODY = "PUBLIC";

  /** A role or everybody that a role was granted to, and whether WITH ADMIN OPTION. */
  public record Member(String grantee, boolean admin) {}

  public RoleDef {
    members = List.copyOf(members);
  }

  public RoleDef withMembers(List<Member> others) {
    return new RoleDef(roleId, name, others);
  }

  public boolean isGrantedTo(String grantee) {
    return members.stream().anyMatch(member -> member.grantee().equals(grantee));
  }
}
