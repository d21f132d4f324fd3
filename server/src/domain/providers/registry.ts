import { type Clock, steadyNow } from "../../platform/core/clock.ts";
import type { Vault } from "../../platform/crypto/vault.ts";
import type { Sql } from "../../platform/db/connection.ts";
import { nameResolver } from "../../platform/network/name-resolver.ts";
import type { Log } from "../../platform/observability/log.ts";
import type { Change } from "../audit/feed.ts";
import { afterOutcome, type Breaker, beforeSend } from "./breaker.ts";
import { createBreakers, type ProviderBreaker } from "./breakers.ts";
import { callbackExcerpt } from "./callback-excerpt.ts";
import type { Connector, Outcome, OwnFault, ProviderMessage, Report } from "./connector.ts";
import { type Network, usabilityOf } from "./eligibility.ts";
import { explainWay, type Way } from "./explain-way.ts";
import { createHealth, type HourCounts, type OperatorHealth } from "./health.ts";
import type { Mode, ModeFacts, ModeSetting } from "./mode.ts";
import { createNetwork, type ServedQuestion } from "./network.ts";
import { createProviderDirectory, type Provider } from "./provider-directory.ts";
import { type CallbackRefusal, refusedCallback } from "./refused-callback.ts";
import { readBreakerReset } from "./reset-breaker.ts";
import { inOrder, notResting, type Route, SIMULATOR } from "./routing.ts";
import { DEFAULT_SIMULATOR, type SimulatorOptions } from "./simulator/simulator.ts";
import type { Egress } from "./wire/exchange.ts";

export type RouteQuestion = {
  readonly service: string;
  readonly operator: string;
  readonly sandbox: boolean;
  readonly reference: string;
  /** Leaves providers out that cannot take the order at all: they are neither tried nor blamed for it. */
  readonly accepts?: (provider: string) => boolean;
};

