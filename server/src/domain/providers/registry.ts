import { type Clock, steadyNow } from "../../platform/core/clock.ts";
import type { Vault } from "../../platform/crypto/vault.ts";
import type { Sql } from "../../platform/db/connection.ts";
import { nameResolver } from "../../platform/network/name-resolver.ts";
import type { Log } from "../../platform/observability/log.ts";
import type { Change } from "../audit/feed.ts";
import { CATALOGUE_SERVICE } from "../shared/service-definition.ts";
import { callbackExcerpt } from "./callbacks/callback-excerpt.ts";
import type { CallbackRefusal } from "./callbacks/refused-callback.ts";
import type { CallbackReply, Connector, Outcome, OwnFault, ProviderMessage, Report, ServedPart } from "./connector.ts";
import { afterOutcome, type Breaker, beforeSend } from "./health/breaker.ts";
import { createBreakers, type ProviderBreaker } from "./health/breakers.ts";
import { createHealth, type HourCounts, type OperatorHealth } from "./health/health.ts";
import { readBreakerReset } from "./health/reset-breaker.ts";
import type { Mode, ModeFacts, ModeSetting } from "./mode/mode.ts";
import { createProviderDirectory, type Provider } from "./provider-directory.ts";
import { type Network, usabilityOf } from "./routing/eligibility.ts";
import { createNetwork, type Reach, type ServiceQuery } from "./routing/network.ts";
import { type Route, SIMULATOR, sortRoutes, withoutOpenBreakers } from "./routing/routing.ts";
import { explainRouting, type RoutingPlan } from "./routing/routing-plan.ts";
import { DEFAULT_SIMULATOR, type SimulatorOptions } from "./simulator/simulator.ts";
import type { Compared } from "./versions/shadow-log.ts";
import { connectorOf, readVersionedCallback, versionFor } from "./versions/versioned-connector.ts";
import type { Egress } from "./wire/exchange.ts";

export type RouteQuery = {
  readonly service: string;
  readonly operator: string;
  readonly sandbox: boolean;
  readonly reference: string;
  /** Excludes providers that cannot take the order. They are neither tried nor is their health affected. */
  readonly accepts?: (provider: string) => boolean;
};

