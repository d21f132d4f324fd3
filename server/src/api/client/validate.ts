import type { z } from "zod";
import { invalidFields, type Refusal, refused } from "../../domain/shared/refusals.ts";
import { type JsonObject, parseStrictJson } from "../../platform/core/strict-json.ts";
import type { RequestHead } from "./gate/request-head.ts";
import type { Query } from "./gate/request-target.ts";

const JSON_MEDIA_TYPE = "application/json";
const UTF_8: ReadonlySet<string> = new Set(["utf-8", '"utf-8"']);

/** Parses the body of a POST as a JSON object, or returns a refusal. */
export function readJsonBody(head: RequestHead, body: Uint8Array): { readonly kind: "object"; readonly value: JsonObject } | Refusal {
  if (body.length === 0) return refused("invalid_request", "This request needs a JSON body.");
  const [mediaType, ...others] = head.contentType;
  if (mediaType === undefined || others.length > 0 || !isJsonInUtf8(mediaType)) {
    return refused("invalid_request", "The body must be sent as Content-Type: application/json, in UTF-8.", { mediaType: true });
  }
  if (head.contentEncoding.length > 0)
    return refused("invalid_request", "The body must be sent without a Content-Encoding.", { mediaType: true });
  const parsed = parseStrictJson(body);
  return parsed.ok ? { kind: "object", value: parsed.value } : refused("invalid_request", `The request cannot be read: ${parsed.why}.`);
}

/** The only allowed parameter is charset, which must be UTF-8. One trailing semicolon is tolerated. */
function isJsonInUtf8(mediaType: string): boolean {
  if (mediaType === JSON_MEDIA_TYPE) return true;
  const parts = mediaType.split(";", 4).map((part) => part.trim().toLowerCase());
  if (parts.length > 1 && parts.at(-1) === "") parts.pop();
  const [type, parameter, ...others] = parts;
  if (type !== JSON_MEDIA_TYPE || others.length > 0) return false;
  if (parameter === undefined) return true;
  const [name = "", value = "", ...more] = parameter.split("=", 3).map((word) => word.trim());
  return name === "charset" && UTF_8.has(value) && more.length === 0;
}

/** The query of a GET as an object. */
export function readQuery(query: Query): { readonly kind: "object"; readonly value: JsonObject } {
  const value = Object.fromEntries(query.filter((one) => one.name !== "token").map((one) => [one.name, one.value]));
  return { kind: "object", value };
}

/** Validates an object against a route's schema. The refusal names every invalid field with the reason. */
export function validate<Input>(schema: z.ZodType<Input>, value: JsonObject): { readonly kind: "valid"; readonly input: Input } | Refusal {
  const result = schema.safeParse(value);
  if (result.success) return refuseNul(result.data) ?? { kind: "valid", input: result.data };
  const fields: Record<string, string> = {};
  for (const issue of result.error.issues) {
    const name = issue.path.join(".") || "body";
    fields[name] ??= reasonOf(issue, valueAt(value, issue.path));
  }
  return invalidFields(fields);
}

/** Refuses NUL characters in a query, as strict JSON does in a body (contract, section 1). PostgreSQL cannot store them. */
function refuseNul(input: unknown): Refusal | null {
  const fields = (input ?? {}) as Readonly<Record<string, unknown>>;
  const wrong = Object.keys(fields).filter((name) => holdsNul(fields[name]));
  return wrong.length === 0 ? null : invalidFields(Object.fromEntries(wrong.map((name) => [name, "must not contain a NUL character"])));
}

function holdsNul(value: unknown): boolean {
  return typeof value === "string" && value.includes("\0");
}

function reasonOf(issue: z.core.$ZodIssue, given: unknown): string {
  if (given === undefined && issue.code !== "custom") return "is required";
  if (issue.code === "invalid_type") return `must be ${article(issue.expected)}`;
  return issue.message;
}

function article(type: string): string {
  return `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const key of path)
    at = typeof at === "object" && at !== null && Object.hasOwn(at, key) ? (at as Record<PropertyKey, unknown>)[key] : undefined;
  return at;
}
