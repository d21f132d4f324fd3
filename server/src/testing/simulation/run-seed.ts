import { changeAccount } from "../../domain/accounts/change-account.ts";
import { createAccount } from "../../domain/accounts/create-account.ts";
import { replaceCallbackSecret } from "../../domain/accounts/credentials/replace-callback-secret.ts";
import { replaceSigningSecret } from "../../domain/accounts/credentials/replace-signing-secret.ts";
import { replaceAllowlist } from "../../domain/accounts/replace-allowlist.ts";
import { checkLedger } from "../../domain/ledger/invariants.ts";
import { applyReport } from "../../domain/orders/recovery/apply-finding.ts";
import type { Report } from "../../domain/providers/connector.ts";
import { createKeyring } from "../../platform/crypto/keyring.ts";
import type { Vault } from "../../platform/crypto/vault.ts";
import { createLog } from "../../platform/observability/log.ts";
import { type Account, Clients } from "./actors/clients.ts";
import { ProcessManager } from "./actors/process-manager.ts";
import { SimulatedProvider } from "./actors/provider.ts";
import { Receivers } from "./actors/receiver.ts";
import type { SimulatedProcess } from "./actors/simulated-process.ts";
import { book, Staff } from "./actors/staff.ts";
import type { Bug } from "./checks/bugs.ts";
import { finalViolations, lastingViolations, lateOrders, type Parts } from "./checks/final-checks.ts";
import { Model } from "./checks/model.ts";
import { beatMeanwhile, nextDue, prepareNextDue } from "./checks/next-due.ts";
import { DatabaseNetwork } from "./environment/database-network.ts";
import { replaceGlobals } from "./environment/replace-globals.ts";
import type { Storage } from "./environment/storage.ts";
import { Weather } from "./environment/weather.ts";
import { World } from "./environment/world.ts";

const HOUR = 3_600_000;
// Made before the timers are replaced: it sets one, once for the whole program.
const LOG = createLog("silent");
// Longer than any back-off, poll and delay of a provider together.
const CALM_HOURS = 48;
const SOON_HOURS = 1;
// After the last fault, processes need a while to start again and to find their connections.
const RECOVERED_HOURS = 0.05;

export type SeedOptions = {
  readonly seed: number;
  /** Simulated hours in which things go wrong. Some quiet ones follow. */
  readonly hours: number;
  readonly bug: Bug | null;
  readonly verbose: boolean;
};

export type SeedResult = {
  readonly seed: number;
  readonly hours: number;
  readonly steps: number;
  readonly stepsByKind: Readonly<Record<string, number>>;
  readonly faults: Readonly<Record<string, number>>;
  readonly events: number;
  readonly skippedHours: number;
  readonly orders: number;
  readonly traceHash: string;
  readonly violations: readonly string[];
  /** The last lines of the trace before a violation. */
  readonly recent: readonly string[];
};

/** Simulates one seed on an emptied storage. The same options always give the same result. */
export async function runSeed(storage: Storage, options: SeedOptions): Promise<SeedResult> {
  const { seed, bug } = options;
  storage.reset();
  prepareNextDue(storage);
  if (bug?.sql) await storage.replaceInFunction(bug.sql.file, bug.sql.from, bug.sql.to);
  let simulation: Simulation | null = null;
  const world = new World({
    seed: String(seed),
    verbose: options.verbose,
    nextDue: (wallNow) => simulation?.nextDue(wallNow) ?? null,
    onSkip: (milliseconds) => simulation?.skipped(milliseconds),
    onCrash: (owner) => simulation?.manager.died(owner),
  });
  const model = new Model(world, storage);
  const restore = replaceGlobals(world.time, world.random.fork("Math.random").next);
  const rejected = (error: unknown) => model.violated(`An error was caught by nobody: ${error instanceof Error ? error.stack : error}`);
  process.on("unhandledRejection", rejected);
  try {
    const made = new Simulation(world, storage, model, options);
    simulation = made;
    world.time.after(0, () => void made.play().catch(rejected));
    await world.time.run();
  } finally {
    process.off("unhandledRejection", rejected);
    restore();
    if (bug?.sql) await storage.restoreFunction(bug.sql.file);
  }
  return {
    seed,
    hours: world.time.now / HOUR,
    steps: world.stepCount,
    stepsByKind: world.steps,
    faults: world.faults,
    events: world.time.counts.events,
    skippedHours: world.time.counts.skippedMilliseconds / HOUR,
    orders: model.purchases.size,
    traceHash: world.traceHash(),
    violations: model.violations,
    recent: model.violations.length > 0 ? world.recent.slice(-200) : [],
  };
}

