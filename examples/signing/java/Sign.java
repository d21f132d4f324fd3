// Prints the signature of a request. ../README.md says how to call it. Java 17 or later.
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public final class Sign {
  // #region sign
  record Parameter(String name, String value) {}

  /** query: decoded names and values; body: the exact bytes that are sent. */
  static String sign(String method, String path, List<Parameter> query, byte[] body, String timestamp, String nonce, String secret)
      throws GeneralSecurityException {
    String bodyHash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
    String text = String.join("\n", method, path, canonicalQuery(query), bodyHash, timestamp, nonce);
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
  }

  static String canonicalQuery(List<Parameter> query) {
    return query.stream()
        .filter(parameter -> !parameter.name().equals("token"))
        .sorted(Comparator.comparing(Parameter::name))
        .map(parameter -> percent(parameter.name()) + "=" + percent(parameter.value()))
        .collect(Collectors.joining("&"));
  }

  // URLEncoder cannot be used here, because it encodes a space as + and does not encode *.
  static String percent(String text) {
    StringBuilder out = new StringBuilder();
    for (byte one : text.getBytes(StandardCharsets.UTF_8)) {
      boolean letterOrDigit = one >= 'A' && one <= 'Z' || one >= 'a' && one <= 'z' || one >= '0' && one <= '9';
      if (letterOrDigit || one == '-' || one == '_' || one == '.' || one == '~') out.append((char) one);
      else out.append(String.format("%%%02X", one));
    }
    return out.toString();
  }
  // #endregion

  public static void main(String[] arguments) throws Exception {
    String secret = System.getenv().getOrDefault("CORPRAIL_SIGNING_SECRET", "");
    if (arguments.length < 4 || secret.isEmpty()) {
      System.err.println("CORPRAIL_SIGNING_SECRET=sig_... sign METHOD PATH TIMESTAMP NONCE [name=value ...] < body");
      System.exit(2);
    }
    List<Parameter> query = Arrays.stream(arguments).skip(4).map(pair -> pair.split("=", 2))
        .map(pair -> new Parameter(pair[0], pair[1])).toList();
    System.out.println(sign(arguments[0], arguments[1], query, System.in.readAllBytes(), arguments[2], arguments[3], secret));
  }
}
