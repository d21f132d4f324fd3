export type JsonObject = Readonly<Record<string, unknown>>;

/** Requests hold these as they are: their keys are a biller's own names, not the API's. */
const VERBATIM = new Set(["params"]);

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The wire's `order_id` is the SDK's `orderId`, all the way down. Fields added later come through too. */
export function fromWire(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromWire);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [camel(name), fromWire(inner)]));
}

/** The other way; what is undefined is not sent. */
export function toWire(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toWire);
  if (!isObject(value)) return value;
  const present = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(present.map(([name, inner]) => [snake(name), VERBATIM.has(name) ? inner : toWire(inner)]));
}

export function camel(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, next: string) => next.toUpperCase());
}

export function snake(name: string): string {
  return name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
}

/** A success without its `ok`: who holds it knows. */
export function successFromWire(body: JsonObject): JsonObject {
  const { ok: _, ...rest } = body;
  return fromWire(rest) as JsonObject;
}
