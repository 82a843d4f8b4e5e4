package io.gpdb.jdbc.value;

import io.gpdb.storage.error.ErrorCode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.sql.SQLXML;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.Result;
import javax.xml.transform.Source;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;
import org.jspecify.annotations.Nullable;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/**
 * XML as the text that a character column holds: of a value that was read, or empty and to be
 * filled and bound. It is not looked at before it is asked for as a tree, which reads no DTD.
 */
public final class XmlText implements SQLXML {
  private @Nullable String text;
  private boolean freed;

  /** An object to be filled. */
  public XmlText() {}

  public XmlText(String text) {
    this.text = text;
  }

  private void requireUse() throws SQLException {
    if (freed) {
      throw SqlErrors.of(ErrorCode.INVALID_ARGUMENT, "the XML was freed");
    }
  }

  private synchronized void fill(String value) {
    text = value;
  }

  @Override
  public synchronized void free() {
    freed = true;
    text = null;
  }

  @Override
  public synchronized String getString() throws SQLException {
    requireUse();
    String value = text;
    if (value == null) {
      throw SqlErrors.of(ErrorCode.INVALID_ARGUMENT, "the XML has not been filled");
    }
    return value;
  }

  @Override
  public synchronized void setString(String value) throws SQLException {
    requireUse();
    fill(SqlErrors.given("the XML", value));
  }

  @Override
  public InputStream getBinaryStream() throws SQLException {
    return new ByteArrayInputStream(getString().getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public Reader getCharacterStream() throws SQLException {
    return new StringReader(getString());
  }

  @Override
  public synchronized OutputStream setBinaryStream() throws SQLException {
    requireUse();
    return new ByteArrayOutputStream() {
      @Override
      public void close() {
        fill(toString(StandardCharsets.UTF_8));
      }
    };
  }

  @Override
  public synchronized Writer setCharacterStream() throws SQLException {
    requireUse();
    return new StringWriter() {
      @Override
      public void flush() {
        fill(toString());
      }

      @Override
      public void close() {
        fill(toString());
      }
    };
  }

  @Override
  public <T extends Source> T getSource(@Nullable Class<T> type) throws SQLException {
    if (type == null || type.isAssignableFrom(StreamSource.class)) {
      return cast(new StreamSource(getCharacterStream()));
    }
    if (type == DOMSource.class) {
      return cast(tree());
    }
    throw SqlErrors.notSupported("XML as a " + type.getSimpleName());
  }

  private DOMSource tree() throws SQLException {
    InputSource input = new InputSource(getCharacterStream());
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultNSInstance();
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      DocumentBuilder builder = factory.newDocumentBuilder();
      builder.setErrorHandler(new DefaultHandler()); // throws; what is there by default prints
      return new DOMSource(builder.parse(input));
    } catch (SAXException | IOException | ParserConfigurationException e) {
      throw SqlErrors.of(ErrorCode.INVALID_ARGUMENT, "the text is no XML: " + e.getMessage(), e);
    }
  }

  @Override
  public <T extends Result> T setResult(@Nullable Class<T> type) throws SQLException {
    if (type == null || type.isAssignableFrom(StreamResult.class)) {
      return cast(new StreamResult(setCharacterStream()));
    }
    throw SqlErrors.notSupported("XML from a " + type.getSimpleName());
  }

  /** The caller has seen to it that the object is of the type. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T> T cast(Object made) {
    return (T) made;
  }
}
