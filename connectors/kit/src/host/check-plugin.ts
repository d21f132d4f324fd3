import { z } from "zod";
import type { JsonObject } from "../json.ts";
import { isQuery, isTransaction, type OperationName } from "../operations.ts";
import { API_VERSION } from "../plugin.ts";

/** A settings schema of whatever copy of zod the plug-in brought along. */
export type SettingsSchema = {
  readonly safeParse: (value: unknown) => {
    readonly success: boolean;
    readonly data?: unknown;
    readonly error?: { readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[] };
  };
};

export type PluginFunction = (...given: readonly unknown[]) => unknown;

export type PluginFault = { readonly path: string; readonly message: string };
export type CheckPlugin =
  | { readonly ok: true; readonly plugin: CheckedPlugin }
  | { readonly ok: false; readonly faults: readonly PluginFault[] };

const aFunction = z.custom<PluginFunction>((value) => typeof value === "function", "must be a function");
const operation = z.custom<OperationName>(
  (value) => typeof value === "string" && (isQuery(value) || isTransaction(value)),
  "is no operation that this version knows",
);
const TWICE = "must not name anything twice";
const milliseconds = (least: number, most: number) => z.int().min(least).max(most);

const NO_ROOM = "must leave at least 4 characters beside its prefix and date";

const shape = z.object({
  name: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, "must be 1 to 32 small letters, digits or -, a letter first"),
  settings: z.custom<SettingsSchema>(isSchema, "must be a zod schema"),
  secrets: z
    .array(z.string().regex(/^[a-z][a-z0-9_]{0,31}$/, "must be small letters, digits or _, a letter first"))
    .refine(areUnique, TWICE),
  operations: z.array(operation).min(1, "must name at least one operation").refine(areUnique, TWICE),
  timeoutMs: milliseconds(100, 120_000).default(30_000),
  quietMs: milliseconds(0, 86_400_000).default(300_000),
  referenceForm: z
    .object({
      characters: z.enum(["digits", "capitals_and_digits"]),
      length: z.int().min(6).max(64),
      date: z.enum(["none", "yyMMdd", "yyyyMMdd"]).default("none"),
      prefix: z.string().max(16).default(""),
    })
    .refine(({ length, date, prefix }) => length - prefix.length - (date === "none" ? 0 : date.length) >= 4, NO_ROOM)
    .optional(),
  polling: z.object({ firstMs: milliseconds(1000, 86_400_000), everyMs: milliseconds(1000, 86_400_000) }).optional(),
  callbackKeyName: z.string().min(1).max(100).optional(),
  callbackReply: z.object({ status: z.int().min(200).max(299), contentType: z.string().max(100), body: z.string().max(1000) }).optional(),
  origins: aFunction.optional(),
  unsuitable: aFunction.optional(),
  readCallback: aFunction.optional(),
  open: aFunction,
});

/** A plug-in whose shape was checked. What its functions return is checked with every call. */
export type CheckedPlugin = Readonly<z.output<typeof shape>>;

/** Checks what a module exported. The version comes first, because another version has another shape. */
export function checkPlugin(value: unknown): CheckPlugin {
  if (typeof value !== "object" || value === null) return refused("", "is not a connector: it must be what defineConnector returned");
  const { apiVersion } = value as JsonObject;
  if (apiVersion !== API_VERSION) {
    const theirs = apiVersion === undefined ? "names no version of the connector interface" : `is for version ${String(apiVersion)}`;
    return refused("apiVersion", `${theirs}; this installation has version ${API_VERSION}`);
  }
  const read = shape.safeParse(value);
  if (!read.success)
    return { ok: false, faults: read.error.issues.map((issue) => ({ path: issue.path.join("."), message: issue.message })) };
  return { ok: true, plugin: read.data };
}

function refused(path: string, message: string): CheckPlugin {
  return { ok: false, faults: [{ path, message }] };
}

function isSchema(value: unknown): boolean {
  return typeof value === "object" && value !== null && "safeParse" in value && typeof value.safeParse === "function";
}

function areUnique(values: readonly string[]): boolean {
  return new Set(values).size === values.length;
}
