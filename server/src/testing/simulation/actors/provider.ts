import type { Connector, Finding, Outcome, ProviderRequest, Report } from "../../../domain/providers/connector.ts";
import { SIMULATED_OPERATIONS } from "../../../domain/providers/simulator/simulator.ts";
import type { Owner } from "../environment/event-queue.ts";
import type { Random } from "../environment/random.ts";
import type { World } from "../environment/world.ts";

/** What a provider has really done with one of our references. */
export type Truth = {
  readonly reference: string;
  readonly provider: string;
  /** How often the request arrived. More than once is our fault: the provider carries out what it gets. */
  arrivals: number;
  state: "undecided" | "succeeded" | "declined" | "reversed";
  readonly final: boolean;
  /** When it was decided, in virtual time. */
  decidedAt: number | null;
  /** The provider has said something that was not true; then only our books can be checked. */
  lied: boolean;
};

export type ProviderHooks = {
  readonly report: (report: Report, provider: string) => void;
  readonly violated: (what: string) => void;
};

const TIMEOUT_MILLISECONDS = 8_000;
const QUIET_MILLISECONDS = 60_000;
const HOUR = 3_600_000;

/** A provider with its own memory, behind a network that loses, delays and repeats. */
export class SimulatedProvider {
  readonly name: string;
  readonly truths = new Map<string, Truth>();
  isDown = false;
  readonly #world: World;
  readonly #random: Random;
  readonly #report: (report: Report, provider: string) => void;

  readonly #violated: (what: string) => void;

  constructor(world: World, name: string, hooks: ProviderHooks) {
    this.name = name;
    this.#world = world;
    this.#random = world.random.fork(`provider ${name}`);
    this.#report = hooks.report;
    this.#violated = hooks.violated;
  }

  /** The connector through which one process reaches this provider. */
  connectorOf(owner: Owner): Connector {
    return {
      operations: SIMULATED_OPERATIONS,
      query: async () => ({ kind: "unavailable", why: "not simulated" }),
      send: (request) => this.#exchange<Outcome>(owner, "send", request, () => this.#take(request), UNKNOWN, NOT_SENT),
      ask: (request) => this.#exchange<Finding>(owner, "ask", request, () => this.#tell(request.reference), UNKNOWN, UNKNOWN),
      quietMilliseconds: QUIET_MILLISECONDS,
      timeoutMilliseconds: TIMEOUT_MILLISECONDS,
      close: async () => {},
    };
  }

