import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createKey } from "./api/operator/keys/manage-keys.ts";
import type { Config } from "./config.ts";
import type { AccountsContext } from "./domain/accounts/context.ts";
import { createAccount } from "./domain/accounts/create-account.ts";
import { replaceSigningSecret } from "./domain/accounts/credentials/replace-signing-secret.ts";
import { replaceAllowlist } from "./domain/accounts/replace-allowlist.ts";
import type { AuthContext } from "./domain/auth/context.ts";
import { FIRST_START as ACTOR, invite } from "./domain/auth/team/invite.ts";
import { invitationLink } from "./domain/auth/team/links.ts";
import type { OrdersContext } from "./domain/orders/context.ts";
import { topUp } from "./domain/orders/top-up.ts";
import { MODE_WORDS, type Mode } from "./domain/providers/mode/mode.ts";
import { moneyOf } from "./platform/core/money.ts";
import type { Queryable } from "./platform/db/connection.ts";
import type { Log } from "./platform/observability/log.ts";

type Dependencies = {
  readonly accounts: AccountsContext;
  readonly orders: OrdersContext;
  /** Users of the portal. */
  readonly members: AuthContext;
  /** Users of the console. */
  readonly staff: AuthContext;
  readonly mode: Mode;
  readonly config: Pick<Config, "host" | "publicUrl" | "dataFolder">;
  /** The address at which browsers reach the console, if it differs from the listening address. */
  readonly consoleUrl: string | null;
  /** The ports on which the service listens. */
  readonly ports: { readonly port: number; readonly consolePort: number };
  readonly log: Log;
};

const DEMO_RECHARGE = '{"account":"9876543000","operator":"AT","amount":"10.00","urid":"demo-1"}';
const DEMO_OWNER = "owner@demo.example";
const DEMO_MONEY = moneyOf(100_000_000n);
// Of several processes that start on an empty database at the same time, the one with this lock creates the demo account.
const LOCK = 7_236_154_203;
const LOCK_POLL_MILLISECONDS = 100;

export async function hasNoAccounts(sql: Queryable): Promise<boolean> {
  const [row] = await sql<{ none: boolean }[]>`select not exists (select from accounts) as none`;
  return row?.none ?? false;
}

/** Creates a demo account if there is no account yet, and shows its credentials once. */
export async function createDemo(dependencies: Dependencies): Promise<void> {
  const session = await dependencies.accounts.sql.reserve();
  try {
    await takeLock(session);
    if (await hasNoAccounts(session)) await show(dependencies, await makeDemo(dependencies));
  } finally {
    await session`select pg_advisory_unlock(${LOCK})`;
    session.release();
  }
}

// Polls, because sessions for requests have a short lock_timeout.
async function takeLock(session: Queryable): Promise<void> {
  for (;;) {
    const [row] = await session<{ taken: boolean }[]>`select pg_try_advisory_lock(${LOCK}) as taken`;
    if (row?.taken) return;
    await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MILLISECONDS));
  }
}

async function makeDemo(dependencies: Dependencies): Promise<string> {
  const { accounts, orders, members, staff, mode, config, ports } = dependencies;
  // In live mode the demo account must be a sandbox account, which only the simulator serves.
  const account = await createAccount(accounts, ACTOR, { name: "Demo", sandbox: mode === "live" });
  if (account.kind !== "done") throw new Error("The demo account could not be created.");
  const { accountId } = account;
  await replaceAllowlist(accounts, ACTOR, { accountId, entries: ["127.0.0.1", "::1"] });
  await topUp(orders, ACTOR, { accountId, amount: DEMO_MONEY, reference: "first-run", note: "Demo balance" });
  const signing = await replaceSigningSecret(accounts, ACTOR, { accountId });
  const operator = await createKey(accounts, { actor: ACTOR, person: ACTOR }, { name: "First run" });
  const owner = await invite(members, ACTOR, { accountId, email: DEMO_OWNER, role: "owner" });
  const admin = await invite(staff, ACTOR, { accountId: null, email: null, role: "admin" });
  const base = `http://${config.host}:${ports.port}`;
  const consoleUrl = dependencies.consoleUrl ?? `http://${config.host}:${ports.consolePort}`;
  const site = config.publicUrl ?? base;
  return [
    "Corprail created a demo account on this first start. These credentials are shown only once.",
    "",
    `  mode            ${MODE_WORDS[mode]}${mode === "live" ? " (the demo account is a sandbox account)" : ""}`,
    `  account id      ${account.accountId}`,
    `  API token       ${account.apiToken}`,
    `  signing secret  ${signing.kind === "done" ? signing.signingSecret : ""}`,
    `  operator key    ${operator.apiKey}   (for ${base}/api/operator/v1)`,
    "",
    `  portal          ${site}/portal`,
    `  set it up       ${owner.kind === "done" ? invitationLink("portal", site, owner.token) : ""}   (once, within 7 days, as ${DEMO_OWNER})`,
    `  console         ${consoleUrl}/console`,
    `  set it up       ${admin.kind === "done" ? invitationLink("console", consoleUrl, admin.token) : ""}   (once, within 7 days)`,
    "",
    "Try it:",
    "",
    `curl -sS ${base}/api/corp/v1/recharge -H 'X-Api-Token: ${account.apiToken}' -H 'Content-Type: application/json' -d '${DEMO_RECHARGE}'`,
    "",
  ].join("\n");
}

// Output that is not a terminal may be stored in a log, so the secrets go to a file that only the owner can read.
async function show({ config, log }: Dependencies, text: string): Promise<void> {
  if (process.stdout.isTTY) {
    process.stdout.write(`\n${text}\n`);
    return;
  }
  const file = join(config.dataFolder, "first-run.txt");
  await writeFile(file, text, { mode: 0o600, flag: "w" });
  log.info({ file }, `demo account created; its credentials are in ${file}`);
}
