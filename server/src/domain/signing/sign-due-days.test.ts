import { readFile, rm, writeFile } from "node:fs/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readKeyFile } from "../../platform/crypto/key-file.ts";
import { loadVault } from "../../platform/crypto/vault.ts";
import { rotateMasterKey } from "../accounts/master-key/rotate-master-key.ts";
import { SIGNING_LOCK, signDueDays } from "./sign-due-days.ts";
import { parseSignedDay, parseSignedRun } from "./signed-texts.ts";
import { loadSigner, SIGNING_KEYS } from "./signing-key.ts";
import { createSigningFixture, type SigningFixture } from "./testing/fixture.ts";

let fixture: SigningFixture;
beforeEach(async () => {
  fixture = await createSigningFixture();
});
afterEach(() => fixture.close());

const signedDays = async (accountId: string) => {
  const rows = await fixture.owner<{ signed_text: string }[]>`
    select signed_text from signed_days where account_id = ${accountId} order by day`;
  return rows.map((row) => parseSignedDay(row.signed_text));
};
const runs = async () => {
  const rows = await fixture.owner<{ signed_text: string }[]>`select signed_text from signing_runs order by run`;
  return rows.map((row) => parseSignedRun(row.signed_text));
};
const anchorLines = async () => (await readFile(fixture.ctx.anchor, "utf8")).trimEnd().split("\n");

test("each closed day of an account is signed once, in the order of its transfers, and continues the day before", async () => {
  await fixture.addTransfers("A1", ["2026-03-01 10:00", "2026-03-01 23:59", "2026-03-02 00:00", "2026-03-04 12:00"]);
  await fixture.addTransfers("A2", ["2026-03-02 08:00"]);
  fixture.setTime("2026-03-04 12:30");
  expect(await fixture.sign()).toBe(3);
  expect(await fixture.sign()).toBe(0);
  expect(await signedDays("A1")).toMatchObject([
    {
      day: "2026-03-01",
      number: 1,
      first_seq: 1,
      last_seq: 2,
      lines: 2,
      opening_balance: "0.0000",
      closing_balance: "2.0000",
      previous: "",
    },
    { day: "2026-03-02", number: 2, first_seq: 3, last_seq: 3, lines: 1, opening_balance: "2.0000", closing_balance: "3.0000" },
  ]);
  expect(await runs()).toMatchObject([
    { run: 1, day: "2026-03-01", accounts: 1, lines: 2, previous: "" },
    { run: 2, day: "2026-03-02", accounts: 2, lines: 2 },
    { run: 3, day: "2026-03-03", accounts: 0, lines: 0 },
  ]);
  expect(await fixture.verify()).toMatchObject({ faults: [], accounts: 2, runs: 3, lastDay: "2026-03-03", anchors: 3 });
});

test("a day is not signed before ten minutes after its end in India", async () => {
  await fixture.addTransfers("A1", ["2026-03-01 10:00"]);
  fixture.setTime("2026-03-02 00:09");
  expect(await fixture.sign()).toBe(0);
  fixture.setTime("2026-03-02 00:10");
  expect(await fixture.sign()).toBe(1);
});

test("a transfer that is written with the time of a signed day is in the next one, where its time shows", async () => {
  await fixture.addTransfers("A1", ["2026-03-01 10:00"]);
  fixture.setTime("2026-03-02 01:00");
  await fixture.sign();
  await fixture.addTransfers("A1", ["2026-03-01 11:00", "2026-03-02 09:00"]);
  fixture.setTime("2026-03-03 01:00");
  await fixture.sign();
  expect(await signedDays("A1")).toMatchObject([
    { day: "2026-03-01", last_seq: 1 },
    { day: "2026-03-02", first_seq: 2, last_seq: 3 },
  ]);
  expect(await fixture.verify()).toMatchObject({ faults: [] });
});

test("of several processes exactly one signs a day", async () => {
  await fixture.addTransfers("A1", ["2026-03-01 10:00"]);
  fixture.setTime("2026-03-02 01:00");
  const others = await Promise.all([fixture.settings.another(), fixture.settings.another()]);
  const contexts = [fixture.ctx, ...others.map((other) => ({ ...fixture.ctx, vault: other.ctx.vault }))];
  const signed = await Promise.all(contexts.map((ctx) => signDueDays(ctx)));
  expect(signed.reduce((sum, count) => sum + count, 0)).toBe(1);
  expect([await runs(), await anchorLines()].map((list) => list.length)).toEqual([1, 1]);
});

test("while another process holds the lock, nothing is signed", async () => {
  fixture.setTime("2026-03-02 01:00");
  await fixture.owner.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${SIGNING_LOCK})`;
    expect(await fixture.sign()).toBe(0);
  });
  expect(await fixture.sign()).toBe(1);
});

test("a process killed between two accounts, or before the anchor was written, leaves what the next run completes", async () => {
  for (const account of ["A1", "A2", "A3"]) await fixture.addTransfers(account, ["2026-03-01 10:00"]);
  fixture.setTime("2026-03-02 01:00");
  await fixture.sign();
  const complete = await runs();
  // As it was when only A1 was signed. The superuser can do what the application cannot.
  await fixture.owner.unsafe("delete from signing_runs; delete from signed_days where account_id <> 'A1'");
  await fixture.owner.unsafe("delete from signed_day_marks where account_id <> 'A1'");
  await rm(fixture.ctx.anchor);
  expect(await fixture.sign()).toBe(1);
  expect(await runs()).toEqual(complete);
  // A line that was cut off by a crash, and the run that it belonged to.
  const [line = ""] = await anchorLines();
  await writeFile(fixture.ctx.anchor, line.slice(0, 40));
  expect(await fixture.sign()).toBe(0);
  expect(await anchorLines()).toEqual([line.slice(0, 40), line]);
  expect(await fixture.verify()).toMatchObject({ faults: [], anchors: 1 });
});

test("after a rotation of the master key the same signing key signs, and old days still verify", async () => {
  await fixture.addTransfers("A1", ["2026-03-01 10:00", "2026-03-02 10:00"]);
  fixture.setTime("2026-03-02 01:00");
  await fixture.sign();
  const { keyId } = await loadSigner(fixture.ctx);
  const path = fixture.settings.keyPath;
  await rotateMasterKey(fixture.settings.ctx, "test", { path, settle: async () => {}, others: [SIGNING_KEYS] });
  expect(await readKeyFile(path)).toHaveLength(1);
  const fresh = await loadVault(path);
  fixture.setTime("2026-03-03 01:00");
  expect(await signDueDays({ ...fixture.ctx, vault: fresh })).toBe(1);
  expect(await fixture.verify({ keyId, vault: fresh })).toMatchObject({ faults: [], runs: 2, keyIds: [keyId] });
});

test("the application may neither change nor delete what is signed", async () => {
  for (const table of ["signed_days", "signed_day_marks", "signing_runs"])
    for (const statement of [`delete from ${table}`, `truncate ${table}`])
      await expect(fixture.ctx.sql.unsafe(statement)).rejects.toMatchObject({ code: "42501" });
  await expect(fixture.ctx.sql`update signed_days set root = ''`).rejects.toMatchObject({ code: "42501" });
  await expect(fixture.ctx.sql`delete from signing_keys`).rejects.toMatchObject({ code: "42501" });
});
