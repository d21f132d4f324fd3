import { reverseManually } from "../../../domain/orders/change-manually.ts";
import { topUp } from "../../../domain/orders/top-up.ts";
import { moneyOf } from "../../../platform/core/money.ts";
import type { Model, TopUp } from "../checks/model.ts";
import type { Random } from "../environment/random.ts";
import type { Storage } from "../environment/storage.ts";
import type { World } from "../environment/world.ts";
import type { Account } from "./clients.ts";
import type { ProcessManager } from "./process-manager.ts";
import type { SimulatedProcess } from "./simulated-process.ts";

const UNITS = 10_000n;

/** What people of the platform do: top wallets up, and reverse orders, sometimes two of them at once. */
export class Staff {
  readonly #world: World;
  readonly #model: Model;
  readonly #manager: ProcessManager;
  readonly #storage: Storage;
  readonly #random: Random;
  readonly #accounts: readonly Account[];

  constructor(parts: {
    readonly world: World;
    readonly model: Model;
    readonly manager: ProcessManager;
    readonly storage: Storage;
    readonly accounts: readonly Account[];
  }) {
    this.#world = parts.world;
    this.#model = parts.model;
    this.#manager = parts.manager;
    this.#storage = parts.storage;
    this.#accounts = parts.accounts;
    this.#random = parts.world.random.fork("staff");
  }

  act(): void {
    if (this.#random.chance(0.5)) this.#topUp();
    else this.#reverse();
  }

  #topUp(): void {
    const { accountId } = this.#random.pick(this.#accounts);
    const reference = `T${this.#model.topUps.length + 1}`;
    const wanted: TopUp = { accountId, reference, amount: this.#random.between(100, 2_000), acknowledged: false };
    this.#model.topUps.push(wanted);
    const times = this.#random.chance(0.3) ? 2 : 1;
    for (let time = 0; time < times; time++) this.#in((process) => book(process, wanted));
  }

  #reverse(): void {
    if (!this.#storage.isFree()) return;
    const rows = this.#storage.execute("select order_id from orders where state = 1 order by order_id desc limit 5");
    if (rows.length === 0) return;
    const orderId = this.#random.pick(rows)[0] ?? "";
    this.#model.touchedByStaff.add(orderId);
    for (let time = 0; time < 2; time++)
      this.#in(async ({ orders }) => {
        const result = await reverseManually(orders, "staff", { orderId, reason: "test" });
        this.#world.step("staff", `reverses ${orderId}: ${result.kind}`);
      });
  }

  #in(run: (process: SimulatedProcess) => Promise<void>): void {
    const processes = this.#manager.running();
    if (processes.length === 0) return;
    const process = this.#random.pick(processes);
    // Staff see the error and look at the order again; nothing follows from it here.
    void this.#manager.in(process.owner, () => run(process)).catch(() => this.#world.step("staff", "got an error"));
  }
}

/** Tops a wallet up. Only an answer counts: without one the money may or may not be there, but never twice. */
export async function book(process: SimulatedProcess, wanted: TopUp): Promise<void> {
  const { accountId, reference, amount } = wanted;
  const result = await topUp(process.orders, "staff", { accountId, reference, amount: moneyOf(BigInt(amount) * UNITS), note: "" });
  if (result.kind === "done") wanted.acknowledged = true;
}
