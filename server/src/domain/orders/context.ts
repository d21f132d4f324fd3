import type { Clock } from "../../platform/core/clock.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { Sql } from "../../platform/db/connection.ts";
import type { Log } from "../../platform/observability/log.ts";
import type { Pricing } from "../pricing/pricing.ts";
import type { Connector, Outcome, ServedPart } from "../providers/connector.ts";
import type { ProviderBalances } from "../providers/health/balances.ts";
import type { ProviderReferences } from "../providers/references.ts";
import type { AttemptRecords } from "./attempts/attempt-records.ts";
import type { Order } from "./order.ts";
import type { OrdersInProgress } from "./orders-in-progress.ts";
import type { Writer } from "./write/writer.ts";

/** Without an operator the question is about the service as a whole. */
export type ServiceQuery = { readonly service: string; readonly operator?: string; readonly sandbox: boolean };

export type RouteQuery = {
  readonly service: string;
  readonly operator: string;
  readonly sandbox: boolean;
  readonly reference: string;
  /** Returns false for providers that cannot take the order at all. */
  readonly accepts?: (provider: string) => boolean;
};

/** Which providers a service's routes lead to for single billers or banks, in addition to the routes for any. */
export type Reach = {
  /** Codes with routes of their own, each with its providers, best first. Other routes do not count for them. */
  readonly own: ReadonlyMap<string, readonly string[]>;
  /** Whether a provider has a code for a biller or bank. */
  readonly takes: (provider: string, code: string) => boolean;
};

/** What orders need from the provider registry. */
export type ProviderRegistry = {
  /** The providers to try, best first. */
  readonly providersFor: (question: RouteQuery) => readonly string[];
  /** The same value until routes or providers change. */
  readonly reach: (question: Omit<ServiceQuery, "operator">) => Reach;
  /** Whether any enabled provider can carry the order out. */
  readonly serves: (question: ServiceQuery) => boolean;
  /** Whether a provider with which an earlier step was arranged may still serve such an account. */
  readonly mayServe: (provider: string, sandbox: boolean) => boolean;
  /** Contract, section 9a: whether this is the simulator, which must not change live accounts once the installation is live. */
  readonly isBarred: (provider: string, sandbox: boolean) => boolean;
  /** Of a version of the provider's description, or the current one when it is null. Null when that version is not running. */
  readonly connector: (provider: string, version?: number | null) => Connector | null;
  /** The version that a new order uses; null for a provider without versions. */
  readonly versionFor: (provider: string, orderId: string) => number | null;
  /** When the secrets of a version last changed, and with them perhaps our account at the provider; null if they never did. */
  readonly secretsChangedAt: (provider: string, version: number | null) => number | null;
  readonly noteOutcome: (provider: string, part: ServedPart, outcome: Outcome, milliseconds: number) => void;
};

export type OrdersContext = {
  readonly sql: Sql;
  readonly writer: Writer;
  readonly inProgress: OrdersInProgress;
  /** Writes what was said between us and a provider. */
  readonly attempts: Pick<AttemptRecords, "write">;
  readonly balances: Pick<ProviderBalances, "note" | "noteFloatDecline">;
  readonly providerRegistry: ProviderRegistry;
  /** Whether only the simulator serves the account; false for an account that this process does not know yet. */
  readonly isSandbox: (accountId: string) => boolean;
  /** References in the form that a provider demands. */
  readonly references: ProviderReferences;
  /** What the order's service has stored of it, for status queries; null when there is nothing. */
  readonly readStoredDetails: (order: Order) => Promise<JsonObject | null>;
  readonly pricing: Pick<Pricing, "agree" | "feeRate">;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly processId: string;
  /** The orders of this process in the other cells that it has reached: an account may have moved there. */
  readonly otherCells: () => readonly OrdersContext[];
  /** Aborts when the process stops. */
  readonly stopping: AbortSignal;
  /** Wakes the callback delivery, because a new callback is due. */
  readonly wakeCallbacks: () => void;
  /** How long a request waits for a provider before it is answered pending. */
  readonly replyWaitMilliseconds: number;
};
