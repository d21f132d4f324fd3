// Receives Corprail's callbacks. ../README.md says how to start it. Java 17 or later.
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public final class Receiver {
  static final int FRESH_SECONDS = 300;
  static final int MAX_BODY_BYTES = 64 * 1024;
  static final String TOKEN = setting("CORPRAIL_TOKEN", "");
  static final String SECRET = setting("CORPRAIL_CALLBACK_SECRET", "");
  static final Path STATE = Path.of(setting("STATE_DIR", "receiver-state"));

  record Answer(int status, String text) {}

  // #region verify
  static boolean same(String key, byte[] message, String given) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    String made = HexFormat.of().formatHex(mac.doFinal(message));
    return MessageDigest.isEqual(made.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
  }

  /** Version 2: the hash covers every parameter that arrived except itself. */
  static Map<String, String> verifiedQuery(String query) throws GeneralSecurityException {
    Map<String, String> fields = new TreeMap<>();
    for (String pair : query.split("&", -1)) {
      String[] parts = (pair + (pair.contains("=") ? "" : "=")).split("=", 2);
      String value = URLDecoder.decode(parts[1], StandardCharsets.UTF_8);
      if (fields.put(URLDecoder.decode(parts[0], StandardCharsets.UTF_8), value) != null) return null;
    }
    String given = fields.getOrDefault("hash", "");
    fields.remove("hash");
    String text = fields.entrySet().stream().map(field -> field.getKey() + "=" + field.getValue()).collect(Collectors.joining("&"));
    if (TOKEN.isEmpty() || !same(TOKEN, text.getBytes(StandardCharsets.UTF_8), given)) return null;
    return "2".equals(fields.get("v")) ? fields : null;
  }

  /** Version 3: the signature covers the exact bytes, so it is checked before parsing. */
  static Map<String, String> verifiedBody(byte[] body, String given) throws GeneralSecurityException {
    if (SECRET.isEmpty() || !same(SECRET, body, given)) return null;
    Map<String, String> fields = parse(new String(body, StandardCharsets.UTF_8));
    return "3".equals(fields.get("v")) ? fields : null;
  }

  // #endregion

  // #region book
  /** True the first time. In production, use an insert into a table with a unique key. */
  static boolean once(String kind, String key) throws IOException, GeneralSecurityException {
    Path folder = Files.createDirectories(STATE.resolve(kind));
    byte[] name = MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
    try {
      Files.createFile(folder.resolve(HexFormat.of().formatHex(name)));
      return true;
    } catch (FileAlreadyExistsException known) {
      return false;
    }
  }

  /** Returns the answer to a callback whose signature is valid. */
  static Answer take(Map<String, String> fields) throws IOException, GeneralSecurityException {
    long now = Long.parseLong(setting("CLOCK_SECONDS", String.valueOf(System.currentTimeMillis() / 1000)));
    String ts = fields.getOrDefault("ts", "");
    String nonce = fields.getOrDefault("nonce", "");
    if (!ts.matches("[0-9]{10}") || Math.abs(now - Long.parseLong(ts)) > FRESH_SECONDS) return new Answer(403, "stale");
    if (nonce.isEmpty() || !once("nonces", nonce)) return new Answer(403, "replayed");
    // A FAILED after a SUCCESS has another key: it must be applied.
    String key = "complaint".equals(fields.get("event"))
        ? "complaint " + fields.get("complaint_ref")
        : fields.get("orderid") + " " + fields.get("status");
    if (!once("booked", key)) return new Answer(200, "known");
    if ("1".equals(fields.get("test"))) return new Answer(200, "test");
    return new Answer(200, "booked"); // Here your own work: in one transaction with the key.
  }

  // #endregion

  // A callback is a flat JSON object of strings. If you have a JSON library, use it instead.
  private static final String STRING = "\"((?:[^\"\\\\]|\\\\.)*+)\"";
  private static final Pattern FIELD = Pattern.compile("\\s*" + STRING + "\\s*:\\s*" + STRING + "\\s*(,|\\}\\s*$)");
  private static final Pattern ESCAPE = Pattern.compile("\\\\(u([0-9a-fA-F]{4})|.)");

  static Map<String, String> parse(String json) {
    Map<String, String> fields = new LinkedHashMap<>();
    int at = json.indexOf('{') + 1;
    for (Matcher field = FIELD.matcher(json); field.find(at) && field.start() == at; at = field.end())
      fields.put(unescaped(field.group(1)), unescaped(field.group(2)));
    return at == json.length() ? fields : Map.of();
  }

  static String unescaped(String text) {
    return ESCAPE.matcher(text).replaceAll(escape -> Matcher.quoteReplacement(switch (escape.group(1).charAt(0)) {
      case 'u' -> String.valueOf((char) Integer.parseInt(escape.group(2), 16));
      case 'n' -> "\n";
      case 't' -> "\t";
      case 'r' -> "\r";
      case 'b' -> "\b";
      case 'f' -> "\f";
      default -> escape.group(1);
    }));
  }

  static Answer answer(HttpExchange exchange) throws IOException, GeneralSecurityException {
    byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY_BYTES + 1);
    if (body.length > MAX_BODY_BYTES) return new Answer(400, "not a callback");
    Map<String, String> fields;
    try {
      String signature = exchange.getRequestHeaders().getFirst("X-Callback-Signature");
      String query = exchange.getRequestURI().getRawQuery();
      fields = switch (exchange.getRequestMethod()) {
        case "POST" -> verifiedBody(body, signature == null ? "" : signature);
        case "GET" -> verifiedQuery(query == null ? "" : query);
        default -> null;
      };
    } catch (IllegalArgumentException malformed) {
      fields = null;
    }
    if (fields == null) return new Answer(403, "wrong signature");
    Answer answer = take(fields);
    if (answer.status() == 200) System.out.println(answer.text() + " " + fields);
    return answer;
  }

  static void handle(HttpExchange exchange) throws IOException {
    Answer answer;
    try {
      answer = answer(exchange);
    } catch (Exception fault) {
      System.err.println(fault);
      answer = new Answer(500, "not booked"); // Not 2xx: it will be sent again.
    }
    byte[] text = (answer.text() + "\n").getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/plain");
    exchange.sendResponseHeaders(answer.status(), text.length);
    exchange.getResponseBody().write(text);
    exchange.close();
  }

  static String setting(String name, String otherwise) {
    return System.getenv().getOrDefault(name, otherwise);
  }

  public static void main(String[] arguments) throws IOException {
    if (TOKEN.isEmpty() && SECRET.isEmpty()) {
      System.err.println("Set CORPRAIL_TOKEN (version 2) or CORPRAIL_CALLBACK_SECRET (version 3), or both.");
      System.exit(1);
    }
    int port = Integer.parseInt(setting("PORT", "3000"));
    HttpServer server = HttpServer.create(new InetSocketAddress(setting("HOST", "127.0.0.1"), port), 0);
    server.createContext("/", Receiver::handle);
    server.setExecutor(Executors.newFixedThreadPool(8));
    server.start();
  }
}
