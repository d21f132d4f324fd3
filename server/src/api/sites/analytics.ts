import { z } from "zod";
import type { Catalogue } from "../../domain/catalog/catalogue.ts";
import { csvLines } from "../../domain/jobs/csv.ts";
import {
  type AnalyticsQuery,
  type By,
  type Figures,
  type Line,
  NO_FIGURES,
  readCountedUntil,
  readFigures,
} from "../../domain/reporting/analytics/read-analytics.ts";
import { FAILURE_SENTENCES } from "../../domain/shared/failure.ts";
import { indiaDate, indiaDateTime, indiaMidnight } from "../../platform/core/india-time.ts";
import { formatMoney } from "../../platform/core/money.ts";
import type { Sql } from "../../platform/db/connection.ts";
import { RefusalOf } from "./actions/refusal.ts";
import { dayField } from "./days.ts";
import { moneyText, timeText } from "./outputs/output-fields.ts";

const DAY_MILLISECONDS = 86_400_000;
const MAX_DAYS = 366;
const DEFAULT_DAYS = 7;
const MAX_LINES = 200;
// Longer periods have a point for each day.
const MAX_HOURLY_DAYS = 2;

const name = z
  .string()
  .regex(/^[A-Za-z0-9_.-]{0,64}$/, "Must be a code or an id.")
  .transform((text) => (text === "" ? undefined : text))
  .optional();
const day = z.union([z.literal("").transform(() => undefined), dayField]).optional();

/** The query of analytics, without the dimensions that only staff can use. */
export const analyticsFilter = z.object({ from: day, to: day, service: name, operator: name, circle: name, reason: name });

const figures = z.strictObject({
  orders: z.int(),
  success: z.int(),
  failed: z.int().describe("Without reversed orders."),
  reversed: z.int(),
  pending: z.int(),
  value: moneyText.describe("The sum of the successful orders."),
  success_rate: z.number().nullable().describe("From 0 to 1; null if no order was decided."),
  median_ms: z.int().nullable().describe("Time to the final state, estimated from a histogram."),
  p95_ms: z.int().nullable(),
});

const point = z.strictObject({ at: timeText, ...figures.shape }).meta({ id: "AnalyticsPoint" });
const line = z
  .strictObject({ name: z.string(), label: z.string(), current: figures, previous: figures.describe("Of the period before.") })
  .meta({ id: "AnalyticsLine" });

/** The figures of a period and of the one before, over time and by one dimension. */
export const analyticsOutput = z
  .strictObject({
    from: z.string(),
    to: z.string(),
    previous_from: z.string(),
    previous_to: z.string(),
    counted_until: timeText.nullable().describe("Orders since then are not counted yet. Null: none is counted."),
    current: figures.meta({ id: "AnalyticsFigures" }),
    previous: figures,
    interval: z.enum(["hour", "day"]),
    points: z.array(point).readonly(),
    lines: z.array(line).readonly(),
    more_lines: z.boolean().describe("Whether there are more lines than are shown."),
  })
  .meta({ id: "Analytics" });

export type Asked = { readonly from?: string | undefined; readonly to?: string | undefined };
export type Period = { readonly fromDay: string; readonly toDay: string; readonly days: number };

/** The days that are asked for, by default the last seven; a refusal if they are no period. */
export function periodOf({ from, to }: Asked, now: number): Period | RefusalOf<"invalid_request"> {
  const toDay = to ?? indiaDate(now);
  const last = indiaMidnight(toDay) ?? 0;
  const fromDay = from ?? indiaDate(last - (DEFAULT_DAYS - 1) * DAY_MILLISECONDS);
  const days = (last - (indiaMidnight(fromDay) ?? 0)) / DAY_MILLISECONDS + 1;
  if (days < 1) return wrongPeriod("Must not be after the last day.");
  return days > MAX_DAYS ? wrongPeriod(`Must be at most ${MAX_DAYS} days before the last day.`) : { fromDay, toDay, days };
}

