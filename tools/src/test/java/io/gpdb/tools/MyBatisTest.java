package io.gpdb.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.jdbc.GpdbDataSource;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Options;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.annotations.Update;
import org.apache.ibatis.exceptions.PersistenceException;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.mapping.StatementType;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.ExecutorType;
import org.apache.ibatis.session.RowBounds;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.session.SqlSessionFactoryBuilder;
import org.apache.ibatis.transaction.jdbc.JdbcTransactionFactory;
import org.jspecify.annotations.Nullable;

/** MyBatis 3. */
class MyBatisTest extends ClientTest {
  /** A row as a bean. */
  public static final class Person {
    public @Nullable Long id;
    public @Nullable String name;
    public @Nullable LocalDate born;

    static Person of(String name, @Nullable LocalDate born) {
      Person person = new Person();
      person.name = name;
      person.born = born;
      return person;
    }
  }

  /** The statements. */
  public interface People {
    @Update(
        "CREATE TABLE person (id BIGINT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(20) UNIQUE,"
            + " born DATE)")
    void create();

    @Insert("INSERT INTO person (name, born) VALUES (#{name}, #{born})")
    @Options(useGeneratedKeys = true, keyProperty = "id", keyColumn = "id")
    int add(Person person);

    @Update("CREATE PROCEDURE twice (n INTEGER, OUT doubled INTEGER) SET doubled = 2 * n")
    void createProcedure();

    @Select("{call twice(#{n}, #{doubled, mode=OUT, jdbcType=INTEGER})}")
    @Options(statementType = StatementType.CALLABLE)
    void twice(Map<String, Object> parameters);

    @Select("SELECT id, name, born FROM person WHERE id = #{id}")
    Person byId(long id);

    @Select("SELECT id, name, born FROM person ORDER BY name")
    List<Person> all(RowBounds bounds);

    @Update("UPDATE person SET born = #{born} WHERE name = #{name}")
    int born(@Param("name") String name, @Param("born") LocalDate born);
  }

  private static SqlSessionFactory factory(String url) {
    GpdbDataSource source = new GpdbDataSource();
    source.setUrl(url);
    Configuration configuration =
        new Configuration(new Environment("test", new JdbcTransactionFactory(), source));
    configuration.addMapper(People.class);
    return new SqlSessionFactoryBuilder().build(configuration);
  }

  @Override
  void run(String url) {
    SqlSessionFactory factory = factory(url);
    try (SqlSession session = factory.openSession(true)) {
      session.getMapper(People.class).create();
      session.getMapper(People.class).createProcedure();
      Map<String, Object> parameters = new HashMap<>(Map.of("n", 21));
      session.getMapper(People.class).twice(parameters);
      assertThat(parameters).containsEntry("doubled", 42);
    }
    try (SqlSession session = factory.openSession()) {
      People people = session.getMapper(People.class);
      Person ada = Person.of("Ada", LocalDate.of(1815, 12, 10));
      assertThat(people.add(ada)).isOne();
      assertThat(ada.id).isOne();
      Person bob = Person.of("Bob", null);
      people.add(bob);
      assertThat(people.byId(2).born).isNull();
      assertThat(people.byId(1).born).isEqualTo("1815-12-10");
      session.commit();
      assertThatThrownBy(() -> people.add(Person.of("Ada", null)))
          .isInstanceOf(PersistenceException.class);
      assertThat(people.born("Bob", LocalDate.EPOCH)).isOne();
      session.rollback();
      assertThat(people.byId(2).born).isNull();
    }
    try (SqlSession session = factory.openSession(ExecutorType.BATCH)) {
      People people = session.getMapper(People.class);
      for (int i = 0; i < 20; i++) {
        people.add(Person.of("C" + (10 + i), null));
      }
      session.commit();
      assertThat(people.all(new RowBounds(2, 3)))
          .extracting(person -> person.name)
          .containsExactly("C10", "C11", "C12");
    }
  }
}