export type ProviderRegistry = {
  /** Trial or live (contract, section 9a), as loaded in this process. */
  readonly mode: () => Mode;
  /** The inputs that determine the mode. */
  readonly modeFacts: () => ModeFacts;
  /** The current snapshot of providers, routes and mode. */
  readonly network: () => Network;
  /** Which providers the routes of a service lead to for single billers or banks; the same value until they change. */
  readonly reach: (question: Omit<ServiceQuery, "operator">) => Reach;
  /** Whether any enabled provider can carry the order out. */
  readonly serves: (question: ServiceQuery) => boolean;
  /** Whether a provider with which an earlier step was arranged may still serve such an account. */
  readonly mayServe: (provider: string, sandbox: boolean) => boolean;
  /** Whether this is the simulator, which must not change live accounts once the installation is live. */
  readonly isBarred: (provider: string, sandbox: boolean) => boolean;
  /** The providers to try, best first; empty when there is no route. */
  readonly providersFor: (question: RouteQuery) => readonly string[];
  /** Also for a disabled provider, whose earlier orders are still polled. Null when it, or the version, is not running. */
  readonly connector: (provider: string, version?: number | null) => Connector | null;
  /** The version of the settings that a new order uses; null for the simulator, which has none. */
  readonly versionFor: (provider: string, orderId: string) => number | null;
  /** When the secrets of a version last changed; null if they never did. */
  readonly secretsChangedAt: (provider: string, version: number | null) => number | null;
  readonly noteOutcome: (provider: string, part: ServedPart, outcome: Outcome, milliseconds: number) => void;
  /** An operator's health for live accounts, or for sandbox accounts. */
  readonly health: (operator: string, sandbox?: boolean) => OperatorHealth;
  /** The same for a provider, with the counts of the last hour. */
  readonly providerHealth: (provider: string) => OperatorHealth & HourCounts;
  /** A provider's health over the orders of one service. */
  readonly serviceHealth: (provider: string, service: string) => OperatorHealth;
  /** The current routing plan and its reasons, or the plan for other routes. */
  readonly routingPlan: (service: string, operator: string, routes?: readonly Route[]) => RoutingPlan;
  /** Breakers of this process with recent failures. */
  readonly breakers: () => readonly ProviderBreaker[];
  /** Closes a provider's breaker in this process for one operator, or for all when the operator is null. */
  readonly resetBreaker: (provider: string, operator: string | null) => void;
  readonly readCallback: (provider: string, message: ProviderMessage) => Report | CallbackRefusal;
  /** What the provider expects as the answer to an accepted callback; null when it expects nothing in particular. */
  readonly callbackReply: (provider: string, message: ProviderMessage) => CallbackReply | null;
  /** The part of a message that staff may see. */
  readonly callbackExcerpt: (provider: string, message: ProviderMessage) => string;
  readonly isProvider: (name: string) => boolean;
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
  /** Receives status reports. The receiver must refuse reports from a provider other than the order's own. */
  readonly reportTo: (report: Report, provider: string) => void;
  readonly simulator?: Partial<SimulatorOptions>;
  /** The source of secrets that are not stored with their provider. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** CORPRAIL_MODE; absent when it is not set. */
  readonly modeSetting?: ModeSetting;
  /** Address ranges that are allowed in addition to public ones, and the name resolver. */
  readonly egress?: Partial<Egress>;
  readonly countFault?: (provider: string, fault: OwnFault) => void;
  /** Called with every answer that a candidate version has read again. */
  readonly noteCompared?: (compared: Compared) => void;
};

const PINNED: readonly string[] = [SIMULATOR];

/** Breakers count in monotonic time; this converts them to clock time for display. */
function byClock(breaker: Breaker, clock: Clock): Breaker {
  if (breaker.state === "closed") return breaker;
  const shift = clock.now() - steadyNow(clock);
  return { ...breaker, since: breaker.since + shift, until: breaker.until + shift };
}