function wrongPeriod(fault: string): RefusalOf<"invalid_request"> {
  return new RefusalOf("invalid_request", "The period is not valid: from.", { fields: { from: fault } });
}

/** The same number of days before. */
function before({ fromDay, days }: Period): Period {
  const first = indiaMidnight(fromDay) ?? 0;
  return { fromDay: indiaDate(first - days * DAY_MILLISECONDS), toDay: indiaDate(first - DAY_MILLISECONDS), days };
}

type Wanted = Omit<AnalyticsQuery, "fromDay" | "toDay">;
type Labels = (lines: readonly Line[]) => Promise<(name: string) => string>;

export async function readAnalytics(
  databases: readonly Sql[],
  wanted: Wanted,
  period: Period,
  by: By,
  labels: Labels,
): Promise<z.output<typeof analyticsOutput>> {
  const previous = before(period);
  const [now, then] = [
    { ...wanted, ...period },
    { ...wanted, ...previous },
  ];
  const interval = period.days <= MAX_HOURLY_DAYS ? "hour" : "day";
  const [countedUntil, points, [current = NO_FIGURES], [earlier = NO_FIGURES], lines, linesBefore] = await Promise.all([
    readCountedUntil(databases),
    readFigures(databases, now, interval),
    readFigures(databases, now, "all"),
    readFigures(databases, then, "all"),
    readFigures(databases, now, by),
    readFigures(databases, then, by),
  ]);
  // Orders that did not fail have no reason.
  const named = by === "reason" ? lines.filter((one) => one.name !== "") : lines;
  const shown = named.slice(0, MAX_LINES);
  const label = await labels(shown);
  const ofBefore = new Map(linesBefore.map((one) => [one.name, one]));
  return {
    ...{ from: period.fromDay, to: period.toDay, previous_from: previous.fromDay, previous_to: previous.toDay },
    counted_until: countedUntil === null ? null : indiaDateTime(countedUntil),
    current: figureFields(current),
    previous: figureFields(earlier),
    interval,
    points: points.map((one) => ({ at: interval === "day" ? `${one.name} 00:00:00` : one.name, ...figureFields(one) })),
    lines: shown.map((one) => ({
      name: one.name,
      label: label(one.name),
      current: figureFields(one),
      previous: figureFields(ofBefore.get(one.name) ?? NO_FIGURES),
    })),
    more_lines: named.length > shown.length,
  };
}

function figureFields(of: Figures): z.output<typeof figures> {
  const decided = of.success + of.failed + of.reversed;
  return {
    ...{ orders: of.orders, success: of.success, failed: of.failed, reversed: of.reversed, pending: of.pending },
    value: formatMoney(of.value),
    success_rate: decided === 0 ? null : Math.round((of.success / decided) * 10_000) / 10_000,
    median_ms: of.medianMilliseconds,
    p95_ms: of.slowMilliseconds,
  };
}

/** The names of operators, circles and services, and the sentences of failures. */
export function labelOf(catalogue: Catalogue, by: By, value: string): string {
  if (value === "") return "None";
  if (by === "operator") return catalogue.operator(value)?.name ?? value;
  if (by === "circle") return catalogue.numbering().circle(value)?.name ?? value;
  if (by === "service") return catalogue.hasService(value) ? catalogue.service(value).name : value;
  if (by === "reason") return Object.entries(FAILURE_SENTENCES).find(([code]) => code === value)?.[1] ?? "Other reasons";
  return value;
}

const COLUMNS = ["orders", "success", "failed", "reversed", "pending", "value", "success_rate", "median_ms", "p95_ms"] as const;

/** The lines as a CSV file. */
export function analyticsCsv(by: By, { lines }: z.output<typeof analyticsOutput>): string {
  const header = [by, "name", ...COLUMNS, ...COLUMNS.map((one) => `previous_${one}`)];
  const cells = (of: z.output<typeof figures>) => COLUMNS.map((one) => String(of[one] ?? ""));
  return csvLines([header, ...lines.map((one) => [one.name, one.label, ...cells(one.current), ...cells(one.previous)])]);
}
