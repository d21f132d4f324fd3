// India has one time zone, UTC+05:30, without daylight saving time.
const OFFSET_MILLISECONDS = 5.5 * 60 * 60 * 1000;

/** `YYYY-MM-DD HH:MM:SS` in India. */
export function indiaDateTime(milliseconds: number): string {
  return new Date(milliseconds + OFFSET_MILLISECONDS).toISOString().slice(0, 19).replace("T", " ");
}

/** `YYYY-MM-DD` in India. */
export function indiaDate(milliseconds: number): string {
  return indiaDateTime(milliseconds).slice(0, 10);
}

const DATE = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;

/** The start of a `YYYY-MM-DD` in India; null if the date does not exist. */
export function indiaMidnight(date: string): number | null {
  if (!DATE.test(date)) return null;
  const milliseconds = Date.parse(`${date}T00:00:00.000Z`) - OFFSET_MILLISECONDS;
  // Date.parse reads February 30 as a day in March.
  return Number.isNaN(milliseconds) || indiaDate(milliseconds) !== date ? null : milliseconds;
}

/** `YYYY-MM` in India. */
export function indiaMonth(milliseconds: number): string {
  return indiaDate(milliseconds).slice(0, 7);
}

export type Span = { readonly fromMilliseconds: number /** Exclusive. */; readonly toMilliseconds: number };

/** The start and end of a `YYYY-MM` in India; null if the month does not exist. */
export function indiaMonthSpan(month: string): Span | null {
  const [, year, number] = /^([0-9]{4})-([0-9]{2})$/.exec(month) ?? [];
  const next = Number(number) === 12 ? `${Number(year) + 1}-01` : `${year}-${String(Number(number) + 1).padStart(2, "0")}`;
  const [fromMilliseconds, toMilliseconds] = [indiaMidnight(`${month}-01`), indiaMidnight(`${next}-01`)];
  return fromMilliseconds === null || toMilliseconds === null ? null : { fromMilliseconds, toMilliseconds };
}

/** Minutes since midnight in India. */
export function indiaMinuteOfDay(milliseconds: number): number {
  const time = new Date(milliseconds + OFFSET_MILLISECONDS);
  return time.getUTCHours() * 60 + time.getUTCMinutes();
}

const TIME_OF_DAY = /^([01][0-9]|2[0-3]):([0-5][0-9])$/;

/** Reads an `HH:MM` as minutes since midnight; null if it is not a time of day. */
export function parseTimeOfDay(text: string): number | null {
  const match = TIME_OF_DAY.exec(text);
  return match ? Number(match[1]) * 60 + Number(match[2]) : null;
}

/** Reads a `YYYY-MM-DD HH:MM:SS` or the start of a `YYYY-MM-DD` in India; null if the time does not exist. */
export function indiaMoment(text: string): number | null {
  const [, day = "", minutes = "00:00", seconds = "00"] = /^([0-9-]{10})(?: ([0-9:]{5}):([0-5][0-9]))?$/.exec(text) ?? [];
  const midnight = indiaMidnight(day);
  const minute = parseTimeOfDay(minutes);
  return midnight === null || minute === null ? null : midnight + (minute * 60 + Number(seconds)) * 1000;
}

export type OpeningHours = { readonly opensAt: string | null; readonly closesAt: string | null };

/** Open from `opensAt` up to, not including, `closesAt`; the span may cross midnight. */
export function isOpen(hours: OpeningHours, milliseconds: number): boolean {
  const opens = hours.opensAt === null ? null : parseTimeOfDay(hours.opensAt);
  const closes = hours.closesAt === null ? null : parseTimeOfDay(hours.closesAt);
  if (opens === null && closes === null) return true;
  const from = opens ?? 0;
  const to = closes ?? 24 * 60;
  const minute = indiaMinuteOfDay(milliseconds);
  if (from === to) return true;
  return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}
