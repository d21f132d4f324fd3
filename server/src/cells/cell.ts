import type { AdmissionBatcher } from "../api/client/gate/admission.ts";
import type { AccountsContext } from "../domain/accounts/context.ts";
import type { AccountDirectory } from "../domain/accounts/directory.ts";
import type { CallLog } from "../domain/api-log/call-log.ts";
import type { ApprovalsContext } from "../domain/approvals/context.ts";
import type { ChangeFeed } from "../domain/audit/feed.ts";
import type { Callbacks } from "../domain/callbacks/start-callbacks.ts";
import type { OrdersContext } from "../domain/orders/context.ts";
import type { SeatRegister } from "../domain/services/bus/blocks/seat-register.ts";
import type { ServicesContext } from "../domain/services/registry.ts";
import type { Sql } from "../platform/db/connection.ts";
import type { Replica } from "../platform/db/servers/replica.ts";
import type { Metrics } from "../platform/observability/metrics.ts";
import type { ConnectedDatabase } from "../start/connect-database.ts";

/** A database that holds accounts, with everything in this process that works on it. Home is one, often the only one. */
export type Cell = {
  /** 0 is home. */
  readonly cell: number;
  readonly database: ConnectedDatabase;
  /** Separate connections without the time limit of requests. */
  readonly longWork: Sql;
  /** A copy of the database for lists and exports of staff, if one is configured. */
  readonly replica?: Replica | undefined;
  /** The accounts in this database. */
  readonly directory: AccountDirectory;
  /** Whether the database itself says that an account has left it, which home may not have told this process yet. */
  readonly hasLeft: (accountId: string) => boolean;
  readonly feed: ChangeFeed;
  readonly accounts: AccountsContext;
  readonly admission: AdmissionBatcher;
  readonly callLog: CallLog;
  readonly callbacks: Callbacks;
  readonly orders: OrdersContext;
  readonly providerServices: ServicesContext["providerServices"];
  /** With several cells: who holds which seat of a bus. */
  readonly seats: SeatRegister | undefined;
  readonly approvals: ApprovalsContext;
  readonly metrics: Metrics;
};
