import { uiText } from "../../messages/en/ui.ts";
import { MONTHS } from "../formats/format.ts";
// Days and times are typed and shown in one form for everybody. The browser's own fields follow its language, so that
// 03/04/2026 is April for one person and March for another.

/** A kind of time that is typed as text. `read` gives the value, or null when the text is none; `show` writes it. */
export type TimeKind = {
  readonly read: (text: string) => string | null;
  readonly show: (value: string) => string;
  readonly example: string;
};

// English names are always read, because they are what most keyboards type.
const ENGLISH_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const ISO_DAY = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;
// The day comes first, as in India.
const NUMBERS = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$/;
const WORDS = /^(\d{1,2})[ -]([\p{L}\p{M}]{2,12})[ ,-]{1,2}(\d{4})$/u;

/** A day such as "17 Nov 2026"; also read as 2026-11-17 and 17/11/2026. Its value is "2026-11-17". */
export const DAY: TimeKind = {
  read: (text) => {
    const typed = text.trim().toLowerCase();
    const [, year, month, day] = ISO_DAY.exec(typed) ?? [];
    if (year !== undefined) return dayOf(Number(year), Number(month), Number(day));
    const [, first, second, last] = NUMBERS.exec(typed) ?? [];
    if (last !== undefined) return dayOf(Number(last), Number(second), Number(first));
    const [, date, name = "", of] = WORDS.exec(typed) ?? [];
    return of === undefined ? null : dayOf(Number(of), monthOf(name), Number(date));
  },
  show: (value) => {
    const [, year, month, day] = ISO_DAY.exec(value) ?? [];
    if (year === undefined) return value;
    return `${Number(day)} ${MONTHS[Number(month) - 1] ?? ""} ${year}`;
  },
  example: uiText.dayExample,
};

/** The number of a month by its English name or its name in the page's language, short or whole; 0 if it is neither. */
function monthOf(name: string): number {
  const english = ENGLISH_MONTHS.indexOf(name.slice(0, 3));
  return (english === -1 ? MONTHS.findIndex((month) => name.startsWith(month.toLowerCase())) : english) + 1;
}

function dayOf(year: number, month: number, day: number): string | null {
  const at = new Date(Date.UTC(year, month - 1, day));
  return at.getUTCMonth() === month - 1 && at.getUTCDate() === day ? at.toISOString().slice(0, 10) : null;
}

const CLOCK_TEXT = /^([01]?\d|2[0-3])[:.]([0-5]\d)$/;

/** A time of day such as "21:30". */
export const CLOCK: TimeKind = {
  read: (text) => {
    const [, hour, minute] = CLOCK_TEXT.exec(text.trim()) ?? [];
    return hour === undefined ? null : `${hour.padStart(2, "0")}:${minute}`;
  },
  show: (value) => value,
  example: "21:30",
};

function withoutComma(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed.endsWith(",") ? trimmed.slice(0, -1) : trimmed;
}

/** A day and a time such as "17 Nov 2026, 15:21". Its value is "2026-11-17T15:21". */
export const MOMENT: TimeKind = {
  read: (text) => {
    const typed = text.trim();
    const space = typed.lastIndexOf(" ");
    const end = space < 0 ? typed.toLowerCase().indexOf("t") : space;
    const before = typed.slice(0, Math.max(0, end));
    const [day, time] = [DAY.read(space < 0 ? before : withoutComma(before)), CLOCK.read(typed.slice(end + 1))];
    return day === null || time === null ? null : `${day}T${time}`;
  },
  show: (value) => {
    const [day = "", clock] = value.split("T");
    return clock === undefined ? value : `${DAY.show(day)}, ${clock}`;
  },
  example: uiText.momentExample,
};
