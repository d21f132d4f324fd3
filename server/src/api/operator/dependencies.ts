import type { AccountsContext } from "../../domain/accounts/context.ts";
import type { ApprovalsContext } from "../../domain/approvals/context.ts";
import type { AuthContext } from "../../domain/auth/context.ts";
import type { Callbacks } from "../../domain/callbacks/start-callbacks.ts";
import type { Catalogue } from "../../domain/catalog/catalogue.ts";
import type { OrdersContext } from "../../domain/orders/context.ts";
import type { Pricing } from "../../domain/pricing/pricing.ts";
import type { ModeSetting } from "../../domain/providers/mode/mode.ts";
import type { ProviderRegistry } from "../../domain/providers/registry.ts";
import type { Egress } from "../../domain/providers/wire/exchange.ts";
import type { Overview } from "../../domain/reporting/overview.ts";
import type { CancelContext } from "../../domain/services/bus/context.ts";
import type { Sql } from "../../platform/db/connection.ts";
import type { DatabaseHealth } from "../../platform/db/health.ts";
import type { Viewers } from "../sites/viewers.ts";

export type OperatorApiDependencies = AccountsContext & {
  readonly catalogue: Catalogue;
  /** What orders cost and earn. */
  readonly pricing: Pricing;
  readonly orders: OrdersContext;
  /** Providers, routes and breakers as this process has them. */
  readonly providerRegistry: ProviderRegistry;
  /** CORPRAIL_MODE. */
  readonly modeSetting?: ModeSetting;
  /** CORPRAIL_PROVIDER_…: secrets of providers that are not saved with them. */
  readonly providerSecrets: Readonly<Record<string, string | undefined>>;
  /** Where requests to providers may go. */
  readonly egress: Egress;
  /** Who is told of a bus ticket that an operator cancels. */
  readonly providerServices: CancelContext["providerServices"];
  readonly overview: Overview;
  /** Who watches it live, by whichever door they came. */
  readonly viewers: Viewers;
  /** Four eyes. */
  readonly approvals: ApprovalsContext;
  /** Who signs in at clients' portals. */
  readonly auth: AuthContext;
  /** Who signs in at the console. */
  readonly staff: AuthContext;
  /** How browsers reach the console, where that is configured. */
  readonly consoleUrl: string | null;
  /** CORPRAIL_PUBLIC_URL: how browsers reach the portal. */
  readonly publicUrl: string | null;
  /** Where the console has a port of its own; null where one serves both. */
  readonly ports: () => { readonly portal: number; readonly console: number } | null;
  /** Absent in a process that delivers none; another one then takes up what is made due. */
  readonly callbacks?: Pick<Callbacks, "makeDue" | "sendTest">;
  /** The value of CORPRAIL_OPERATOR_KEY, valid while it is set. */
  readonly environmentKey: string | null;
  /** Null when callbacks may go there, else why not. */
  readonly checkCallbackUrl: (url: string) => Promise<string | null>;
  /** Whether the database can be used; absent where nobody looks. */
  readonly databaseHealth?: Pick<DatabaseHealth, "isAway" | "trouble">;
  /** For what reads much: other connections, without the time limit of requests. */
  readonly longWork?: Sql;
  readonly log: { readonly error: (details: object, message: string) => void };
};
