import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AccountsContext } from "./accounts/context.ts";
import { createAccount } from "./accounts/create-account.ts";
import { replaceAllowlist } from "./accounts/replace-allowlist.ts";
import { replaceSigningSecret } from "./accounts/replace-signing-secret.ts";
import { createKey } from "./operator-api/create-key.ts";
import type { Log } from "./observe/log.ts";

export type FirstRunContext = AccountsContext & {
  readonly log: Log;
  readonly host: string;
  readonly port: number;
  readonly dataFolder: string;
};

const ACTOR = "first-run";
// Processes that start at once on an empty database meet on this lock; one of them makes the demo account.
const LOCK = 7_236_154_202;

/** On an empty database: a demo account to try things with, and the credentials to do it, shown once. */
export async function openFirstRun(ctx: FirstRunContext): Promise<void> {
  const session = await ctx.sql.reserve();
  try {
    await session`select pg_advisory_lock(${LOCK})`;
    const [row] = await session<{ count: number }[]>`select count(*)::int as count from accounts`;
    if (row?.count === 0) await show(ctx, await makeDemo(ctx));
  } finally {
    await session`select pg_advisory_unlock(${LOCK})`;
    session.release();
  }
}

async function makeDemo(ctx: FirstRunContext): Promise<string> {
  const account = await createAccount(ctx, ACTOR, { name: "Demo", sandbox: false });
  if (account.kind !== "done") throw new Error("The demo account could not be made.");
  await replaceAllowlist(ctx, ACTOR, { accountId: account.accountId, entries: ["127.0.0.1", "::1"] });
  const signing = await replaceSigningSecret(ctx, ACTOR, { accountId: account.accountId });
  const operator = await createKey(ctx, ACTOR, { name: "First run" });
  const base = `http://${ctx.host}:${ctx.port}`;
  return [
    "Corprail: the first start made a demo account. These credentials are shown this once.",
    "",
    `  account id      ${account.accountId}`,
    `  API token       ${account.apiToken}`,
    `  signing secret  ${signing.kind === "done" ? signing.signingSecret : ""}`,
    `  operator key    ${operator.apiKey}   (for ${base}/api/operator/v1)`,
    "",
    "Try it:",
    "",
    `curl -sS ${base}/api/corp/v1/services -H 'X-Api-Token: ${account.apiToken}'`,
    "",
  ].join("\n");
}

// A terminal is read by the person at it; anything else may be kept, so there the secrets go to a file of the owner's.
async function show(ctx: FirstRunContext, text: string): Promise<void> {
  if (process.stdout.isTTY) {
    process.stdout.write(`\n${text}\n`);
    return;
  }
  const file = join(ctx.dataFolder, "first-run.txt");
  await writeFile(file, text, { mode: 0o600, flag: "w" });
  ctx.log.info({ file }, `a demo account was made; its credentials are in ${file}`);
}
