import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../../../../e2e/harness/deadline.ts";
import { rotateMasterKey } from "../accounts/master-key/rotate-master-key.ts";
import { newAccount, type TestSettings, testSettings } from "../accounts/testing/settings.ts";
import type { AuthContext } from "./context.ts";
import { findTotp } from "./factors/factor-store.ts";
import { startTotp } from "./factors/switch-totp.ts";
import { TOTP_SECRETS, totpContext } from "./factors/totp.ts";
import { passkeyRequestOptions } from "./factors/use-passkey.ts";
import { findSession } from "./sessions/find-session.ts";
import { signIn } from "./sessions/sign-in.ts";
import { sweepAuth } from "./sweep.ts";
import { acceptInvitation } from "./team/accept-invitation.ts";
import { invite } from "./team/invite.ts";

const PASSWORD = "correct horse battery";
const browser = { address: "203.0.113.9", userAgent: "A test", devices: [] };

let settings: TestSettings;
let ctx: AuthContext;
beforeAll(async () => {
  settings = await testSettings();
  ctx = { ...settings.ctx, realm: "portal" };
});
afterAll(() => settings.close());

async function newUser(email: string): Promise<{ userId: string; token: string }> {
  const { accountId } = await newAccount(settings.ctx);
  const invited = await invite(ctx, "test", { accountId, email, role: "owner" });
  if (invited.kind !== "done") throw new Error(invited.kind);
  const accepted = await acceptInvitation(ctx, { token: invited.token, name: "Asha", password: PASSWORD, browser });
  if (accepted.kind !== "done") throw new Error(accepted.kind);
  return { token: accepted.token, userId: (await findSession(ctx, accepted.token))?.userId ?? "" };
}

test("an authenticator app's secret is sealed again when the master key is rotated", async () => {
  const { userId } = await newUser("sealed@shop.example");
  const started = await startTotp(ctx, userId);
  if (started.kind !== "done") throw new Error(started.reason);
  const before = await findTotp(ctx.sql, userId);
  const others = [TOTP_SECRETS];
  const result = await rotateMasterKey(settings.ctx, "test", { path: settings.keyPath, settle: async () => {}, others });
  if (result.kind !== "done") throw new Error(result.reason);
  const after = await findTotp(ctx.sql, userId);
  expect(after?.key_id).toBe(result.keyId);
  expect(after?.key_id).not.toBe(before?.key_id);
  if (!after) throw new Error("The secret is gone.");
  const sealed = { keyId: after.key_id, sealed: after.sealed };
  expect(await ctx.vault.open(sealed, totpContext(userId))).toBe(started.secret);
  await expect(ctx.vault.open(sealed, totpContext("somebody-else"))).rejects.toThrow();
});

test("a session or password of one site is refused by the other", async () => {
  const { token } = await newUser("both@shop.example");
  const console: AuthContext = { ...ctx, realm: "console" };
  expect(await findSession(console, token)).toBeNull();
  const input = { email: "both@shop.example", password: PASSWORD, browser, before: null, later: () => {} };
  expect(await signIn(console, input)).toEqual({ kind: "refused" });
  expect(await signIn(ctx, input)).toMatchObject({ kind: "done", stage: "full" });
});

test("a password that is replaced while it is compared opens nothing", async () => {
  const { userId } = await newUser("racing@shop.example");
  const lock = await ctx.sql.reserve();
  await lock`begin`;
  await lock`update users set password_hash = 'replaced' where user_id = ${userId}`;
  const attempt = signIn(ctx, { email: "racing@shop.example", password: PASSWORD, browser, before: null, later: () => {} });
  const [own] = await lock<{ pid: number }[]>`select pg_backend_pid() as pid`;
  await until("the sign-in waits for the change", async () => {
    const rows = await ctx.sql`select 1 from pg_locks where not granted and ${own?.pid ?? 0} = any(pg_blocking_pids(pid))`;
    return rows.length > 0;
  });
  await lock`commit`;
  lock.release();
  expect(await attempt).toEqual({ kind: "refused" });
});

test("expired records are deleted, and those in use stay", async () => {
  const { token, userId } = await newUser("swept@shop.example");
  await passkeyRequestOptions(ctx, { purpose: "sign_in", userId: null }, { origin: "https://pay.example" });
  await signIn(ctx, { email: "nobody@shop.example", password: PASSWORD, browser, before: null, later: () => {} });
  const counts = async () =>
    (
      await ctx.sql<{ sessions: number; challenges: number; tries: number }[]>`
        select (select count(*)::int from sessions where user_id = ${userId}) as sessions,
          (select count(*)::int from passkey_challenges) as challenges, (select count(*)::int from sign_in_attempts) as tries`
    )[0];
  await sweepAuth(ctx);
  expect(await counts()).toMatchObject({ sessions: 1, challenges: 1 });
  settings.clock.advance(16 * 60_000);
  const ahead = await counts();
  await sweepAuth(ctx);
  expect(await counts()).toEqual(ahead);
  settings.clock.advance(60 * 60_000);
  await sweepAuth(ctx);
  expect(await counts()).toEqual({ sessions: 1, challenges: 0, tries: 0 });
  expect(await findSession(ctx, token)).not.toBeNull();
  settings.clock.advance(14 * 60 * 60_000);
  await sweepAuth(ctx);
  expect(await counts()).toEqual({ sessions: 0, challenges: 0, tries: 0 });
});