export async function loadProviders(options: ProviderRegistryOptions): Promise<ProviderRegistry> {
  const { clock, environment = {}, modeSetting = null } = options;
  const simulator = { ...DEFAULT_SIMULATOR, ...options.simulator };
  const egress: Egress = { allow: [], resolve: nameResolver(), ...options.egress };
  const directory = createProviderDirectory({
    ...{ ...options, environment, modeSetting },
    connectorDependencies: (provider) => ({ clock, simulator, egress, reportTo: (report) => options.reportTo(report, provider) }),
  });
  await directory.load();
  // The simulator's outcomes say nothing about an operator that real providers serve.
  const [health, simulated, ofProviders] = [createHealth(), createHealth(), createHealth()];
  const breakers = createBreakers();
  const network = createNetwork(directory);

  function choose(routes: readonly Route[], operator: string, reference: string): readonly string[] {
    const now = steadyNow(clock);
    const chosen = withoutOpenBreakers(sortRoutes(routes, reference), (provider) => breakers.of(provider, operator), now);
    const [first] = chosen;
    if (first !== undefined) breakers.set(first, operator, beforeSend(breakers.of(first, operator), now));
    return chosen;
  }

  return {
    mode: () => network.now().mode,
    modeFacts: directory.modeFacts,
    network: network.now,
    reach: network.reach,
    serves: network.serves,
    mayServe: network.mayServe,
    isBarred: network.isBarred,
    providersFor: ({ service, operator, sandbox, reference, accepts }) => {
      const { routes, only } = sandbox ? { routes: [], only: PINNED } : network.usable(service, operator);
      if (only) return !accepts || only.every(accepts) ? only : [];
      const accepting = accepts ? routes.filter((route) => accepts(route.provider)) : routes;
      return choose(accepting, operator, reference);
    },
    connector: (provider, version = null) => connectorOf(directory.provider(provider), version),
    versionFor: (provider, orderId) => versionFor(directory.provider(provider), orderId),
    secretsChangedAt: (provider, version) => (version === null ? null : directory.secretsChangedAt(provider, version)),
    noteOutcome: (provider, { service, operator }, outcome, milliseconds) => {
      const now = steadyNow(clock);
      breakers.set(provider, operator, afterOutcome(breakers.of(provider, operator), outcome, now));
      (network.isSimulator(provider) ? simulated : health).note(operator, outcome, milliseconds, now);
      for (const name of [provider, `${provider}:${service}`]) ofProviders.note(name, outcome, milliseconds, now);
      if ("fault" in outcome && outcome.fault !== undefined) options.countFault?.(provider, outcome.fault);
    },
    health: (operator, sandbox = false) => {
      const seen = (sandbox || network.now().mode === "trial" ? simulated : health).of(operator, steadyNow(clock));
      if (sandbox) return seen;
      const { routes } = network.usable(CATALOGUE_SERVICE, operator);
      const allOpen = routes.every((route) => breakers.of(route.provider, operator).state !== "closed");
      return allOpen ? { ...seen, status: "down" } : seen;
    },
    providerHealth: (provider) => ({ ...ofProviders.of(provider, steadyNow(clock)), ...ofProviders.counts(provider, steadyNow(clock)) }),
    serviceHealth: (provider, service) => ofProviders.of(`${provider}:${service}`, steadyNow(clock)),
    routingPlan: (service, operator, routes = directory.routes()) => {
      const usableAs = (provider: string) => usabilityOf(network.now(), provider, service, operator);
      return explainRouting({
        ...{ routes, service, operator, usable: usableAs, now: clock.now() },
        breakerOf: (provider) => byClock(breakers.of(provider, operator), clock),
      });
    },
    breakers: () => breakers.troubled().map((one) => ({ ...one, breaker: byClock(one.breaker, clock) })),
    resetBreaker: breakers.reset,
    ...callbackMethods(directory.provider, options.noteCompared),
    providers: directory.providers,
    routes: directory.routes,
    reload: serialised(async () => {
      await directory.load();
      network.refresh();
    }),
    close: directory.close,
  };
}

type CallbackMethods = Pick<ProviderRegistry, "readCallback" | "callbackReply" | "callbackExcerpt" | "isProvider">;

type NoteCompared = ProviderRegistryOptions["noteCompared"];

function callbackMethods(find: (name: string) => Provider | undefined, note: NoteCompared): CallbackMethods {
  return {
    readCallback: (provider, message) => readVersionedCallback(find(provider), message, note),
    callbackReply: (provider, message) => find(provider)?.connector?.callbackReply?.(message) ?? null,
    callbackExcerpt: (provider, message) => excerptOf(find(provider), message),
    isProvider: (name) => find(name) !== undefined,
  };
}

/** Updates providers, routes and breakers from the change feed. */
export function providerChanges(providerRegistry: ProviderRegistry): (changes: readonly Change[]) => Promise<void> {
  return async (changes) => {
    if (changes.some((change) => change.kind === "provider" || change.kind === "installation")) await providerRegistry.reload();
    // Breakers are in every process's memory, so a reset travels through the change feed.
    for (const reset of changes.flatMap((change) => readBreakerReset(change) ?? []))
      providerRegistry.resetBreaker(reset.provider, reset.operator);
  };
}

function excerptOf(provider: Provider | undefined, message: ProviderMessage): string {
  const keyName = provider?.connector?.callbackKeyName ?? null;
  return callbackExcerpt(message, { mask: provider?.mask ?? ((text) => text), keyName });
}

// Concurrent loads could finish in the wrong order.
function serialised(run: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return () => {
    last = last.catch(() => {}).then(run);
    return last;
  };
}
