import { wireNames } from "../client/wire-names.ts";
import { done, type Outcome, UsageFault } from "../shared/outcome.ts";
import type { ClientContext } from "../shared/run-command.ts";
import { table } from "../shared/table.ts";
import { type Capacity, planCapacity, type Step } from "./plan-capacity.ts";

export type CapacityOptions = {
  readonly ordersPerDay: string;
  readonly peak: string;
  readonly callbacks: string;
  readonly keepMonths: string;
  readonly cores: string;
};

const NOT_PLANNED_BY_THIS = "Measure your own installation before you buy machines: docs/scaling.md says how the costs were measured.";

/** Answers what an installation needs for so many orders. */
export async function showCapacity(_: ClientContext, options: CapacityOptions): Promise<Outcome> {
  const capacity = planCapacity({
    ordersPerDay: numberOf("--orders-per-day", options.ordersPerDay, 1, 1e12),
    peak: numberOf("--peak", options.peak, 1, 1_000),
    callbacks: numberOf("--callbacks", options.callbacks, 0, 100) / 100,
    keepMonths: numberOf("--keep-months", options.keepMonths, 1, 1_200),
    cores: numberOf("--cores", options.cores, 1, 1_024),
  });
  const fields = { ...wireNames(capacity), steps: capacity.steps.map(wireNames) };
  return done(`Use: ${capacity.step}.`, fields, `${needs(capacity)}\n\n${steps(capacity)}\n\n${NOT_PLANNED_BY_THIS}`);
}

function numberOf(option: string, text: string, least: number, most: number): number {
  const number = /^[0-9]+(?:\.[0-9]+)?$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new UsageFault(`${option} must be a number from ${least} to ${most}.`);
}

function needs(capacity: Capacity): string {
  return table(
    ["Needed", "Amount"],
    [
      ["orders a second at the peak", short(capacity.peakPerSecond)],
      ["cores for Node.js, half busy at the peak", short(capacity.nodeCores)],
      ["cores for PostgreSQL, half busy at the peak", short(capacity.postgresCores)],
      ["processes, each with a core of its own", `${capacity.processes}; one more so that one may fail`],
      ["cells", String(capacity.cells)],
      ["connections to each cell", String(capacity.connectionsOfEachCell)],
      ["database, GB; plan twice as much", short(capacity.databaseGigabytes)],
      ["references, GB more each year", short(capacity.referencesGigabytesAYear)],
      ["WAL, GB a day", short(capacity.walGigabytesADay)],
      ["archive, GB more each year", short(capacity.archiveGigabytesAYear)],
    ],
  );
}

function steps({ steps: all, step }: Capacity): string {
  const row = ({ name, upToOrdersPerDay }: Step) => [
    name === step ? "→" : "",
    name,
    upToOrdersPerDay === null ? "any" : `${upToOrdersPerDay.toLocaleString("en-US")} orders a day`,
  ];
  return table(["", "Step", "Enough up to"], all.map(row));
}

function short(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en-US") : String(Number(value.toPrecision(2)));
}
