import { readAccounts } from "../../domain/accounts/store.ts";
import type { JsonObject } from "../../platform/core/strict-json.ts";
import { invitationRoutes } from "../auth/invitation-routes.ts";
import { proofRoutes } from "../auth/proof-routes.ts";
import { securityRoutes } from "../auth/security-routes.ts";
import { sessionRoutes } from "../auth/session-routes.ts";
import { catalogueRoutes } from "./catalogue/catalogue-routes.ts";
import { complaintRoutes } from "./complaints/complaint-routes.ts";
import type { PortalContext } from "./context.ts";
import { homeRoutes } from "./home/home-routes.ts";
import { allowlistRoutes } from "./integration/allowlist-routes.ts";
import { callbackRoutes } from "./integration/callback-routes.ts";
import { callbackSettingsRoutes } from "./integration/callback-settings-routes.ts";
import { credentialRoutes } from "./integration/credential-routes.ts";
import { limitRoutes } from "./integration/limit-routes.ts";
import { logRoutes } from "./integration/log-routes.ts";
import { jobRoutes } from "./jobs/job-routes.ts";
import { auditRoutes } from "./members/audit-routes.ts";
import { teamRoutes } from "./members/team-routes.ts";
import { viewRoutes } from "./members/view-routes.ts";
import { EVERYBODY, type PortalRoute } from "./route.ts";
import { sandboxRoutes } from "./sandbox/sandbox-routes.ts";
import type { Session } from "./session.ts";
import { transactionRoutes } from "./transactions/transaction-routes.ts";
import { walletRoutes } from "./wallet/wallet-routes.ts";

/** All routes of the portal, each with its allowed roles. */
export function portalRoutes(ctx: PortalContext): readonly PortalRoute[] {
  const authContext = { ...ctx, everybody: EVERYBODY, describe: (session: Session) => describeAccount(ctx, session) };
  return [
    ...sessionRoutes(authContext),
    ...proofRoutes(authContext),
    ...invitationRoutes(authContext),
    ...viewRoutes(ctx),
    ...homeRoutes(ctx),
    ...transactionRoutes(ctx),
    ...complaintRoutes(ctx),
    ...walletRoutes(ctx),
    ...credentialRoutes(ctx),
    ...allowlistRoutes(ctx),
    ...callbackSettingsRoutes(ctx),
    ...callbackRoutes(ctx),
    ...logRoutes(ctx),
    ...limitRoutes(ctx),
    ...catalogueRoutes(ctx),
    ...sandboxRoutes(ctx),
    ...jobRoutes(ctx),
    ...teamRoutes(ctx),
    ...securityRoutes(authContext),
    ...auditRoutes(ctx),
  ];
}

/** Describes the session's account; null if the account no longer exists. */
async function describeAccount(ctx: PortalContext, session: Session): Promise<JsonObject | null> {
  const [account] = await readAccounts(ctx.sql, [session.accountId]);
  if (!account) return null;
  const { account_id, name, sandbox, standing } = account;
  return { account: { account_id, name, sandbox, standing }, ...(session.viewing ? { viewing: true } : {}) };
}
