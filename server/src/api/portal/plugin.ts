import type { FastifyPluginAsync } from "fastify";
import { readAccounts } from "../../domain/accounts/store.ts";
import { createKeys } from "../../domain/callbacks/delivery/keys.ts";
import type { SessionFacts } from "../auth/context.ts";
import type { SiteSession } from "../sites/action.ts";
import { siteApi } from "../sites/site-api.ts";
import { createViewers } from "../sites/viewers.ts";
import type { PortalAction } from "./action.ts";
import type { PortalContext, PortalDependencies } from "./context.ts";
import { PORTAL_ACTIONS } from "./portal-actions.ts";

const MAX_VIEWERS = { each: 10, all: 1_000 } as const;

/** The portal's API, registered under /portal/api. */
export function portalApi(deps: PortalDependencies, actions: readonly PortalAction[] = PORTAL_ACTIONS): FastifyPluginAsync {
  return siteApi({ ...deps, site: "portal" }, deps, actions);
}

/** Adds what all calls of this process share. */
export function portalDependencies(ctx: PortalContext): PortalDependencies {
  return {
    ...ctx,
    describe: (session) => describeAccount(ctx, session),
    viewers: createViewers(MAX_VIEWERS),
    preview: { sql: ctx.sql, clock: ctx.clock, ids: ctx.ids, keys: createKeys(ctx.vault) },
  };
}

/** Describes the session's account; null if the account no longer exists. */
async function describeAccount(ctx: PortalContext, session: SiteSession): Promise<SessionFacts | null> {
  const [account] = session.accountId === null ? [] : await readAccounts(ctx.sql, [session.accountId]);
  if (!account) return null;
  const { account_id, name, sandbox, standing } = account;
  return { account: { account_id, name, sandbox, standing }, ...(session.viewing ? { viewing: true } : {}) };
}
