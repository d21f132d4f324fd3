import type { Owner } from "../environment/event-queue.ts";
import type { Random } from "../environment/random.ts";
import { type ProcessParts, type SimulatedProcess, startProcess } from "./simulated-process.ts";

const PROCESSES = 2;

/** Keeps two processes running, as a supervisor does: one that has died is started again after a while. */
export class ProcessManager {
  readonly #parts: ProcessParts;
  readonly #random: Random;
  readonly #running = new Map<Owner, SimulatedProcess>();
  #started = 0;

  constructor(parts: ProcessParts) {
    this.#parts = parts;
    this.#random = parts.world.random.fork("processes");
  }

  /** Those that serve requests. */
  running(): readonly SimulatedProcess[] {
    return [...this.#running.values()];
  }

  async startAll(): Promise<void> {
    await Promise.all(Array.from({ length: PROCESSES }, () => this.start()));
  }

  /** Starts one more. Another attempt follows if it cannot start, for example because the database is down. */
  start(): Promise<void> {
    const owner: Owner = { name: `p${++this.#started}`, isAlive: true, clockOffset: 0 };
    const { world } = this.#parts;
    world.step("process", `${owner.name} starts`);
    return this.in(owner, () => startProcess(this.#parts, owner)).then(
      (process) => void this.#running.set(owner, process),
      () => {
        this.died(owner);
      },
    );
  }

  /** Runs a function as code of a process. Never settles if the process dies meanwhile. */
  in<Result>(owner: Owner, run: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#parts.world.time.after(0, () => void run().then(resolve, reject), owner);
    });
  }

  /** The process is gone, at once and with everything it had in memory. */
  died(owner: Owner): void {
    owner.isAlive = false;
    this.#running.delete(owner);
    this.#parts.network.hangUp(owner);
    this.#parts.world.time.after(500 + this.#random.next() * 30_000, () => void this.start());
  }

  /** Replaces one process by a new one in the orderly way, as an update does: the new one runs before the old one has stopped. */
  replace(): void {
    const [old] = this.running();
    if (!old || this.#running.size < PROCESSES) return;
    const { world } = this.#parts;
    void this.start().then(() => {
      if (!this.#running.delete(old.owner)) return;
      world.step("process", `${old.owner.name} stops`);
      void this.in(old.owner, old.stop)
        .catch(() => {})
        .then(() => {
          old.owner.isAlive = false;
          this.#parts.network.hangUp(old.owner);
        });
    });
  }
}
