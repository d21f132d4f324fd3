// What the collections run before a request. e2e/collections.test.ts runs both against contract/vectors.
const SIGN = `// Spec, Request signing: six lines, HMAC-SHA256 with the whole signing secret.
const percent = (text) => encodeURIComponent(text).replace(/[!'()*]/g, (one) => "%" + one.charCodeAt(0).toString(16).toUpperCase());
const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
// In a query a plus is a plus, and an escape is decoded to its byte.
const decoded = (part) => decodeURIComponent(part);
function canonicalQuery(query) {
  return query
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const at = pair.indexOf("=");
      return at < 0 ? [decoded(pair), ""] : [decoded(pair.slice(0, at)), decoded(pair.slice(at + 1))];
    })
    .filter(([name]) => name !== "token")
    .sort(([a], [b]) => compare(a, b))
    .map(([name, value]) => percent(name) + "=" + percent(value))
    .join("&");
}
function stringToSign(request) {
  const target = request.url.replace(/^[a-z]+:\\/\\/[^/]*/i, "").replace(/#.*$/, "");
  const [path, query = ""] = target.split(/\\?(.*)/s);
  const lines = [request.method, path.replace(/(.)\\/$/, "$1"), canonicalQuery(query), sha256(request.body), request.timestamp, request.nonce];
  return lines.join("\\n");
}
`;

const LIBRARY = `const CryptoJS = require("crypto-js");
const sha256 = (text) => CryptoJS.SHA256(CryptoJS.enc.Utf8.parse(text)).toString();
const hmac = (secret, text) => CryptoJS.HmacSHA256(CryptoJS.enc.Utf8.parse(text), CryptoJS.enc.Utf8.parse(secret)).toString();
`;

const NEW_VALUES = `const timestamp = String(Math.floor(Date.now() / 1000));
const nonce = CryptoJS.lib.WordArray.random(12).toString();
`;

export const POSTMAN = `${LIBRARY}${SIGN}${NEW_VALUES}const secret = pm.variables.get("signing_secret");
if (secret) {
  const filled = (text) => pm.variables.replaceIn(text);
  // What is signed is what is sent, so variables are filled in first.
  const body = pm.request.body && pm.request.body.raw ? filled(pm.request.body.raw) : "";
  if (body !== "") pm.request.body.update({ mode: "raw", raw: body, options: { raw: { language: "json" } } });
  const asked = pm.request.url.query.all().filter((one) => !one.disabled).map((one) => one.key + "=" + (one.value || ""));
  const url = filled(pm.request.url.getPath() + "?" + asked.join("&"));
  const request = { method: pm.request.method, url, body, timestamp, nonce };
  pm.request.headers.upsert({ key: "X-Api-Timestamp", value: timestamp });
  pm.request.headers.upsert({ key: "X-Api-Nonce", value: nonce });
  pm.request.headers.upsert({ key: "X-Api-Signature", value: hmac(secret, stringToSign(request)) });
}
`;

export const BRUNO = `${LIBRARY}${SIGN}${NEW_VALUES}const secret = bru.getEnvVar("signing_secret");
if (secret) {
  const filled = (text) => bru.interpolate(text);
  const sent = req.getBody({ raw: true });
  const body = sent === undefined || sent === null || sent === "" ? "" : filled(typeof sent === "string" ? sent : JSON.stringify(sent));
  // What is signed is what is sent: text, not an object that is written anew.
  if (body !== "") req.setBody(body, { raw: true });
  const request = { method: req.getMethod(), url: filled(req.getUrl()), body, timestamp, nonce };
  req.setHeader("X-Api-Timestamp", timestamp);
  req.setHeader("X-Api-Nonce", nonce);
  req.setHeader("X-Api-Signature", hmac(secret, stringToSign(request)));
}
`;
