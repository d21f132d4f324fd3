import type { SeedResult } from "./run-seed.ts";

/** What several seeds came to. */
export type Totals = {
  seeds: number[];
  hours: number;
  skippedHours: number;
  steps: number;
  purchases: number;
  stepsByKind: Record<string, number>;
  faults: Record<string, number>;
  failed: SeedResult[];
};

export function noTotals(): Totals {
  return { seeds: [], hours: 0, skippedHours: 0, steps: 0, purchases: 0, stepsByKind: {}, faults: {}, failed: [] };
}

export function addResult(totals: Totals, result: SeedResult): void {
  totals.seeds.push(result.seed);
  totals.hours += result.hours;
  totals.skippedHours += result.skippedHours;
  totals.steps += result.steps;
  totals.purchases += result.orders;
  addAll(totals.stepsByKind, result.stepsByKind);
  addAll(totals.faults, result.faults);
  if (result.violations.length > 0) totals.failed.push(result);
}

function addAll(sums: Record<string, number>, more: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(more)) sums[name] = (sums[name] ?? 0) + count;
}

const number = (value: number) => Math.round(value).toLocaleString("en");

export function progressText(totals: Totals, seconds: number): string {
  const { hours, steps, seeds, failed } = totals;
  return `${seeds.length} seeds, ${number(hours)} simulated hours, ${number(steps)} steps, ${failed.length} with violations, ${number(seconds)} s`;
}

/** The report at the end of a run. `commandOf` is the exact command that repeats a seed. */
export function reportText(totals: Totals, seconds: number, commandOf: (result: SeedResult) => string): string {
  const sorted = totals.seeds.toSorted((one, other) => one - other);
  const table = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .sort(([, one], [, other]) => other - one)
      .map(([name, count]) => `  ${number(count).padStart(12)}  ${name}`);
  return [
    `Seeds: ${sorted[0]} to ${sorted.at(-1)} (${sorted.length})`,
    `Simulated hours: ${number(totals.hours)}, of which ${(totals.hours - totals.skippedHours).toFixed(1)} with something going on`,
    `Purchases: ${number(totals.purchases)}`,
    `Steps: ${number(totals.steps)} in ${number(seconds)} s`,
    ...table(totals.stepsByKind),
    "Faults:",
    ...table(totals.faults),
    ...totals.failed.flatMap((result) => violationLines(result, commandOf(result))),
    totals.failed.length === 0 ? "No violations." : `${totals.failed.length} seeds with violations.`,
  ].join("\n");
}

function violationLines(result: SeedResult, command: string): readonly string[] {
  return [
    "",
    `Seed ${result.seed}, after ${number(result.steps)} steps and ${result.hours.toFixed(1)} hours:`,
    ...result.violations.map((violation) => `  ${violation}`),
    `  Repeat it: ${command}`,
  ];
}
