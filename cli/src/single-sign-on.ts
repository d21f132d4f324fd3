import { stopEnforcing } from "@corprail/server/domain/auth/single-sign-on/save-provider";
import { actor } from "./shared/actor.ts";
import { withInstallation } from "./shared/load-installation.ts";
import { done, failed, type Outcome } from "./shared/outcome.ts";
import type { CommandContext } from "./shared/run-command.ts";

export type StopOptions = { readonly account?: string };

/** Lets members sign in with passwords again, when the identity provider fails and nobody has an operator key. */
export async function stopEnforcingSignOn(ctx: CommandContext, { account: accountId }: StopOptions): Promise<Outcome> {
  return await withInstallation(ctx, async (installation) => {
    const auth = { ...installation, realm: accountId === undefined ? "console" : "portal" } as const;
    const by = { actor: actor(), person: null, sessionId: null };
    const result = await stopEnforcing(auth, by, accountId ?? null);
    const whose = accountId === undefined ? "staff" : `account ${accountId}`;
    if (result.kind === "not_found") return failed(`There is no single sign-on of ${whose}.`);
    return done(`Single sign-on of ${whose} is no longer enforced. Passwords and passkeys work again.`, { account_id: accountId ?? null });
  });
}
