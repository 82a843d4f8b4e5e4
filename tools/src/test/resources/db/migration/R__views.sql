CREATE OR REPLACE VIEW titles AS SELECT a.name, b.title FROM artist a JOIN album b ON b.artist_id = a.id;
