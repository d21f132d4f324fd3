import { type Event, type EventKind, EventQueue, type Owner } from "./event-queue.ts";
import type { Random } from "./random.ts";

// Node's own timers, taken before they are replaced.
const nextTurn = setImmediate;
const MAX_ZERO_DELAYS = 200_000;
// After this long without an event of its own, the system may be idle.
const SETTLED_MILLISECONDS = 120;
const CHECK_MILLISECONDS = 100;
// Idle time ends this long before the next event.
const LANDING_MILLISECONDS = 60;
const REARMED_TIMES = 3;
// Longer timers only renew something, such as the driver's connections, and may be late.
const LONG_MILLISECONDS = 600_000;

export type TimeOptions = {
  readonly random: Random;
  /** The wall clock at virtual time 0. */
  readonly startsAt: number;
  /** The earliest time at which the database has work for a periodic job; null while that cannot be told. */
  readonly nextDue: () => number | null;
  /** Called after idle time was skipped, before anything else happens. */
  readonly onSkip: (milliseconds: number) => void;
};

/** What the scheduler counted. */
export type TimeCounts = { events: number; turns: number; skippedMilliseconds: number };

/**
 * Virtual time: one event happens at a time, and everything that it leads to without waiting is finished before the next one.
 * Time in which only periodic jobs without work would run is skipped.
 */
export class VirtualTime {
  /** Monotonic milliseconds since the beginning. */
  now = 0;
  /** The process whose code is running; null for the world around the processes. */
  current: Owner | null = null;
  readonly counts: TimeCounts = { events: 0, turns: 0, skippedMilliseconds: 0 };
  readonly #foreground = new EventQueue();
  readonly #background = new EventQueue();
  readonly #options: TimeOptions;
  /** How often each timer function was set, to recognise those that set themselves again. */
  readonly #armed = new WeakMap<object, number>();
  #order = 0;
  #wallOffset = 0;
  readonly #setBacks: { readonly at: number; readonly milliseconds: number }[] = [];
  #busyAt = 0;
  #checkedAt = 0;
  #stopped = false;

  constructor(options: TimeOptions) {
    this.#options = options;
  }

  /** The database's wall clock, or that of the process whose code is running. */
  wall(): number {
    return Math.floor(this.#options.startsAt + this.now + this.#wallOffset + (this.current?.clockOffset ?? 0));
  }

  /** Sets every wall clock forwards or backwards. */
  step(milliseconds: number): void {
    this.#wallOffset += milliseconds;
    if (milliseconds < 0) this.#setBacks.push({ at: this.now, milliseconds: -milliseconds });
  }

  /** By how much the clock was set back since a virtual time. */
  setBackSince(since: number): number {
    return this.#setBacks.reduce((sum, { at, milliseconds }) => sum + (at >= since ? milliseconds : 0), 0);
  }

  /** Schedules an event of the world, or of a process. A quiet one alone does not mean that anything is going on. */
  after(milliseconds: number, run: () => void, owner: Owner | null = null, isQuiet = false): Event {
    return this.#push(milliseconds, run, owner, { everyMilliseconds: 0, delayMilliseconds: milliseconds, isBackground: false, isQuiet });
  }

  /** A timer that the program under test sets. */
  timer(run: (...values: unknown[]) => void, milliseconds: number, values: readonly unknown[], everyMilliseconds: number): Event {
    const armed = (this.#armed.get(run) ?? 0) + 1;
    this.#armed.set(run, armed);
    const isBackground = everyMilliseconds > 0 || milliseconds > LONG_MILLISECONDS || (armed >= REARMED_TIMES && milliseconds > 0);
    const kind = { everyMilliseconds, delayMilliseconds: milliseconds, isBackground, isQuiet: milliseconds === 0 };
    return this.#push(milliseconds, () => run(...values), this.current, kind);
  }

  /** Runs code of a process between two events. */
  as(owner: Owner, run: () => void): void {
    const before = this.current;
    this.current = owner;
    run();
    this.current = before;
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Lets events happen until `stop`, or until nothing is left to happen. */
  async run(): Promise<void> {
    let zeroDelays = 0;
    while (!this.#stopped) {
      const event = this.#next();
      if (!event) return;
      zeroDelays = event.at > this.now ? 0 : zeroDelays + 1;
      if (zeroDelays > MAX_ZERO_DELAYS) throw new Error("The program goes round in circles without time passing.");
      this.now = Math.max(this.now, event.at);
      if (!event.isBackground && !event.isQuiet) this.#busyAt = this.now;
      if (event.everyMilliseconds > 0) this.#background.push(again(event, this.now, this.#order++));
      this.current = event.owner;
      event.run();
      this.counts.events++;
      await this.settle();
      this.current = null;
    }
  }

  /** Waits until all code that needs no further event has run. */
  async settle(): Promise<void> {
    this.counts.turns++;
    await new Promise<void>((resolve) => void nextTurn(resolve));
  }

  #push(milliseconds: number, run: () => void, owner: Owner | null, kind: EventKind): Event {
    const at = this.now + Math.max(0, milliseconds);
    const event: Event = { at, order: this.#order++, owner, run, ...kind, isCancelled: false };
    (kind.isBackground ? this.#background : this.#foreground).push(event);
    return event;
  }

  #next(): Event | undefined {
    const own = this.#foreground.peek();
    const periodic = this.#background.peek();
    if (!periodic || (own && own.at <= periodic.at)) return this.#foreground.pop();
    if (this.#skip(own?.at ?? Number.POSITIVE_INFINITY)) return this.#next();
    return this.#background.pop();
  }

  /** Skips idle time. True if the time has changed. */
  #skip(nextOwn: number): boolean {
    if (this.now - this.#busyAt < SETTLED_MILLISECONDS || nextOwn - this.now <= LANDING_MILLISECONDS) return false;
    if (this.now - this.#checkedAt < CHECK_MILLISECONDS) return false;
    this.#checkedAt = this.now;
    const due = this.#options.nextDue();
    if (due === null) return false;
    const target = Math.min(nextOwn, due) - LANDING_MILLISECONDS;
    if (target <= this.now || !Number.isFinite(target)) return false;
    const milliseconds = target - this.now;
    this.counts.skippedMilliseconds += milliseconds;
    this.now = target;
    this.#busyAt = target;
    this.#options.onSkip(milliseconds);
    this.#rephase();
    return true;
  }

  /** Periodic timers that would have ended meanwhile are somewhere in their interval now. */
  #rephase(): void {
    for (const event of this.#background.takeAll().sort((one, other) => one.order - other.order)) {
      if (event.at < this.now) event.at = this.now + this.#options.random.next() * event.delayMilliseconds;
      this.#background.push(event);
    }
  }
}

function again(event: Event, now: number, order: number): Event {
  return Object.assign(event, { at: now + event.everyMilliseconds, order });
}