export type ProviderRegistry = {
  /** Trial or live (contract, section 9a), as this process has it in memory. */
  readonly mode: () => Mode;
  /** What the mode follows from. */
  readonly modeFacts: () => ModeFacts;
  /** Providers, routes and mode of this moment. */
  readonly network: () => Network;
  /** Whether a provider that is switched on can do it. */
  readonly serves: (question: ServedQuestion) => boolean;
  /** Whether a provider that something was arranged with before may still serve such an account. */
  readonly mayServe: (provider: string, sandbox: boolean) => boolean;
  /** Whether it is the simulator, which has no say about live accounts once the installation is live. */
  readonly isBarred: (provider: string, sandbox: boolean) => boolean;
  /** The providers to try, best first; empty when no route leads anywhere. */
  readonly providersFor: (question: RouteQuestion) => readonly string[];
  /** Also of a provider that is switched off: its earlier orders are still asked about. Null when it cannot be opened. */
  readonly connector: (provider: string) => Connector | null;
  readonly noteOutcome: (provider: string, operator: string, outcome: Outcome, milliseconds: number) => void;
  /** How an operator does for live accounts, or for sandbox accounts. */
  readonly health: (operator: string, sandbox?: boolean) => OperatorHealth;
  /** The same of a provider, with what was heard of it. */
  readonly providerHealth: (provider: string) => OperatorHealth & HourCounts;
  /** Where orders go now and why; with other routes than those in force, where they would go. */
  readonly way: (service: string, operator: string, routes?: readonly Route[]) => Way;
  /** Those of this process that something has gone wrong with. */
  readonly breakers: () => readonly ProviderBreaker[];
  /** Forgets a provider's silence for an operator, or for all when none is named; in this process. */
  readonly resetBreaker: (provider: string, operator: string | null) => void;
  readonly readCallback: (provider: string, message: ProviderMessage) => Report | CallbackRefusal;
  /** What of a message the staff may be shown. */
  readonly callbackExcerpt: (provider: string, message: ProviderMessage) => string;
  readonly providers: () => readonly Provider[];
  readonly routes: () => readonly Route[];
  readonly reload: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export type ProviderRegistryOptions = {
  readonly sql: Sql;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly log: Log;
  /** Gets what a provider tells by itself. Believe it only of the provider that the order is with. */
  readonly reportTo: (report: Report, provider: string) => void;
  readonly simulator?: Partial<SimulatorOptions>;
  /** Where secrets are looked for that are not saved with their provider. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** CORPRAIL_MODE; not set unless given. */
  readonly modeSetting?: ModeSetting;
  /** Addresses that are allowed beside public ones, and how names are resolved. */
  readonly egress?: Partial<Egress>;
  readonly countFault?: (provider: string, fault: OwnFault) => void;
};

const PINNED: readonly string[] = [SIMULATOR];

/** Breakers count on the steady time line; whoever shows them reads the clock. */
function byClock(breaker: Breaker, clock: Clock): Breaker {
  if (breaker.state === "closed") return breaker;
  const shift = clock.now() - steadyNow(clock);
  return { ...breaker, since: breaker.since + shift, until: breaker.until + shift };
}

export async function loadProviders(options: ProviderRegistryOptions): Promise<ProviderRegistry> {
  const { clock } = options;
  const simulator = { ...DEFAULT_SIMULATOR, ...options.simulator };
  const egress: Egress = { allow: [], resolve: nameResolver(), ...options.egress };
  const directory = createProviderDirectory({
    ...options,
    environment: options.environment ?? {},
    modeSetting: options.modeSetting ?? null,
    connectorDependencies: (provider) => ({ clock, simulator, egress, reportTo: (report) => options.reportTo(report, provider) }),
  });
  await directory.load();
  // What the simulator does says nothing about an operator once real providers serve it.
  const [health, simulated, ofProviders] = [createHealth(), createHealth(), createHealth()];
  const breakers = createBreakers();
  const network = createNetwork(directory);

  function choose(routes: readonly Route[], operator: string, reference: string): readonly string[] {
    const now = steadyNow(clock);
    const chosen = notResting(inOrder(routes, reference), (provider) => breakers.of(provider, operator), now);
    const [first] = chosen;
    if (first !== undefined) breakers.set(first, operator, beforeSend(breakers.of(first, operator), now));
    return chosen;
  }

  return {
    mode: () => network.now().mode,
    modeFacts: directory.modeFacts,
    network: network.now,
    serves: network.serves,
    mayServe: network.mayServe,
    isBarred: network.isBarred,
    providersFor: ({ service, operator, sandbox, reference, accepts }) => {
      const { routes, only } = sandbox ? { routes: [], only: PINNED } : network.usable(service, operator);
      if (only) return !accepts || only.every(accepts) ? only : [];
      const accepting = accepts ? routes.filter((route) => accepts(route.provider)) : routes;
      return choose(accepting, operator, reference);
    },
    connector: (provider) => directory.provider(provider)?.connector ?? null,
    noteOutcome: (provider, operator, outcome, milliseconds) => {
      const now = steadyNow(clock);
      breakers.set(provider, operator, afterOutcome(breakers.of(provider, operator), outcome, now));
      (network.isSimulator(provider) ? simulated : health).note(operator, outcome, milliseconds, now);
      ofProviders.note(provider, outcome, milliseconds, now);
      if ("fault" in outcome && outcome.fault !== undefined) options.countFault?.(provider, outcome.fault);
    },
    health: (operator, sandbox = false) => {
      const seen = (sandbox || network.now().mode === "trial" ? simulated : health).of(operator, steadyNow(clock));
      if (sandbox) return seen;
      const { routes } = network.usable(RECHARGE, operator);
      const resting = routes.every((route) => breakers.of(route.provider, operator).state !== "closed");
      return resting ? { ...seen, status: "down" } : seen;
    },
    providerHealth: (provider) => ({ ...ofProviders.of(provider, steadyNow(clock)), ...ofProviders.counts(provider, steadyNow(clock)) }),
    way: (service, operator, routes = directory.routes()) => {
      const usableAs = (provider: string) => usabilityOf(network.now(), provider, service, operator);
      return explainWay({
        ...{ routes, service, operator, usable: usableAs, now: clock.now() },
        breakerOf: (provider) => byClock(breakers.of(provider, operator), clock),
      });
    },
    breakers: () => breakers.troubled().map((one) => ({ ...one, breaker: byClock(one.breaker, clock) })),
    resetBreaker: breakers.reset,
    readCallback: (provider, message) => readCallback(directory.provider(provider), message),
    callbackExcerpt: (provider, message) => excerptOf(directory.provider(provider), message),
    providers: directory.providers,
    routes: directory.routes,
    reload: oneAtATime(async () => {
      await directory.load();
      network.refresh();
    }),
    close: directory.close,
  };
}

/** Keeps providers, routes and breakers in step with the change feed. */
export function providerChanges(providerRegistry: ProviderRegistry): (changes: readonly Change[]) => Promise<void> {
  return async (changes) => {
    if (changes.some((change) => change.kind === "provider" || change.kind === "installation")) await providerRegistry.reload();
    // Breakers are in every process's memory: this is how somebody's reset gets there.
    for (const reset of changes.flatMap((change) => readBreakerReset(change) ?? []))
      providerRegistry.resetBreaker(reset.provider, reset.operator);
  };
}

const RECHARGE = "recharge";

function excerptOf(provider: Provider | undefined, message: ProviderMessage): string {
  const keyName = provider?.connector?.callbackKeyName ?? null;
  return callbackExcerpt(message, { mask: provider?.mask ?? ((text) => text), keyName });
}

function readCallback(provider: Provider | undefined, message: ProviderMessage): Report | CallbackRefusal {
  if (!provider) return refusedCallback("unknown_provider");
  return provider.connector?.readCallback?.(message) ?? refusedCallback("not_expected");
}

// Two loads at once could end in the older one.
function oneAtATime(run: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return () => {
    last = last.catch(() => {}).then(run);
    return last;
  };
}
