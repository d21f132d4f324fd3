import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";

// Every reply of the client API that a test reads is checked against contract/openapi.json.
const PREFIX = "/api/corp/v1";
const WRITTEN = JSON.parse(readFileSync(new URL("../../contract/openapi.json", import.meta.url), "utf8"));
// The document allows future fields, but today's replies must not have fields that it does not name.
const DOCUMENT = closed(WRITTEN);
const ajv = new Ajv2020({ strict: false, allErrors: true }).addSchema(DOCUMENT, "document");
const compiled = new Map();
/** The same document with additionalProperties set to false in every object. */
function closed(value) {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== "object" || value === null) return value;
  const { allOf, ...own } = value;
  const whole = Array.isArray(allOf) ? merged([...allOf, own]) : own;
  const copy = Object.fromEntries(Object.entries(whole).map(([name, part]) => [name, closed(part)]));
  const isOpen = copy["type"] === "object" && copy["properties"] !== undefined && copy["additionalProperties"] === undefined;
  return isOpen ? { ...copy, additionalProperties: false } : copy;
}
// Merged, because each part alone would refuse the fields of the others.
function merged(parts) {
  const objects = parts.map(resolved);
  const whole = Object.assign({}, ...objects);
  whole["properties"] = Object.assign({}, ...objects.map((part) => part["properties"]));
  whole["required"] = objects.flatMap((part) => part["required"] ?? []);
  return whole;
}
function resolved(part) {
  const { $ref } = part;
  if ($ref === undefined) return part;
  const names = $ref.slice(2).split("/");
  return names.reduce((at, name) => at[name], WRITTEN);
}
/** How a reply differs from the document; null when it matches. */
function mismatchOf(method, target, status, body) {
  const path = templateOf(target);
  // An unknown path or method has no operation; its refusal has the shape that all operations share.
  const operation = path === null ? undefined : DOCUMENT.paths[path]?.[method.toLowerCase()];
  if (path === null || operation === undefined) return status < 400 ? `answered ${status}, and is not described` : refusalFault(body);
  if (BEFORE_ANY.has(status)) return refusalFault(body);
  const response = operation.responses[String(status)];
  if (response === undefined) return `answered ${status}, which is not described`;
  const place = response.$ref ?? `#/paths/${escaped(path)}/${method.toLowerCase()}/responses/${status}`;
  return faultOf(`${place}/content/application~1json/schema`, body);
}
// These are sent while the request is still being read, as the document's introduction says.
const BEFORE_ANY = new Set([408, 417, 431]);
const faults = [];
// The mismatch with the reply's text. Replies of other APIs are not checked.
function faultIn(method, target, status, text) {
  if (!target.startsWith(`${PREFIX}/`)) return null;
  const body = jsonOf(text);
  const fault = body === null ? "the body is no JSON object" : mismatchOf(method, target, status, body);
  return fault === null ? null : `${method} ${target.split("?")[0]}: ${fault}\n${text.slice(0, 1_000)}`;
}
/** Fails the test when a reply does not match the document. */
export function expectMatchesOpenApi(method, target, status, text) {
  const fault = faultIn(method, target, status, text);
  if (fault !== null) throw new Error(`Not as contract/openapi.json says: ${fault}`);
}
/** Records a mismatch, which fails the test at its end. */
export function noteReply(method, target, status, text) {
  const fault = faultIn(method, target, status, text);
  if (fault !== null) faults.push(fault);
}
function jsonOf(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}
/** The mismatches recorded since the last call. */
export function takeMismatches() {
  return faults.splice(0);
}
function templateOf(target) {
  const path = (target.split("?")[0] ?? "").replace(/(.)\/$/, "$1");
  if (DOCUMENT.paths[path]) return path;
  const parent = path.slice(0, path.lastIndexOf("/"));
  return Object.keys(DOCUMENT.paths).find((one) => one.startsWith(`${parent}/{`)) ?? null;
}
// The signed services have their own refusal format, with `ok`.
function refusalFault(body) {
  return faultOf(`#/components/schemas/${"ok" in body ? "SignedServiceRefusal" : "Refusal"}`, body);
}
function faultOf(pointer, body) {
  const check = compiled.get(pointer) ?? ajv.compile({ $ref: `document${encodeURI(pointer)}` });
  compiled.set(pointer, check);
  if (check(body)) return null;
  const names = (check.errors ?? []).flatMap(({ instancePath, params }) =>
    typeof params["additionalProperty"] === "string" ? [`${instancePath}/${params["additionalProperty"]}`] : [],
  );
  const unnamed = names.length === 0 ? "" : ` (${[...new Set(names)].join(", ")})`;
  return ajv.errorsText(check.errors, { dataVar: "reply" }) + unnamed;
}
function escaped(path) {
  return path.replaceAll("~", "~0").replaceAll("/", "~1");
}
//# sourceMappingURL=openapi-check.js.map
