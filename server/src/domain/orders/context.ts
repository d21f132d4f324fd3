import type { Clock } from "../../platform/core/clock.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { Sql } from "../../platform/db/connection.ts";
import type { Log } from "../../platform/observability/log.ts";
import type { Pricing } from "../pricing/pricing.ts";
import type { Connector, Outcome } from "../providers/connector.ts";
import type { OpenOrders } from "./open-orders.ts";
import type { Writer } from "./writer.ts";

/** Leaving the operator out asks for the service as a whole. */
export type ServedQuestion = { readonly service: string; readonly operator?: string; readonly sandbox: boolean };

export type RouteQuestion = {
  readonly service: string;
  readonly operator: string;
  readonly sandbox: boolean;
  readonly reference: string;
  /** Leaves providers out that cannot take the order at all. */
  readonly accepts?: (provider: string) => boolean;
};

/** What orders need of the providerRegistry. */
export type ProviderRegistry = {
  /** The providers to try, best first. */
  readonly providersFor: (question: RouteQuestion) => readonly string[];
  /** Whether a provider that is switched on can do it. */
  readonly serves: (question: ServedQuestion) => boolean;
  /** Whether a provider that something was arranged with before may still serve such an account. */
  readonly mayServe: (provider: string, sandbox: boolean) => boolean;
  /** Contract, section 9a: whether it is the simulator, which has no say about live accounts once the installation is live. */
  readonly isBarred: (provider: string, sandbox: boolean) => boolean;
  readonly connector: (provider: string) => Connector | null;
  readonly noteOutcome: (provider: string, operator: string, outcome: Outcome, milliseconds: number) => void;
};

export type OrdersContext = {
  readonly sql: Sql;
  readonly writer: Writer;
  readonly open: OpenOrders;
  readonly providerRegistry: ProviderRegistry;
  /** Whether only the simulator serves an account; false for one that is not known here yet. */
  readonly isSandbox: (accountId: string) => boolean;
  readonly pricing: Pick<Pricing, "agree" | "feeRate">;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly processId: string;
  /** Aborts when the process stops. */
  readonly stopping: AbortSignal;
  /** Something new is to be sent to a client. */
  readonly wakeCallbacks: () => void;
  /** How long a reply waits for an upstream that has not answered. */
  readonly replyWaitMilliseconds: number;
};
