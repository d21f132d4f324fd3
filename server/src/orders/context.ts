import type { Commercials } from "../commercials/commercials.ts";
import type { Sql } from "../db/connection.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Ids } from "../kernel/ids.ts";
import type { Log } from "../observe/log.ts";
import type { Connector, Outcome } from "../upstream/connector.ts";
import type { OpenOrders } from "./open-orders.ts";
import type { Writer } from "./writer.ts";

export type RouteQuestion = { readonly service: string; readonly operator: string; readonly sandbox: boolean; readonly reference: string };

/** What orders need of the upstreams. */
export type Upstreams = {
  /** The providers to try, best first. */
  readonly providersFor: (question: RouteQuestion) => readonly string[];
  readonly connector: (provider: string) => Connector | null;
  readonly noteOutcome: (provider: string, operator: string, outcome: Outcome, milliseconds: number) => void;
};

export type OrdersContext = {
  readonly sql: Sql;
  readonly writer: Writer;
  readonly open: OpenOrders;
  readonly upstreams: Upstreams;
  readonly commercials: Pick<Commercials, "agree" | "feeRate">;
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
