import type { Account } from "../../domain/accounts/account.ts";
import type { AccountsContext } from "../../domain/accounts/context.ts";
import type { AuthContext } from "../../domain/auth/context.ts";
import type { Oidc } from "../../domain/auth/single-sign-on/oidc.ts";
import type { PreviewContext } from "../../domain/callbacks/queries/preview-callback.ts";
import type { Callbacks } from "../../domain/callbacks/start-callbacks.ts";
import type { Catalogue } from "../../domain/catalog/catalogue.ts";
import type { OrdersContext } from "../../domain/orders/context.ts";
import type { RechargeContext } from "../../domain/services/recharge/context.ts";
import type { StatusSnapshot } from "../../domain/status/snapshot.ts";
import type { Sql } from "../../platform/db/connection.ts";
import type { Mailer } from "../../platform/mail/mailer.ts";
import type { AuthDependencies } from "../auth/context.ts";
import type { SiteGateContext } from "../sites/actions/site-api.ts";
import type { Viewers } from "../sites/viewers.ts";
import type { Session } from "./session.ts";

/** The context of the portal's gate. */
export type PortalGateContext = SiteGateContext<Session>;

/** What the portal needs from the rest of the service. */
export type PortalContext = PortalGateContext &
  AccountsContext &
  Pick<RechargeContext, "health" | "limits"> & {
    readonly catalogue: Catalogue;
    readonly orders: OrdersContext;
    /** Separate connections without the time limit of requests, for large reads. */
    readonly longWork?: Sql;
    /** With several cells: the context of the cell that holds an account. */
    readonly inCell?: (accountId: string) => PortalContext;
    /** The status page, at most some seconds old. */
    readonly readStatus: () => Promise<StatusSnapshot>;
    readonly accountById: (accountId: string) => Account | null;
    readonly callbacks: Pick<Callbacks, "makeDue" | "sendTest" | "sendVersion3Test">;
    readonly mode: () => "trial" | "live";
    /** Users of the portal. */
    readonly auth: AuthContext;
    /** Speaks with identity providers. */
    readonly oidc: Oidc;
    readonly mail: Pick<Mailer, "send" | "isSetUp">;
    /** Returns null if callbacks may be sent to the URL, else the reason. */
    readonly checkCallbackUrl: (url: string) => Promise<string | null>;
  };

/** What the handlers of the portal's actions receive: the context, and objects that all requests of this process share. */
export type PortalDependencies = PortalContext &
  AuthDependencies & {
    /** Counts the live views of the API log. */
    readonly viewers: Viewers;
    /** For showing a callback as it would be sent now. Keeps decrypted secrets for a short time, so that a list does not decrypt them again. */
    readonly preview: PreviewContext;
  };
