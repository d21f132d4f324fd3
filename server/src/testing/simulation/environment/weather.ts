import type { Account, Clients } from "../actors/clients.ts";
import type { ProcessManager } from "../actors/process-manager.ts";
import type { SimulatedProvider } from "../actors/provider.ts";
import type { Receivers } from "../actors/receiver.ts";
import type { Staff } from "../actors/staff.ts";
import type { DatabaseNetwork } from "./database-network.ts";
import type { Random } from "./random.ts";
import type { World } from "./world.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const CLOCK_STEPS = [1 * SECOND, 20 * SECOND, 90 * SECOND, 5 * MINUTE, 40 * MINUTE, 3 * HOUR, 7 * HOUR];

export type WeatherParts = {
  readonly world: World;
  readonly network: DatabaseNetwork;
  readonly manager: ProcessManager;
  readonly providers: readonly SimulatedProvider[];
  readonly receivers: Receivers;
  readonly clients: Clients;
  readonly staff: Staff;
  readonly accounts: readonly Account[];
};

/** Decides by seed what is bought, and what goes wrong meanwhile. */
export class Weather {
  readonly #parts: WeatherParts;
  readonly #random: Random;
  #bursts = 0;

  constructor(parts: WeatherParts) {
    this.#parts = parts;
    this.#random = parts.world.random.fork("weather");
  }

  /** One burst of purchases, with faults around it. Returns the time until the next one. */
  burst(): number {
    const { world, clients, accounts } = this.#parts;
    const random = this.#random;
    for (let count = random.between(2, 9); count > 0; count--) world.soon(random, 40 * SECOND, () => clients.buy(random.pick(accounts)));
    this.#maybe(0.5, () => world.allowCrash());
    this.#maybe(0.15, () => this.#kill());
    this.#maybe(0.4, () => world.crashAtNextOrder());
    this.#maybe(0.12, () => this.#outage());
    this.#maybe(0.25, () => this.#down(random.pick(this.#parts.providers), "provider", [20 * SECOND, 20 * MINUTE, 8 * HOUR]));
    this.#maybe(0.2, () => this.#down(this.#parts.receivers, "receivers", [20 * SECOND, 20 * MINUTE, 5 * HOUR]));
    this.#maybe(0.3, () => this.#stepClock());
    this.#maybe(0.1, () => this.#skewMachine());
    this.#maybe(0.2, () => this.#parts.manager.replace());
    this.#maybe(0.4, () => this.#parts.staff.act());
    // The first ones come soon, so that a short run has something to check.
    const gaps = ++this.#bursts <= 4 ? [MINUTE, 5 * MINUTE] : [MINUTE, 10 * MINUTE, 2 * HOUR, 12 * HOUR, 40 * HOUR, 100 * HOUR];
    return random.pick(gaps) * (0.5 + random.next());
  }

  #maybe(probability: number, run: () => void): void {
    if (this.#random.chance(probability)) this.#parts.world.soon(this.#random, 60 * SECOND, run);
  }

  #kill(): void {
    const processes = this.#parts.manager.running();
    if (processes.length > 0) this.#parts.world.crash(this.#random.pick(processes).owner);
  }

  #outage(): void {
    this.#parts.world.countFault("database: outage");
    this.#parts.network.goDown(this.#random.between(1, 20) * SECOND);
  }

  #down(part: { isDown: boolean }, name: string, lengths: readonly number[]): void {
    this.#parts.world.countFault(`${name}: outage`);
    part.isDown = true;
    this.#parts.world.time.after(this.#random.pick(lengths) * (0.5 + this.#random.next()), () => {
      part.isDown = false;
    });
  }

  #stepClock(): void {
    const { world } = this.#parts;
    const milliseconds = this.#random.pick(CLOCK_STEPS) * (0.5 + this.#random.next()) * (this.#random.chance(0.6) ? -1 : 1);
    world.countFault(milliseconds < 0 ? "clock: set back" : "clock: set forward");
    world.step("clock", `steps by ${Math.round(milliseconds / SECOND)} s`);
    world.time.step(Math.round(milliseconds));
  }

  /** The clock of one machine differs from the database's for a while. */
  #skewMachine(): void {
    const processes = this.#parts.manager.running();
    if (processes.length === 0) return;
    const { owner } = this.#random.pick(processes);
    this.#parts.world.countFault("clock: machine skewed");
    owner.clockOffset = this.#random.between(-3, 3) * MINUTE;
    this.#parts.world.time.after(this.#random.between(1, 20) * MINUTE, () => {
      owner.clockOffset = 0;
    });
  }
}
