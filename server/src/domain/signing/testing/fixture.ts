import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { indiaMidnight } from "../../../platform/core/india-time.ts";
import type { Vault } from "../../../platform/crypto/vault.ts";
import { connect, type Sql } from "../../../platform/db/connection.ts";
import { createLog } from "../../../platform/observability/log.ts";
import { type TestSettings, testSettings } from "../../accounts/testing/settings.ts";
import { type SigningContext, signDueDays } from "../sign-due-days.ts";
import { signedStatement } from "../signed-statement.ts";
import { type SignedVerification, verifyDatabase } from "../verify-database.ts";

/** A database with a master key, an anchor file and a clock that tests move. */
export type SigningFixture = {
  readonly settings: TestSettings;
  readonly ctx: SigningContext;
  /** Sessions of the database's superuser. */
  readonly owner: Sql;
  readonly folder: string;
  readonly setTime: (indiaTime: string) => void;
  /** Adds top-ups of one rupee to an account at these times in India, `2026-03-02 10:00`. */
  readonly addTransfers: (accountId: string, times: readonly string[]) => Promise<void>;
  readonly sign: () => Promise<number>;
  readonly verify: (options?: { readonly keyId?: string; readonly vault?: Vault | null }) => Promise<SignedVerification>;
  /** Writes a signed statement of all days to a file and returns its path. */
  readonly exportStatement: (accountId: string) => Promise<string>;
  readonly close: () => Promise<void>;
};

export const FIRST_DAY = "2026-03-01";

/** The time in India of a text such as `2026-03-02 10:00`. */
export function indiaTime(text: string): Date {
  const [day = "", time = "00:00"] = text.split(" ");
  const [hours, minutes] = time.split(":").map(Number);
  return new Date((indiaMidnight(day) ?? 0) + ((hours ?? 0) * 60 + (minutes ?? 0)) * 60_000);
}

export async function createSigningFixture(): Promise<SigningFixture> {
  const settings = await testSettings();
  const folder = await mkdtemp(join(tmpdir(), "corprail-signing-"));
  const { sql: owner, close: closeOwner } = connect({ url: settings.database.url, connections: 3, role: null });
  const time = { now: indiaTime(`${FIRST_DAY} 09:00`).getTime() };
  const ctx: SigningContext = {
    ...{ sql: settings.database.sql, vault: settings.ctx.vault, log: createLog("silent") },
    ...{ clock: { now: () => time.now }, anchor: join(folder, "anchor.jsonl") },
  };
  await owner`
    insert into installation (installation_id, created_at, master_key_file, master_key_id)
    values ('I1', ${new Date(time.now)}, ${settings.keyPath}, ${settings.ctx.vault.keyring().currentKeyId})`;
  return {
    ...{ settings, ctx, owner, folder },
    setTime: (text) => {
      time.now = indiaTime(text).getTime();
    },
    addTransfers: (accountId, times) => addTransfers(owner, accountId, times),
    sign: () => signDueDays(ctx),
    verify: async ({ keyId, vault = ctx.vault } = {}) =>
      await verifyDatabase(owner, { anchor: ctx.anchor, vault, keyId: keyId ?? null, accountIds: null }),
    exportStatement: async (accountId) => {
      const path = join(folder, `${accountId}.jsonl`);
      const parts: string[] = [];
      const range = { accountId, from: "2026-01-01", to: "2026-12-31" };
      for await (const part of signedStatement(ctx.sql, range, new Date(time.now))) parts.push(part);
      await writeFile(path, parts.join(""));
      return path;
    },
    close: async () => {
      await closeOwner();
      await settings.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Adds top-ups of one rupee to an account, as the writer would. */
export async function addTransfers(owner: Sql, accountId: string, times: readonly string[]): Promise<void> {
  await owner.begin(async (tx) => {
    await tx`insert into wallets (account_id) values (${accountId}) on conflict do nothing`;
    await tx`
      insert into transfers (account_id, seq, kind, from_bucket, to_bucket, amount, available_after, narration, at)
      select ${accountId}, w.seq + place, 'topup', 'funding', 'available', 10000, w.available + 10000 * place, 'Top-up ' || place, at
      from wallets w cross join unnest(${times.map((text) => indiaTime(text).toISOString())}::timestamptz[]) with ordinality as t (at, place)
      where w.account_id = ${accountId}`;
    const added = BigInt(times.length);
    await tx`
      update wallets set seq = seq + ${added}, available = available + ${added * 10_000n}, funding = funding - ${added * 10_000n}
      where account_id = ${accountId}`;
  });
}

/** Signs the days of March 2026 up to the second in a database of another fixture. */
export async function signMarch({ sql, vault }: { readonly sql: Sql; readonly vault: Vault }, folder: string): Promise<void> {
  await sql`
    insert into installation (installation_id, created_at, master_key_file, master_key_id)
    values ('I1', ${indiaTime(FIRST_DAY)}, '', ${vault.keyring().currentKeyId})`;
  const clock = { now: () => indiaTime("2026-03-03 01:00").getTime() };
  await signDueDays({ sql, vault, clock, log: createLog("silent"), anchor: join(folder, "anchor.jsonl") });
}
