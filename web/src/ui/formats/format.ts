import { uiText } from "../../messages/en/ui.ts";
import { fill } from "../../messages/fill.ts";
/** An amount in the parts that are shown and copied. */
export type MoneyParts = {
  readonly negative: boolean;
  /** In Indian groups with two decimals, and with the third and fourth where they are not zero: "1,23,456.50". */
  readonly grouped: string;
  /** The zeros that are not shown: "00". With them the amount is exact. */
  readonly rest: string;
};

/** Splits an exact amount ("123456.5000") into its sign, what is shown and what only a copy has. */
export function groupMoney(exact: string): MoneyParts {
  const negative = exact.startsWith("-");
  const [whole = "0", fraction = ""] = (negative ? exact.slice(1) : exact).split(".");
  const decimals = fraction.padEnd(4, "0");
  const shown = decimals.slice(0, 2) + decimals.slice(2).replace(/(?<!0)0+$/, "");
  return { negative, grouped: `${groupWhole(whole)}.${shown}`, rest: decimals.slice(shown.length) };
}

function groupWhole(whole: string): string {
  const groups = [whole.slice(-3)];
  for (let end = whole.length - 3; end > 0; end -= 2) groups.unshift(whole.slice(Math.max(0, end - 2), end));
  return groups.join(",");
}

/** Whether an exact amount is anything but zero. */
export function isNonZero(exact: string): boolean {
  return /[1-9]/.test(exact);
}

export function moneyText(exact: string): string {
  const { negative, grouped } = groupMoney(exact);
  return `${negative ? "−" : ""}₹${grouped}`;
}

const LAKH = 100_000;
const CRORE = 100 * LAKH;

/** An amount for a chart's axis, in lakh and crore. */
export function moneyTick(value: number): string {
  const size = Math.abs(value);
  const sign = value < 0 ? "−₹" : "₹";
  if (size >= CRORE) return fill(uiText.crore, { sign, size: rounded(size / CRORE) });
  return size >= LAKH ? fill(uiText.lakh, { sign, size: rounded(size / LAKH) }) : `${sign}${groupNumber(rounded(size))}`;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

function groupNumber(value: number): string {
  const [whole = "0", fraction] = String(value).split(".");
  return groupWhole(whole) + (fraction === undefined ? "" : `.${fraction}`);
}

export function countText(count: number): string {
  return groupWhole(String(Math.trunc(count)));
}

/** The short names of the months, as times are shown. */
export const MONTHS = [
  uiText.jan,
  uiText.feb,
  uiText.mar,
  uiText.apr,
  uiText.may,
  uiText.jun,
  uiText.jul,
  uiText.aug,
  uiText.sep,
  uiText.oct,
  uiText.nov,
  uiText.dec,
];
const INDIA = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}:\d{2}:\d{2})$/;

export type Moment = { readonly iso: string; readonly day: string; readonly clock: string; readonly utc: string };

/** Parses India time as the API writes it ("2026-11-15 15:21:32"); also gives the same instant in UTC. */
export function readIndiaTime(text: string): Moment | null {
  const match = INDIA.exec(text);
  if (!match) return null;
  const [, year, month, day, clock = ""] = match;
  const iso = `${year}-${month}-${day}T${clock}+05:30`;
  const utc = `${new Date(iso).toISOString().slice(0, 19).replace("T", " ")} UTC`;
  return { iso, day: `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}`, clock, utc };
}

/** A duration such as "1 min 20 s". */
export function durationText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  if (hours > 0) return fill(uiText.hoursMinutes, { hours, minutes });
  return minutes > 0 ? fill(uiText.minutesSeconds, { minutes, rest }) : fill(uiText.seconds, { rest });
}

const MINUTE_MILLISECONDS = 60_000;
const HOUR_MILLISECONDS = 60 * MINUTE_MILLISECONDS;
const DAY_MILLISECONDS = 24 * HOUR_MILLISECONDS;
const INDIA_MILLISECONDS = 5.5 * HOUR_MILLISECONDS;

/** A duration of days or hours such as "2 d 4 h", without seconds. */
export function longDurationText(milliseconds: number): string {
  const days = Math.floor(milliseconds / DAY_MILLISECONDS);
  const hours = Math.floor((milliseconds % DAY_MILLISECONDS) / HOUR_MILLISECONDS);
  const minutes = Math.floor((milliseconds % HOUR_MILLISECONDS) / MINUTE_MILLISECONDS);
  if (days > 0) return fill(uiText.daysHours, { days, hours });
  return hours > 0 ? fill(uiText.hoursMinutes, { hours, minutes }) : fill(uiText.minutes, { minutes });
}

function indiaIso(milliseconds: number): string {
  return new Date(milliseconds + INDIA_MILLISECONDS).toISOString();
}

/** India time in the format of a datetime-local input, now or some days ago. */
export function indiaInput(now: number, daysAgo = 0): string {
  return indiaIso(now - daysAgo * DAY_MILLISECONDS).slice(0, 16);
}

/** The day in India, such as "2026-11-15", now or some days ago. */
export function indiaDay(now: number, daysAgo = 0): string {
  return indiaIso(now - daysAgo * DAY_MILLISECONDS).slice(0, 10);
}

/** A day as times show theirs: "2026-11-07" → "7 Nov 2026". Anything else is unchanged. */
export function dayText(day: string): string {
  return readIndiaTime(`${day} 00:00:00`)?.day ?? day;
}

/** A day as a chart shows it: "2026-11-17" → "17 Nov". */
export function shortDay(day: string): string {
  const [, month, date] = day.split("-");
  return `${Number(date)} ${MONTHS[Number(month) - 1] ?? month}`;
}

/** The value of a datetime-local input as the API takes it: "2026-11-15 15:21:00". */
export function indiaTimeOf(input: string): string {
  return `${input.replace("T", " ")}:00`;
}