  /** A request and its answer, each of which may be lost, late or refused. */
  #exchange<Word extends Finding>(
    owner: Owner,
    what: string,
    { reference }: ProviderRequest,
    serve: () => Word,
    lost: Word,
    refused: Word,
  ) {
    const { time } = this.#world;
    return new Promise<Word>((resolve) => {
      let isOver = false;
      const end = (word: Word, how: string) => {
        if (isOver) return;
        isOver = true;
        timeout.isCancelled = true;
        this.#world.step("provider", `${this.name} ${what} ${reference} ${word.kind}${how}`);
        resolve(word);
      };
      const timeout = time.after(TIMEOUT_MILLISECONDS, () => end(lost, " timeout"), owner);
      const fault = this.#fault();
      if (this.isDown || fault === "refused") return void time.after(5, () => end(this.isDown ? lost : refused, " refused"), owner);
      if (fault === "request lost") return;
      // A late request arrives even if its sender has given up or died.
      const late = fault === "request late" ? this.#random.next() * (QUIET_MILLISECONDS - TIMEOUT_MILLISECONDS) : 0;
      time.after(this.#latency() + late, () => {
        const word = serve();
        if (fault !== "answer lost") time.after(this.#latency() + this.#slowness(fault), () => end(word, ""), owner);
      });
    });
  }

  #fault(): "refused" | "request lost" | "request late" | "answer lost" | "answer late" | null {
    if (!this.#random.chance(this.#world.faultRate("provider network"))) return null;
    const fault = this.#random.pick(["refused", "request lost", "request late", "answer lost", "answer lost", "answer late"] as const);
    this.#world.countFault(`provider: ${fault}`);
    return fault;
  }

  #latency(): number {
    return 5 + this.#random.next() * 300;
  }

  #slowness(fault: string | null): number {
    return fault === "answer late" ? this.#random.next() * 2 * TIMEOUT_MILLISECONDS : 0;
  }

  /** Carries out a request that has arrived. */
  #take({ reference }: ProviderRequest): Outcome {
    const known = this.truths.get(reference);
    if (known) {
      known.arrivals++;
      this.#violated(`The order ${reference} was sent to ${this.name} twice.`);
      return this.#answerOf(known);
    }
    const final = this.#random.chance(0.3);
    const truth: Truth = {
      reference,
      provider: this.name,
      arrivals: 1,
      state: "undecided",
      final,
      decidedAt: null,
      lied: false,
    };
    this.truths.set(reference, truth);
    const fate = this.#random.next();
    if (fate < 0.62) this.#decide(truth, "succeeded");
    else if (fate < 0.8) this.#decide(truth, "declined");
    else this.#decideLater(truth);
    return this.#answerOf(truth);
  }

  #decide(truth: Truth, state: "succeeded" | "declined"): void {
    truth.state = state;
    truth.decidedAt = this.#world.time.now;
    if (state === "succeeded" && this.#random.chance(0.06)) this.#reverseLater(truth);
    if (!this.#world.isCalm && this.#random.chance(0.015)) this.#lie(truth);
  }

  #decideLater(truth: Truth): void {
    const wait =
      this.#random.pick([3_000, 3_000, 20_000, 20_000, 90_000, 90_000, 10 * 60_000, 10 * 60_000, 2 * HOUR]) * (0.5 + this.#random.next());
    this.#world.time.after(wait, () => {
      this.#decide(truth, this.#random.chance(0.6) ? "succeeded" : "declined");
      if (this.#random.chance(0.6)) this.#tellOurselves(truth);
    });
  }

  #reverseLater(truth: Truth): void {
    this.#world.time.after(this.#random.next() * 8 * HOUR, () => {
      truth.state = "reversed";
      this.#tellOurselves(truth);
    });
  }

  /** Reports a result without being asked: sometimes twice, or late enough to be overtaken. */
  #tellOurselves(truth: Truth): void {
    const times = this.#random.chance(this.#world.faultRate("provider network")) ? 2 : 1;
    const finding = this.#answerOf(truth);
    for (let time = 0; time < times; time++) this.#sendReport({ reference: truth.reference, finding }, 0);
  }

  // A provider repeats its report until it is taken.
  #sendReport(report: Report, tried: number): void {
    const fails = this.#random.chance(this.#world.faultRate("provider network"));
    this.#world.time.after(this.#random.next() * (tried === 0 ? 2_000 : 120_000), () => {
      this.#world.step("provider", `${this.name} reports ${report.reference} ${report.finding.kind}${fails ? " lost" : ""}`);
      if (!fails) this.#report(report, this.name);
      if ((fails || this.#random.chance(0.1)) && tried < 5) this.#sendReport(report, tried + 1);
    });
  }

  /** Says the opposite of what it did, or speaks about what it never got. */
  #lie(truth: Truth): void {
    truth.lied = true;
    this.#world.countFault("provider: lie");
    const opposite: Finding = truth.state === "succeeded" ? DECLINED : { kind: "succeeded", operatorRef: "LIE" };
    this.#sendReport({ reference: truth.reference, finding: opposite }, 0);
    this.#sendReport({ reference: `NONE${this.#random.between(1, 9)}`, finding: opposite }, 0);
  }

  #tell(reference: string): Finding {
    const truth = this.truths.get(reference);
    return truth ? this.#answerOf(truth) : { kind: "not_found" };
  }

  #answerOf(truth: Truth): Outcome & Finding;
  #answerOf(truth: Truth): Finding {
    switch (truth.state) {
      case "undecided":
        return { kind: "pending", why: "in progress" };
      case "succeeded":
        return { kind: "succeeded", operatorRef: `OP${truth.reference.slice(-6)}` };
      case "reversed":
        return { kind: "reversed", reason: "taken back" };
      case "declined":
        return { ...DECLINED, decline: truth.final ? "final" : "provider" };
    }
  }
}

const UNKNOWN: Outcome = { kind: "unknown", why: "no answer" };
const NOT_SENT: Outcome = { kind: "not_sent", why: "connection refused" };
const DECLINED = { kind: "declined", reason: "not possible" } as const satisfies Outcome;
