export type Zone = "Asia/Kolkata" | "UTC";

const OFFSETS: Readonly<Record<Zone, number>> = { "Asia/Kolkata": 330 * 60_000, UTC: 0 };
const OFFSET_TEXT: Readonly<Record<Zone, string>> = { "Asia/Kolkata": "+05:30", UTC: "+00:00" };
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

// A quoted text, a run of one letter, or anything else.
const TOKEN = /'([^']*)'|([A-Za-z])\2*|[^A-Za-z']+/g;

const two = (number: number) => String(number).padStart(2, "0");
const hour12 = (date: Date) => ((date.getUTCHours() + 11) % 12) + 1;

const WRITTEN: Readonly<Record<string, (date: Date, zone: Zone) => string>> = {
  yyyy: (date) => String(date.getUTCFullYear()).padStart(4, "0"),
  yy: (date) => two(date.getUTCFullYear() % 100),
  MMM: (date) => MONTHS[date.getUTCMonth()] ?? "",
  MM: (date) => two(date.getUTCMonth() + 1),
  M: (date) => String(date.getUTCMonth() + 1),
  dd: (date) => two(date.getUTCDate()),
  d: (date) => String(date.getUTCDate()),
  EEE: (date) => DAYS[date.getUTCDay()] ?? "",
  HH: (date) => two(date.getUTCHours()),
  H: (date) => String(date.getUTCHours()),
  hh: (date) => two(hour12(date)),
  h: (date) => String(hour12(date)),
  a: (date) => (date.getUTCHours() < 12 ? "AM" : "PM"),
  mm: (date) => two(date.getUTCMinutes()),
  ss: (date) => two(date.getUTCSeconds()),
  SSS: (date) => String(date.getUTCMilliseconds()).padStart(3, "0"),
  XXX: (_, zone) => OFFSET_TEXT[zone],
};

const READ: Readonly<Record<string, string>> = {
  yyyy: "[0-9]{4}",
  yy: "[0-9]{2}",
  MMM: "[A-Za-z]{3}",
  MM: "[0-9]{2}",
  M: "[0-9]{1,2}",
  dd: "[0-9]{2}",
  d: "[0-9]{1,2}",
  EEE: "[A-Za-z]{3}",
  HH: "[0-9]{2}",
  H: "[0-9]{1,2}",
  hh: "[0-9]{2}",
  h: "[0-9]{1,2}",
  a: "[AaPp][Mm]",
  mm: "[0-9]{2}",
  ss: "[0-9]{2}",
  SSS: "[0-9]{3}",
  XXX: "Z|[+-][0-9]{2}:?[0-9]{2}",
};

/** The first part of a date pattern that means nothing; null when all of it does. */
export function patternFault(pattern: string): string | null {
  if (pattern === "") return "is empty";
  for (const [token, quoted, letter] of pattern.matchAll(TOKEN)) {
    if (quoted === undefined && letter !== undefined && WRITTEN[token] === undefined) return token;
  }
  return null;
}

/** Writes a time by a pattern such as dd/MM/yyyy HH:mm:ss. */
export function formatDate(at: number, pattern: string, zone: Zone): string {
  const local = new Date(at + OFFSETS[zone]);
  return pattern.replace(TOKEN, (token, quoted: string | undefined) => quoted ?? WRITTEN[token]?.(local, zone) ?? token);
}

/** Reads a time by a pattern, in milliseconds since 1970; null when the text is not such a time. */
export function parseDate(text: string, pattern: string, zone: Zone): number | null {
  const names: string[] = [];
  const expression = pattern.replace(TOKEN, (token, quoted: string | undefined) => {
    const part = quoted === undefined ? READ[token] : undefined;
    if (part === undefined) return (quoted ?? token).replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
    names.push(token);
    return `(${part})`;
  });
  const match = new RegExp(`^${expression}$`).exec(text.trim());
  if (!match) return null;
  return momentOf(new Map(names.map((name, position) => [name, match[position + 1] ?? ""])), zone);
}

function momentOf(parts: ReadonlyMap<string, string>, zone: Zone): number | null {
  const number = (...names: readonly string[]) => Number(names.map((name) => parts.get(name)).find((part) => part !== undefined) ?? 0);
  const shortMonth = parts.get("MMM");
  const month = shortMonth === undefined ? number("MM", "M") || 1 : MONTHS.findIndex((name) => isSame(name, shortMonth)) + 1;
  const year = parts.has("yy") ? 2000 + number("yy") : number("yyyy");
  const [day, hour, minute, second] = [number("dd", "d") || 1, hourOf(parts, number), number("mm"), number("ss")];
  const local = new Date(Date.UTC(year, month - 1, day, hour, minute, second, number("SSS")));
  // Date.UTC would read February 30 as a day in March.
  const isSameDay = local.getUTCMonth() === month - 1 && local.getUTCDate() === day;
  if (!isSameDay || hour > 23 || minute > 59 || second > 59) return null;
  const offset = parts.get("XXX");
  return local.getTime() - (offset === undefined ? OFFSETS[zone] : offsetOf(offset));
}

function hourOf(parts: ReadonlyMap<string, string>, number: (...names: readonly string[]) => number): number {
  const half = parts.get("a");
  if (half === undefined) return number("HH", "H", "hh", "h");
  return (number("hh", "h") % 12) + (half.toUpperCase() === "PM" ? 12 : 0);
}

function offsetOf(text: string): number {
  if (text === "Z") return 0;
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(-2));
  return (text.startsWith("-") ? -minutes : minutes) * 60_000;
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

const ISO = /^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}:?[0-9]{2})?)?$/;

/** Reads an ISO 8601 time; without an offset it is in the given zone. */
export function parseIso(text: string, zone: Zone): number | null {
  const match = ISO.exec(text.trim());
  if (!match) return null;
  const day = text.trim().length === 10;
  const at = Date.parse(
    match[1] === undefined ? `${text.trim().replace(" ", "T")}${day ? "T00:00:00" : ""}Z` : text.trim().replace(" ", "T"),
  );
  if (Number.isNaN(at)) return null;
  return match[1] === undefined ? at - OFFSETS[zone] : at;
}
