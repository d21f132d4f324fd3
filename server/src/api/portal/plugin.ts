import type { FastifyPluginAsync } from "fastify";
import type { AccountMode } from "../../domain/accounts/account-mode.ts";
import { findSandboxAccount } from "../../domain/accounts/sandbox-account.ts";
import { readAccounts } from "../../domain/accounts/store.ts";
import { createKeys } from "../../domain/callbacks/delivery/keys.ts";
import type { PreviewContext } from "../../domain/callbacks/queries/preview-callback.ts";
import { requireNotMoved } from "../../domain/ledger/store.ts";
import type { SessionFacts } from "../auth/context.ts";
import type { SiteSession } from "../sites/actions/action.ts";
import type { Refusal } from "../sites/actions/refusal.ts";
import { siteApi } from "../sites/actions/site-api.ts";
import { createViewers } from "../sites/viewers.ts";
import type { PortalAction, PortalCall } from "./action.ts";
import type { PortalContext, PortalDependencies } from "./context.ts";
import { PORTAL_ACTIONS } from "./portal-actions.ts";
import { NO_SANDBOX } from "./sandbox/sandbox.ts";
import type { Session } from "./session.ts";

const MAX_VIEWERS = { each: 10, all: 1_000 } as const;

/** The portal's API, registered under /portal/api. */
export function portalApi(deps: PortalDependencies, actions: readonly PortalAction[] = PORTAL_ACTIONS): FastifyPluginAsync {
  const site = { ...deps, site: "portal" as const, inMode: (session: Session, mode: AccountMode) => sessionInMode(deps, session, mode) };
  const { inCell } = deps;
  if (!inCell) return siteApi(site, deps, actions);
  const ofSession = (session: SiteSession | null) => {
    if (session === null || session.accountId === null) return deps;
    const ctx = inCell(session.accountId);
    return { ...deps, ...ctx, preview: previewOf(ctx) };
  };
  return siteApi(site, ofSession, actions.map(confirmWhileServed));
}

/** A change in a cell that the account has left meanwhile may not have moved along, so it is not confirmed. */
function confirmWhileServed(action: PortalAction): PortalAction {
  if (!("output" in action) || action.roles === "anyone" || action.path.startsWith("GET ")) return action;
  const { handler } = action;
  return {
    ...action,
    handler: async (call: PortalCall) => {
      const reply = await handler(call);
      await requireNotMoved(call.deps.sql, call.session.accountId);
      return reply;
    },
  };
}

function previewOf(ctx: PortalContext): PreviewContext {
  return { sql: ctx.sql, clock: ctx.clock, ids: ctx.ids, keys: createKeys(ctx.vault) };
}

/** In test mode a session acts on the account's sandbox. A sandbox account is its own. */
async function sessionInMode({ sql, accountById, inCell }: PortalContext, session: Session, mode: AccountMode): Promise<Session | Refusal> {
  if (mode === "live" || accountById(session.accountId)?.sandbox) return session;
  const found = await findSandboxAccount(inCell?.(session.accountId).sql ?? sql, session.accountId);
  return found ? { ...session, accountId: found.sandboxId } : NO_SANDBOX;
}

/** Adds what all calls of this process share. */
export function portalDependencies(ctx: PortalContext): PortalDependencies {
  return {
    ...ctx,
    describe: (session) => describeAccount(ctx, session),
    viewers: createViewers(MAX_VIEWERS),
    preview: previewOf(ctx),
  };
}

/** Describes the session's account; null if the account no longer exists. */
async function describeAccount(ctx: PortalContext, session: SiteSession): Promise<SessionFacts | null> {
  if (session.accountId === null) return null;
  const { sql } = ctx.inCell?.(session.accountId) ?? ctx;
  const [account] = await readAccounts(sql, [session.accountId]);
  if (!account) return null;
  const { account_id, name, sandbox, standing } = account;
  const own = await findSandboxAccount(sql, account_id);
  return {
    account: { account_id, name, sandbox, standing, sandbox_id: own?.sandboxId ?? null },
    ...(session.viewing ? { viewing: true } : {}),
  };
}
