-- Two tables and what is in them; a semicolon in a text ends no statement.
CREATE TABLE artist (
  id INTEGER PRIMARY KEY,
  name VARCHAR(40) NOT NULL,
  note VARCHAR(80) DEFAULT 'none; yet'
);
CREATE TABLE album (id INTEGER PRIMARY KEY, artist_id INTEGER NOT NULL, title VARCHAR(60), UNIQUE (artist_id, title));
INSERT INTO artist (id, name) VALUES (1, 'Nina'), (2, 'Miles');
