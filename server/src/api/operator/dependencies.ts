import type { AccountsContext } from "../../domain/accounts/context.ts";
import type { MovingAccount } from "../../domain/accounts/moving-accounts.ts";
import type { ApprovalsContext } from "../../domain/approvals/context.ts";
import type { AuthContext } from "../../domain/auth/context.ts";
import type { Oidc } from "../../domain/auth/single-sign-on/oidc.ts";
import type { Callbacks } from "../../domain/callbacks/start-callbacks.ts";
import type { Catalogue } from "../../domain/catalog/catalogue.ts";
import type { OrdersContext } from "../../domain/orders/context.ts";
import type { Pricing } from "../../domain/pricing/pricing.ts";
import type { ProviderLists } from "../../domain/providers/lists/provider-lists.ts";
import type { ModeSetting } from "../../domain/providers/mode/mode.ts";
import type { ProviderRegistry } from "../../domain/providers/registry.ts";
import type { Egress } from "../../domain/providers/wire/exchange.ts";
import type { Overview } from "../../domain/reporting/overview.ts";
import type { CancelContext } from "../../domain/services/bus/context.ts";
import type { Sql } from "../../platform/db/connection.ts";
import type { DatabaseHealth } from "../../platform/db/servers/health.ts";
import type { Replica } from "../../platform/db/servers/replica.ts";
import type { Range } from "../../platform/network/address.ts";
import type { SessionLimits } from "../sites/actions/session-limits.ts";
import type { Viewers } from "../sites/viewers.ts";

/** With several cells: the dependencies of the cell in which an action runs. */
export type OperatorCells = {
  /** Of all cells that have been reached, home first. */
  readonly all: () => readonly OperatorApiDependencies[];
  /** The numbers of the cells that do not answer. */
  readonly missing: () => readonly number[];
  /** Of the cell that holds the account. */
  readonly ofAccount: (accountId: string) => OperatorApiDependencies;
  /** Whether a cell's copy of the account may be read: it serves the account, or none does for the moment. */
  readonly isReadIn: (deps: OperatorApiDependencies, accountId: string) => boolean;
  /** Of the cells in which a record with this id may be, the likeliest first. */
  readonly ofId: (id: string) => readonly OperatorApiDependencies[];
  readonly forNewAccount: () => OperatorApiDependencies;
  /** The accounts that are being moved, with the cell that serves each. */
  readonly moving: () => Promise<readonly MovingAccount[]>;
  /** Brings home's settings that a change depends on into the cell. */
  readonly prepareChange: (deps: OperatorApiDependencies) => Promise<void>;
};

export type OperatorApiDependencies = AccountsContext & {
  /** Absent in an installation with one cell. */
  readonly cells?: OperatorCells;
  /** In a sum over all cells: the accounts that are being moved, each to be counted only in the cell that serves it. */
  readonly moving?: readonly MovingAccount[];
  readonly catalogue: Catalogue;
  /** Fees and commissions. */
  readonly pricing: Pricing;
  readonly orders: OrdersContext;
  /** Providers, routes and breakers as this process has them. */
  readonly providerRegistry: ProviderRegistry;
  /** CORPRAIL_MODE. */
  readonly modeSetting?: ModeSetting;
  /** The CORPRAIL_PROVIDER_… variables: secrets of providers that are not stored in the database. */
  readonly providerSecrets: Readonly<Record<string, string | undefined>>;
  /** Network rules for requests to providers. */
  readonly egress: Egress;
  /** The provider services that cancel bus tickets. */
  readonly providerServices: CancelContext["providerServices"];
  /** With several cells: who holds which seat of a bus. */
  readonly seats?: CancelContext["seats"];
  /** The lists of providers, which staff can refresh. */
  readonly providerLists: Pick<ProviderLists, "refreshDue">;
  readonly overview: Overview;
  /** Counts live views of the console and the operator API together. */
  readonly viewers: Viewers;
  /** Counts the downloads that are open, those of the console and the operator API together. */
  readonly downloads: Viewers;
  /** For tests. */
  readonly sessionLimits?: SessionLimits;
  /** Approvals by a second person. */
  readonly approvals: ApprovalsContext;
  /** Users of the client portal. */
  readonly auth: AuthContext;
  /** Users of the console. */
  readonly staff: AuthContext;
  /** Speaks with identity providers. */
  readonly oidc: Oidc;
  /** CORPRAIL_CONSOLE_URL: the address at which browsers reach the console. */
  readonly consoleUrl: string | null;
  /** CORPRAIL_PUBLIC_URL: the address at which browsers reach the portal. */
  readonly publicUrl: string | null;
  /** The ports of portal and console; null if they share one. */
  readonly ports: () => { readonly portal: number; readonly console: number } | null;
  /** Absent in a process that delivers no callbacks. Another process then delivers what becomes due. */
  readonly callbacks?: Pick<Callbacks, "makeDue" | "sendTest">;
  /** The value of CORPRAIL_OPERATOR_KEY, valid while it is set. */
  readonly environmentKey: string | null;
  /** CORPRAIL_TRUSTED_PROXIES, for the source addresses of operator keys. */
  readonly trustedProxies: readonly Range[];
  /** Returns null if callbacks may be sent to the URL, else the reason. */
  readonly checkCallbackUrl: (url: string) => Promise<string | null>;
  /** The state of the database; absent in tests. */
  readonly databaseHealth?: Pick<DatabaseHealth, "isAway" | "trouble">;
  /** Separate connections without the time limit of requests, for large reads. */
  readonly longWork?: Sql;
  /** Lists of the console may be read here. */
  readonly replica?: Replica | undefined;
  /** For tests: a reply that its action's output schema does not describe is an error. */
  readonly checkReplies?: boolean;
  readonly log: { readonly error: (details: object, message: string) => void };
};
