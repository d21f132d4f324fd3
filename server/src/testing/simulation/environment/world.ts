import { createHash } from "node:crypto";
import type { Owner } from "./event-queue.ts";
import { type Random, seededRandom } from "./random.ts";
import { VirtualTime } from "./virtual-time.ts";

/** Where faults are injected. */
export type Place = "database" | "client network" | "provider network" | "receiver network";

/** The kinds of steps that are counted. */
export type StepKind = "database" | "client" | "provider" | "callback" | "staff" | "process" | "clock";

const RATES: Record<Place, number> = { database: 0.012, "client network": 0.12, "provider network": 0.15, "receiver network": 0.25 };
// The first virtual moment: 1 January 2027, 05:30 in India.
const STARTS_AT = Date.UTC(2027, 0, 1);
const RECENT_LINES = 400;
const MID_ORDER_MILLISECONDS = 400;
// Faults of the database are of interest while something is going on.
const ACTIVE_MILLISECONDS = 1_500;

export type WorldOptions = {
  readonly seed: string;
  readonly nextDue: (wallNow: number) => number | null;
  /** Idle time was skipped. */
  readonly onSkip: (milliseconds: number) => void;
  /** Ends a process at once, as `kill -9` does. */
  readonly onCrash: (owner: Owner) => void;
  readonly verbose: boolean;
};

/** What every simulated part shares: time, randomness, the faults that are on, and the trace. */
export class World {
  readonly random: Random;
  readonly time: VirtualTime;
  readonly steps: Partial<Record<StepKind, number>> = {};
  readonly faults: Record<string, number> = {};
  /** The last lines of the trace, for the report of a violation. */
  readonly recent: string[] = [];
  /** While true, nothing goes wrong. */
  isCalm = true;
  readonly #options: WorldOptions;
  readonly #hash = createHash("sha256");
  #stepCount = 0;
  #mayCrash = 0;
  #activeAt = 0;
  #crashAtOrder = false;
  #crashAtBatch: Owner | null = null;

  constructor(options: WorldOptions) {
    this.#options = options;
    this.random = seededRandom(options.seed);
    this.time = new VirtualTime({
      random: this.random.fork("time"),
      startsAt: STARTS_AT,
      nextDue: () => {
        const due = options.nextDue(this.time.wall());
        return due === null ? null : this.time.now + Math.max(0, due - this.time.wall());
      },
      onSkip: options.onSkip,
    });
  }

  faultRate(place: Place): number {
    return this.isCalm ? 0 : RATES[place];
  }

  /** Whether something other than idle polling has happened just now. */
  isActive(): boolean {
    return this.time.now - this.#activeAt < ACTIVE_MILLISECONDS;
  }

  countFault(name: string): void {
    this.faults[name] = (this.faults[name] ?? 0) + 1;
    this.#trace(`fault ${name}`);
  }

  /** Counts one step of the simulation. The same seed always leads to the same steps. */
  step(kind: StepKind, detail: string): void {
    this.steps[kind] = (this.steps[kind] ?? 0) + 1;
    this.#stepCount++;
    if (kind !== "database") this.#activeAt = this.time.now;
    this.#trace(`${kind} ${detail}`);
  }

  get stepCount(): number {
    return this.#stepCount;
  }

  /** Allows a number of crashes at the next faults of the database. */
  allowCrash(): void {
    this.#mayCrash++;
  }

  /** The process that gets the next order crashes while it works on it. */
  crashAtNextOrder(): void {
    this.#crashAtOrder = true;
  }

  requestArrived(owner: Owner): void {
    if (!this.#crashAtOrder) return;
    this.#crashAtOrder = false;
    this.countFault("process: killed during an order");
    if (this.random.chance(0.5)) this.#crashAtBatch = owner;
    else this.time.after(this.random.next() * MID_ORDER_MILLISECONDS, () => this.crash(owner));
  }

  /** Whether a process is to crash at this batch of orders, which the database executes later. */
  crashesAtBatch(owner: Owner): boolean {
    if (this.#crashAtBatch !== owner) return false;
    this.#crashAtBatch = null;
    return owner.isAlive;
  }

  mayCrash(): boolean {
    return this.#mayCrash > 0;
  }

  crash(owner: Owner): void {
    if (!owner.isAlive) return;
    this.#mayCrash = Math.max(0, this.#mayCrash - 1);
    this.step("process", `${owner.name} crashes`);
    this.#options.onCrash(owner);
  }

  /** Runs after a random time; the argument is the longest. */
  soon(random: Random, mostMilliseconds: number, run: () => void, owner: Owner | null = null): void {
    this.time.after(random.next() * mostMilliseconds, run, owner);
  }

  traceHash(): string {
    return this.#hash.copy().digest("hex").slice(0, 16);
  }

  #trace(text: string): void {
    const line = `${this.time.now.toFixed(3)} ${text}`;
    this.#hash.update(line).update("\n");
    if (!text.startsWith("database")) this.recent.push(`${new Date(this.time.wall()).toISOString()} ${line}`);
    if (this.recent.length > 2 * RECENT_LINES) this.recent.splice(0, RECENT_LINES);
    if (this.#options.verbose && !text.startsWith("database")) process.stderr.write(`${line}\n`);
  }
}
