import { Corprail } from "@corprail/sdk";
import { accountName } from "@corprail/server/domain/accounts/account-name";
import { parseAllowlist } from "@corprail/server/domain/accounts/allowlist";
import { createAccount } from "@corprail/server/domain/accounts/create-account";
import { replaceAllowlist } from "@corprail/server/domain/accounts/replace-allowlist";
import { keepProfile, refuseTaken } from "../profile/add-profile.ts";
import { profilePath } from "../profile/profile-file.ts";
import { actor } from "../shared/actor.ts";
import { type Installation, useInCell, withInstallation } from "../shared/load-installation.ts";
import { done, failed, type Outcome, UsageFault } from "../shared/outcome.ts";
import type { CommandContext } from "../shared/run-command.ts";

export type CreateOptions = {
  readonly sandbox?: boolean;
  readonly allow?: readonly string[];
  readonly profile?: string;
  readonly baseUrl?: string;
};

/** Creates an account as the operator API does. Everything is validated first, because the token is shown only once. */
export async function createOne(ctx: CommandContext, name: string, options: CreateOptions): Promise<Outcome> {
  const baseUrl = options.baseUrl ?? `http://${ctx.config.host}:${ctx.config.port}`;
  refuseWrong(name, options);
  if (options.profile !== undefined) {
    await refuseTaken(profilePath(ctx), options.profile);
    // The SDK refuses addresses to which a token must not be sent.
    new Corprail({ baseUrl, token: "checked-only" });
  }
  return await withInstallation(ctx, async (home) =>
    useInCell(ctx, home, await smallestCell(home), (installation) => createOn(ctx, installation, { name, ...options, baseUrl })),
  );
}

/** A new account goes to the cell with the fewest accounts, as in the service. */
async function smallestCell({ sql }: Installation): Promise<number> {
  const [row] = await sql<{ cell: number }[]>`
    select cell::int as cell from (
      select 0 as cell, count(*) as accounts from accounts
      union all
      select c.cell, count(a.account_id) from cells c left join account_cells a on a.cell = c.cell group by c.cell) sizes
    order by accounts, cell limit 1`;
  return row?.cell ?? 0;
}

async function createOn(
  ctx: CommandContext,
  installation: Installation,
  { name, sandbox = false, allow = [], profile, baseUrl }: CreateOptions & { readonly name: string; readonly baseUrl: string },
): Promise<Outcome> {
  const created = await createAccount(installation, actor(), { name, sandbox });
  if (created.kind !== "done") return failed("This cannot be an account's name.");
  const { accountId, apiToken } = created;
  if (allow.length > 0) await replaceAllowlist(installation, actor(), { accountId, entries: allow });
  const file = profilePath(ctx);
  if (profile !== undefined) await keepProfile(file, profile, { base_url: baseUrl, token: apiToken });
  const report = [`account id  ${accountId}`, `API token   ${apiToken}`].join("\n");
  const kept = profile === undefined ? "" : ` It is in the profile ${profile} too.`;
  const fields = { account_id: accountId, api_token: apiToken, sandbox, allowlist: allow, profile: profile ?? null };
  const next =
    allow.length > 0 ? [] : [`Its allowlist is empty, so every call is refused. Next: corprail account allow ${accountId} ADDRESS`];
  return { ...done(`The account is open. Its token is shown this once.${kept}`, fields, report), revealed: [apiToken], next };
}

function refuseWrong(name: string, { allow = [] }: CreateOptions): void {
  if (accountName(name) === null) throw new UsageFault("An account's name has 1 to 120 characters, and no control characters.");
  const parsed = parseAllowlist(allow);
  if (!parsed.ok) throw new UsageFault(`--allow takes addresses and CIDR ranges; ${JSON.stringify(parsed.wrong)} is neither.`);
}
