import { join } from "node:path";
import { type CreatedKey, createKey, deleteKey } from "../api/operator/keys/manage-keys.ts";
import type { AccountsContext } from "../domain/accounts/context.ts";
import { createAccount } from "../domain/accounts/create-account.ts";
import { replaceSigningSecret } from "../domain/accounts/credentials/replace-signing-secret.ts";
import { replaceToken } from "../domain/accounts/credentials/replace-token.ts";
import { replaceAllowlist } from "../domain/accounts/replace-allowlist.ts";
import type { AuthContext } from "../domain/auth/context.ts";
import { FIRST_START as ACTOR, invite } from "../domain/auth/team/invite.ts";
import { invitationLink } from "../domain/auth/team/links.ts";
import type { OrdersContext } from "../domain/orders/context.ts";
import { topUp } from "../domain/orders/top-up.ts";
import { MODE_WORDS, type Mode } from "../domain/providers/mode/mode.ts";
import { moneyOf } from "../platform/core/money.ts";
import type { Queryable, Transaction } from "../platform/db/connection.ts";
import { syncToDisk, writePrivateFile } from "../platform/db/embedded/private-file.ts";
import type { Log } from "../platform/observability/log.ts";
import type { Config } from "../settings/config.ts";
import { type DemoState, readDemoState, recordBegun, recordEnded } from "./unfinished-demo.ts";

/** What a first start does, in this order. Each step is committed on its own, and a kill can come after any of them. */
export const STEPS = ["account", "allowlist", "balance", "signing secret", "operator key", "owner", "admin", "shown"] as const;
export type Step = (typeof STEPS)[number];

export type FirstRunDependencies = {
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
  /** For tests, which stop the start after a step as a kill would. */
  readonly afterStep?: (step: Step) => void;
};

type PendingDemo = Exclude<DemoState, { readonly kind: "finished" }>;

const DEMO_RECHARGE = '{"account":"9876543000","operator":"AT","amount":"10.00","urid":"demo-1"}';
const DEMO_OWNER = "owner@demo.example";
const DEMO_MONEY = moneyOf(100_000_000n);
// Of several processes that start on an empty database at the same time, the one with this lock creates the demo account.
const LOCK = 7_236_154_203;
const LOCK_POLL_MILLISECONDS = 100;

/** Whether the demo account is still to be made, or its credentials are still to be shown. */
export async function isFirstRunPending(sql: Queryable): Promise<boolean> {
  return (await readDemoState(sql)).kind !== "finished";
}

/** Creates a demo account if there is no account yet, or completes one whose start was killed, and shows its credentials once. */
export async function createDemo(dependencies: FirstRunDependencies): Promise<void> {
  const { accounts, afterStep } = dependencies;
  const session = await accounts.sql.reserve();
  try {
    await takeLock(session);
    const state = await readDemoState(session);
    if (state.kind === "finished") return;
    show(dependencies, await makeDemo(dependencies, state));
    afterStep?.("shown");
    // Last, so that credentials that nobody can have seen are replaced by the next start.
    await recordEnded(accounts);
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

async function makeDemo(dependencies: FirstRunDependencies, state: PendingDemo): Promise<string> {
  const { accounts, orders, members, staff, mode, config, ports, afterStep } = dependencies;
  const account = await demoAccount(dependencies, state);
  afterStep?.("account");
  const { accountId } = account;
  await replaceAllowlist(accounts, ACTOR, { accountId, entries: ["127.0.0.1", "::1"] });
  afterStep?.("allowlist");
  await topUp(orders, ACTOR, { accountId, amount: DEMO_MONEY, reference: "first-run", note: "Demo balance" });
  afterStep?.("balance");
  const signing = await replaceSigningSecret(accounts, ACTOR, { accountId });
  afterStep?.("signing secret");
  const operator = await operatorKey(accounts);
  afterStep?.("operator key");
  const owner = await invite(members, ACTOR, { accountId, email: DEMO_OWNER, role: "owner" });
  afterStep?.("owner");
  const admin = await invite(staff, ACTOR, { accountId: null, email: null, role: "admin" });
  afterStep?.("admin");
  const base = `http://${config.host}:${ports.port}`;
  const consoleUrl = dependencies.consoleUrl ?? `http://${config.host}:${ports.consolePort}`;
  const site = config.publicUrl ?? base;
  return [
    "Corprail created a demo account on this first start. These credentials are shown only once.",
    "",
    `  mode            ${MODE_WORDS[mode]}${account.sandbox ? " (the demo account is a sandbox account)" : ""}`,
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

type DemoAccount = { readonly accountId: string; readonly sandbox: boolean; readonly apiToken: string };

async function demoAccount({ accounts, mode }: FirstRunDependencies, state: PendingDemo): Promise<DemoAccount> {
  if (state.kind === "unfinished") {
    const { accountId, sandbox } = state;
    const replaced = await replaceToken(accounts, ACTOR, { accountId });
    if (replaced.kind === "done") return { accountId, sandbox, apiToken: replaced.apiToken };
    throw new Error("The token of the demo account could not be replaced.");
  }
  // In live mode the demo account must be a sandbox account, which only the simulator serves.
  const sandbox = mode === "live";
  const also = (tx: Transaction, _accountId: string, at: Date) => recordBegun(tx, at);
  const created = await createAccount(accounts, ACTOR, { name: "Demo", sandbox, also });
  if (created.kind !== "done") throw new Error("The demo account could not be created.");
  return { ...created, sandbox };
}

/** Creates the operator key, and deletes the one of a start that was killed. */
async function operatorKey(accounts: AccountsContext): Promise<CreatedKey> {
  const lost = await accounts.sql<{ keyId: string }[]>`select key_id as "keyId" from operator_keys where created_by = ${ACTOR}`;
  for (const { keyId } of lost) await deleteKey(accounts, ACTOR, { keyId });
  return await createKey(accounts, { actor: ACTOR, person: ACTOR }, { name: "First start" });
}

// Output that is not a terminal may be stored in a log, so the secrets go to a file that only the owner can read.
function show({ config, log }: FirstRunDependencies, text: string): void {
  if (process.stdout.isTTY) {
    process.stdout.write(`\n${text}\n`);
    return;
  }
  const file = join(config.dataFolder, "first-run.txt");
  writePrivateFile(file, text);
  syncToDisk(file);
  log.info({ file }, `demo account created; its credentials are in ${file}`);
}