/** The parts of one simulated installation, and what happens to them. */
class Simulation {
  readonly manager: ProcessManager;
  readonly #world: World;
  readonly #storage: Storage;
  readonly #model: Model;
  readonly #hours: number;
  readonly #bug: Bug | null;
  readonly #providers: readonly SimulatedProvider[];
  readonly #receivers: Receivers;
  readonly #network: DatabaseNetwork;
  #wellFrom: number | null = null;

  constructor(world: World, storage: Storage, model: Model, { hours, bug }: SeedOptions) {
    this.#world = world;
    this.#storage = storage;
    this.#model = model;
    this.#hours = hours;
    this.#bug = bug;
    this.#network = new DatabaseNetwork(world, storage);
    this.#receivers = new Receivers(world);
    const hooks = {
      report: (report: Report, from: string) => this.#report(report, from),
      violated: (what: string) => model.violated(what),
    };
    this.#providers = ["alpha", "beta"].map((name) => new SimulatedProvider(world, name, hooks));
    this.manager = new ProcessManager({
      world,
      network: this.#network,
      vault: vaultOf(world),
      log: LOG,
      providers: (owner) => Object.fromEntries(this.#providers.map((one) => [one.name, one.connectorOf(owner)])),
      transport: (owner) => this.#receivers.senderOf(owner),
      bug,
    });
  }

  /** When the system has something to do again, in wall time; null if it is not idle. */
  nextDue(wallNow: number): number | null {
    if (this.#network.hasSilence()) return null;
    const due = nextDue(this.#storage, this.manager.running().length, this.#bug);
    if (due === null) return null;
    if (wallNow > due.lateAt && this.#isWell()) this.#model.violated("Due work was not begun although everything is well.");
    return Math.max(wallNow, due.at);
  }

  /** Idle time was skipped, in which the processes have done no more than show that they run. */
  skipped(milliseconds: number): void {
    const running = this.manager.running();
    beatMeanwhile(
      this.#storage,
      running.map(({ orders }) => orders.processId),
      milliseconds,
    );
    for (const process of running) this.#world.time.as(process.owner, process.activity.update);
  }

  #isWell(): boolean {
    const running = this.manager.running();
    const isRecovered = this.#wellFrom !== null && this.#world.time.now >= this.#wellFrom;
    return isRecovered && running.length > 0 && running.every(({ owner }) => owner.clockOffset === 0);
  }

  async play(): Promise<void> {
    const { time } = this.#world;
    await this.manager.startAll();
    const accounts = await this.#createAccounts();
    const clients = new Clients(this.#world, this.#model, () => this.manager.running());
    const staff = new Staff({ world: this.#world, model: this.#model, manager: this.manager, storage: this.#storage, accounts });
    const weather = new Weather({
      ...{ world: this.#world, network: this.#network, manager: this.manager, providers: this.#providers },
      ...{ receivers: this.#receivers, clients, staff, accounts },
    });
    this.#world.isCalm = false;
    const endsAt = time.now + this.#hours * HOUR;
    const next = () => {
      if (this.#storage.isFree()) for (const violation of lastingViolations(this.#parts())) this.#model.violated(violation);
      if (time.now >= endsAt) return void this.#clearUp();
      time.after(Math.min(weather.burst(), endsAt - time.now + 1), next);
    };
    next();
  }

  /** Everything is well from now on, and stays so until nothing may be left undone. */
  #clearUp(): void {
    this.#world.isCalm = true;
    const { time } = this.#world;
    this.#wellFrom = time.now + RECOVERED_HOURS * HOUR;
    for (const part of [...this.#providers, this.#receivers]) part.isDown = false;
    time.after(SOON_HOURS * HOUR, () => this.#checkPending());
    time.after(CALM_HOURS * HOUR, () => void this.#finish());
  }

  /** Soon after the last fault, polls are at most five minutes apart, whatever the clock did before. */
  #checkPending(): void {
    if (!this.#storage.isFree()) return void this.#world.time.after(1, () => this.#checkPending());
    const decidedBefore = this.#world.time.now - (SOON_HOURS * HOUR) / 2;
    for (const violation of lateOrders(this.#parts(), decidedBefore)) this.#model.violated(violation);
  }

  async #finish(): Promise<void> {
    const [process] = this.manager.running();
    if (!process) return this.#model.violated("No process is running although everything is well.");
    const ledger = await this.manager.in(process.owner, () => checkLedger(process.orders.sql));
    for (const { name, violations } of ledger)
      if (violations > 0) this.#model.violations.push(`The ledger check found ${violations}: ${name}.`);
    this.#model.violations.push(...finalViolations(this.#parts()));
    this.#world.time.stop();
  }

  #parts(): Parts {
    return { model: this.#model, storage: this.#storage, providers: this.#providers, receivers: this.#receivers };
  }

  #report(report: Report, provider: string): void {
    const processes = this.manager.running();
    const [process] = processes;
    if (!process) return;
    void this.manager
      .in(process.owner, () => applyReport(process.orders, report, provider))
      .catch(() => this.#world.step("provider", "report failed"));
  }

  async #createAccounts(): Promise<readonly Account[]> {
    const [process] = this.manager.running();
    if (!process) throw new Error("No process is running.");
    const accounts: Account[] = [];
    for (const kind of [2, 3, null] as const) accounts.push(await this.manager.in(process.owner, () => this.#createAccount(process, kind)));
    return accounts;
  }

  async #createAccount(process: SimulatedProcess, version: 2 | 3 | null): Promise<Account> {
    const ctx = process.accounts;
    const created = await createAccount(ctx, "staff", { name: `Version ${version}`, sandbox: false });
    if (created.kind !== "done") throw new Error("The account was not created.");
    const { accountId, apiToken: token } = created;
    await replaceAllowlist(ctx, "staff", { accountId, entries: ["192.0.2.1"] });
    const signing = await replaceSigningSecret(ctx, "staff", { accountId });
    const callback = await replaceCallbackSecret(ctx, "staff", { accountId });
    if (signing.kind !== "done" || callback.kind !== "done") throw new Error("No secret was made.");
    const host = version === null ? null : `v${version}.example`;
    if (host !== null && version !== null) {
      await changeAccount(ctx, "staff", { accountId, callbackUrl: `https://${host}/callback`, callbackVersion: version });
      this.#receivers.keys.set(host, { version, key: version === 3 ? callback.callbackSecret : token });
    }
    const first = { accountId, reference: `first ${accountId}`, amount: 3_000, acknowledged: false };
    this.#model.topUps.push(first);
    await book(process, first);
    return { accountId, token, secret: signing.signingSecret, version: version ?? 2, host };
  }
}

/** Sealing needs a key. It depends on the seed like everything else. */
function vaultOf(world: World): Vault {
  const keyring = createKeyring([{ keyId: "mk", bytes: world.random.fork("vault").fill(Buffer.alloc(32)) }]);
  return {
    keyring: () => keyring,
    open: async (sealed, context) => keyring.open(sealed, context),
    reload: async () => {},
    outer: () => null,
  };
}
