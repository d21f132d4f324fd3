import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keyDigest } from "../api/operator/authenticate.ts";
import { findOperatorKey } from "../api/operator/keys/key-store.ts";
import { createAccount } from "../domain/accounts/create-account.ts";
import { newAccount, type TestSettings, testSettings } from "../domain/accounts/testing/settings.ts";
import type { AuthContext } from "../domain/auth/context.ts";
import { findInvitation } from "../domain/auth/store.ts";
import { FIRST_START, invite } from "../domain/auth/team/invite.ts";
import { digestOf } from "../domain/auth/tokens.ts";
import { readWallet } from "../domain/ledger/store.ts";
import { contextOf } from "../domain/orders/testing/fixture.ts";
import { createLog } from "../platform/observability/log.ts";
import { createDemo, type FirstRunDependencies, isFirstRunPending, STEPS } from "./first-run.ts";

let settings: TestSettings;
let folder: string;
beforeEach(async () => {
  settings = await testSettings();
  folder = await mkdtemp(join(tmpdir(), "corprail-first-run-"));
});
afterEach(async () => {
  await settings.close();
  await rm(folder, { recursive: true });
});

const authOf = (realm: AuthContext["realm"]): AuthContext => ({ ...settings.ctx, realm });

async function start(more: Partial<FirstRunDependencies> = {}): Promise<void> {
  const { ctx, clock } = settings;
  await createDemo({
    accounts: ctx,
    orders: contextOf(ctx.sql, ctx.sql, clock),
    members: authOf("portal"),
    staff: authOf("console"),
    mode: "trial",
    config: { host: "127.0.0.1", publicUrl: null, dataFolder: folder },
    consoleUrl: null,
    ports: { port: 8080, consolePort: 8080 },
    log: createLog("silent"),
    ...more,
  });
}

/** A start that is killed after the step, as far as the database can tell. */
async function startUntil(step: string): Promise<void> {
  const killed = start({
    afterStep: (done) => {
      if (done === step) throw new Error("killed");
    },
  });
  await expect(killed).rejects.toThrow("killed");
}

const shownText = () => readFile(join(folder, "first-run.txt"), "utf8").catch(() => null);

/** Checks that all shown credentials work and that nothing exists twice. */
async function expectWholeDemo(): Promise<void> {
  const { sql } = settings.database;
  const text = (await shownText()) ?? "";
  const [token = ""] = /tok_live_\S{43}/.exec(text) ?? [];
  const account = settings.directory.byToken(token);
  expect(account).toMatchObject({ name: "Demo", allowlist: { entries: ["127.0.0.1", "::1"] } });
  const accountId = account?.accountId ?? "";
  expect(text).toMatch(new RegExp(`account id +${accountId}`));
  expect((await readWallet(sql, accountId)).available).toBe(100_000_000n);
  expect(text).toMatch(/sig_\S{43}/);
  const [key = ""] = /opk_\S{43}/.exec(text) ?? [];
  expect(await findOperatorKey(sql, keyDigest(key))).toBeDefined();
  const [owner = "", admin = ""] = text.match(/inv_[\w-]{43}/g) ?? [];
  const now = new Date(settings.clock.now());
  expect(await findInvitation(sql, "portal", digestOf(owner), now)).toMatchObject({ account_id: accountId, role: "owner" });
  expect(await findInvitation(sql, "console", digestOf(admin), now)).toMatchObject({ account_id: null, role: "admin" });
  expect(await sql`select name from operator_keys`).toEqual([{ name: "First start" }]);
  expect(await sql`select name from accounts`).toEqual([{ name: "Demo" }]);
  expect(await sql`select email from invitations where ended_at is null`).toHaveLength(2);
}

test("a first start makes the demo account, and later starts leave it alone", async () => {
  expect(await isFirstRunPending(settings.ctx.sql)).toBe(true);
  await start();
  await expectWholeDemo();
  expect(await isFirstRunPending(settings.ctx.sql)).toBe(false);
  const text = await shownText();
  await rm(join(folder, "first-run.txt"));
  await start();
  expect(text).not.toBeNull();
  expect(await shownText()).toBeNull();
});

test.each(STEPS)("a first start that was killed after the step '%s' is completed by the next one", async (step) => {
  await startUntil(step);
  expect(await isFirstRunPending(settings.ctx.sql)).toBe(true);
  // A second kill changes nothing.
  await startUntil(step);
  await start();
  await expectWholeDemo();
  expect(await isFirstRunPending(settings.ctx.sql)).toBe(false);
});

test("credentials that could not be written are shown by the next start", async () => {
  await expect(start({ config: { host: "127.0.0.1", publicUrl: null, dataFolder: join(folder, "missing") } })).rejects.toThrow("ENOENT");
  await start();
  await expectWholeDemo();
});

test("of several processes that complete a killed first start, one does", async () => {
  await startUntil("operator key");
  await Promise.all([start(), start(), start()]);
  await expectWholeDemo();
});

test("a killed first start is left alone once somebody uses the installation", async () => {
  await startUntil("admin");
  const { sql } = settings.database;
  const [row] = await sql<{ account_id: string }[]>`select account_id from accounts`;
  await invite(authOf("console"), "operator-key", { accountId: null, email: "asha@platform.example", role: "admin" });
  expect(await isFirstRunPending(sql)).toBe(false);
  await start();
  expect(await shownText()).toBeNull();
  expect(await sql`select account_id from accounts`).toEqual([row]);
});

test("a killed first start is left alone once there is another account", async () => {
  await startUntil("account");
  await newAccount(settings.ctx);
  expect(await isFirstRunPending(settings.ctx.sql)).toBe(false);
});

test("an account that staff made is no demo account", async () => {
  await newAccount(settings.ctx, "Demo");
  expect(await isFirstRunPending(settings.ctx.sql)).toBe(false);
});

test("a demo account of an earlier version stays as it is, unless its start was killed", async () => {
  // Earlier versions did not record that the start began and ended. Their last step was the console's invitation.
  await createAccount(settings.ctx, FIRST_START, { name: "Demo", sandbox: false });
  expect(await isFirstRunPending(settings.ctx.sql)).toBe(true);
  await invite(authOf("console"), FIRST_START, { accountId: null, email: null, role: "admin" });
  expect(await isFirstRunPending(settings.ctx.sql)).toBe(false);
  await start();
  expect(await shownText()).toBeNull();
});
