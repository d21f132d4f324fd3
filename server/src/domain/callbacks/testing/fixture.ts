import type { Sql } from "../../../platform/db/connection.ts";
import { parseRange, type Range } from "../../../platform/network/address.ts";
import { createLog } from "../../../platform/observability/log.ts";
import { changeAccount } from "../../accounts/change-account.ts";
import { replaceCallbackSecret } from "../../accounts/credentials/replace-callback-secret.ts";
import { newAccount, type TestSettings, testSettings } from "../../accounts/testing/settings.ts";
import { type Callbacks, type CallbacksDependencies, startCallbacks } from "../start-callbacks.ts";

export type TestAccount = { readonly accountId: string; readonly token: string };

export type Fixture = {
  readonly settings: TestSettings;
  readonly sql: Sql;
  readonly account: (urls?: { status?: string; complaint?: string }) => Promise<TestAccount>;
  readonly change: (accountId: string, change: Omit<Parameters<typeof changeAccount>[2], "accountId">) => Promise<void>;
  /** Gives the account a callback secret and switches it to version 3. */
  readonly toVersion3: (accountId: string) => Promise<string>;
  readonly newSecret: (accountId: string) => Promise<string>;
  /** Writes a row as the order engine does. */
  readonly tell: (account: TestAccount, fields?: Partial<OutboxFields>) => Promise<string>;
  readonly row: (callbackId: string) => Promise<OutboxRow>;
  /** Starts a worker; all are closed with the fixture. */
  readonly worker: (change?: Partial<CallbacksDependencies>) => Promise<Callbacks>;
  readonly close: () => Promise<void>;
};

export type OutboxFields = {
  readonly kind: "status" | "complaint";
  readonly orderId: string;
  readonly status: string;
  readonly at: number;
  readonly nextAt: number;
};

export type OutboxRow = {
  readonly state: string;
  readonly attempts: number;
  readonly retry_step: number;
  readonly claim_id: string | null;
  readonly next_at: Date;
  readonly last_http_status: number | null;
  readonly last_error: string | null;
  readonly version: number | null;
};

export const LOOPBACK: readonly Range[] = [parseRange("127.0.0.0/8"), parseRange("::1")].filter((range) => range !== null);

/** A database with accounts and an outbox, and as many delivering workers as a test starts. */
export async function createFixture(): Promise<Fixture> {
  const settings = await testSettings();
  const { sql } = settings.database;
  const { ctx, clock } = settings;
  const workers: Callbacks[] = [];
  const change: Fixture["change"] = async (accountId, changes) => {
    const result = await changeAccount(ctx, "test", { accountId, ...changes });
    if (result.kind !== "done") throw new Error(JSON.stringify(result));
  };
  const newSecret: Fixture["newSecret"] = async (accountId) => {
    const result = await replaceCallbackSecret(ctx, "test", { accountId });
    if (result.kind !== "done") throw new Error("no secret");
    return result.callbackSecret;
  };
  return {
    settings,
    sql,
    change,
    newSecret,
    account: async (urls = {}) => {
      const { accountId, apiToken } = await newAccount(ctx);
      await change(accountId, { callbackUrl: urls.status, complaintCallbackUrl: urls.complaint });
      return { accountId, token: apiToken };
    },
    toVersion3: async (accountId) => {
      const secret = await newSecret(accountId);
      await change(accountId, { callbackVersion: 3 });
      return secret;
    },
    tell: (account, fields = {}) => insertCallback(sql, account.accountId, ctx.ids.entry(fields.at ?? clock.now()), clock.now(), fields),
    row: async (callbackId) => {
      const [row] = await sql<OutboxRow[]>`
        select c.state, c.attempts, c.retry_step, m.claim_id, c.next_at, c.last_http_status, c.last_error, c.version
        from callbacks c left join callback_claims m using (account_id, kind, callback_id) where c.callback_id = ${callbackId}`;
      if (!row) throw new Error(`There is no callback ${callbackId}.`);
      return row;
    },
    worker: async (change = {}) => {
      const worker = await startCallbacks({
        ...ctx,
        processId: ctx.ids.request(),
        clock,
        log: createLog("silent"),
        allow: LOOPBACK,
        ...change,
      });
      workers.push(worker);
      return worker;
    },
    close: async () => {
      await Promise.all(workers.map((worker) => worker.close(0)));
      await settings.close();
    },
  };
}

async function insertCallback(
  sql: Sql,
  accountId: string,
  callbackId: string,
  now: number,
  fields: Partial<OutboxFields>,
): Promise<string> {
  const orderId = fields.orderId ?? `O${callbackId}`;
  const complaint = fields.kind === "complaint";
  const at = new Date(fields.at ?? now);
  await sql`
    insert into callbacks (account_id, callback_id, kind, order_id, urid, status, amount, target, operator_ref, complaint_ref, refund_amount,
      reason, resolved_at, next_at, settings_version, created_at)
    select account_id, ${callbackId}, ${fields.kind ?? "status"}, ${orderId}, ${`urid-${orderId}`},
      ${fields.status ?? (complaint ? "REFUNDED" : "SUCCESS")}, 105000, '9876543210', 'REF1',
      ${complaint ? `CMP${callbackId.slice(0, 12)}` : null}, ${complaint ? 105000n : null}, ${complaint ? "It was not credited." : null},
      ${complaint ? at : null}, ${new Date(fields.nextAt ?? at)}, callback_settings_version, ${at}
    from accounts where account_id = ${accountId}`;
  return callbackId;
}

/** Polls until a condition holds, for conditions without an event. */
export async function until<Value>(look: () => Promise<Value | false | null | undefined>): Promise<Value> {
  for (;;) {
    const found = await look();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
