import type postgres from "postgres";

/**
 * Array types that the schema uses. The driver could query them on every new connection, but if that query is
 * interrupted, the rejection is unhandled and the process exits (porsager/postgres, issue 1192).
 */
export function arrayTypes(): Readonly<Record<string, postgres.PostgresType>> {
  return Object.fromEntries(
    ELEMENTS.map(([name, oid, read]) => [`${name}_array`, { to: oid, from: [oid], serialize: write, parse: reader(read) }]),
  );
}

type Read = (text: string) => unknown;

// PostgreSQL's fixed object ids of the array types.
const ELEMENTS: readonly (readonly [name: string, oid: number, read: Read])[] = [
  ["boolean", 1000, (text) => text === "t"],
  ["bytea", 1001, (text) => Buffer.from(text.slice(2), "hex")],
  ["name", 1003, String],
  ["smallint", 1005, Number],
  ["integer", 1007, Number],
  ["text", 1009, String],
  ["varchar", 1015, String],
  ["bigint", 1016, BigInt],
  ["timestamptz", 1185, (text) => new Date(text)],
];

function write(items: unknown): unknown {
  // The caller passed an array literal.
  if (!Array.isArray(items)) return items;
  // Columns of a batch often repeat one value, so the last one is cached.
  let [last, written]: [unknown, string] = [NO_ITEM, ""];
  const texts = items.map((item) => {
    if (item !== last) [last, written] = [item, writeItem(item)];
    return written;
  });
  return `{${texts.join(",")}}`;
}

const NO_ITEM = Symbol("no item");
const SPECIAL = /["\\]/;
const SPECIALS = /["\\]/g;

function writeItem(item: unknown): string {
  // The fast path: nearly every item of a batch is a text.
  if (typeof item === "string") return SPECIAL.test(item) ? `"${item.replace(SPECIALS, "\\$&")}"` : `"${item}"`;
  if (typeof item === "number") return `${item}`;
  if (item === null) return "null";
  if (item instanceof Uint8Array) return `"\\\\x${hex(item)}"`;
  if (item === undefined || Array.isArray(item)) throw new Error("An array for the database may contain neither undefined nor arrays.");
  if (item instanceof Date) return `"${item.toISOString()}"`;
  return `"${String(item).replace(SPECIALS, "\\$&")}"`;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}

// A quoted item with escapes, or a bare item.
const ITEM = /"((?:[^"\\]|\\.)*)"|([^,"]+)/gsy;

function reader(read: Read): (literal: string) => readonly unknown[] {
  return (literal) => {
    const inside = literal.slice(1, -1);
    if (inside.startsWith("{")) throw new Error("Arrays of arrays are not read.");
    const items: unknown[] = [];
    for (let at = 0; at < inside.length; at = ITEM.lastIndex + 1) {
      ITEM.lastIndex = at;
      items.push(readItem(read, ITEM.exec(inside)));
    }
    return items;
  };
}

function readItem(read: Read, match: RegExpExecArray | null): unknown {
  if (!match) throw new Error("The database returned an array that cannot be read.");
  const [, quoted, bare = ""] = match;
  if (quoted !== undefined) return read(quoted.replace(/\\(.)/gs, "$1"));
  return bare === "NULL" ? null : read(bare);
}
