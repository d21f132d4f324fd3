import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { newAccount } from "../../../server/src/domain/accounts/testing/settings.ts";
import { appendAudit } from "../../../server/src/domain/audit/append.ts";
import { createSigningFixture, type SigningFixture } from "../../../server/src/domain/signing/testing/fixture.ts";
import { emptyDatabase } from "../../../server/src/testing/database.ts";
import { corprail } from "../../testing/processes.ts";

let fixture: SigningFixture;
let accountId: string;
beforeEach(async () => {
  fixture = await createSigningFixture();
  ({ accountId } = await newAccount(fixture.settings.ctx));
  await fixture.addTransfers(accountId, ["2026-03-01 10:00", "2026-03-01 11:00", "2026-03-02 10:00"]);
  fixture.setTime("2026-03-03 01:00");
  await fixture.sign();
});
afterEach(() => fixture.close());

async function run(...given: readonly string[]) {
  const { code, stdout, stderr } = await corprail([...given, "--json"], {
    CORPRAIL_DATABASE_URL: fixture.settings.database.url,
    CORPRAIL_DATA_DIR: fixture.folder,
    CORPRAIL_MASTER_KEY_FILE: fixture.settings.keyPath,
    CORPRAIL_AUDIT_ANCHOR_FILE: fixture.ctx.anchor,
  });
  return { code, stderr, ...JSON.parse(stdout) };
}

test("a signed ledger verifies, and a transfer that the superuser changed is named", async () => {
  expect(await run("statement", "verify")).toMatchObject({
    code: 0,
    runs: 2,
    anchored_runs: 2,
    last_day: "2026-03-02",
    accounts: 1,
    faults: [],
  });
  await fixture.owner`update transfers set amount = amount + 1 where seq = 2`;
  const found = await run("statement", "verify", "--account", accountId);
  expect(found).toMatchObject({ code: 1, faults: [{ account_id: accountId, day: "2026-03-01", seq: 2 }] });
});

test("a statement is written once, verifies without a database, and a changed line is named", async () => {
  const file = join(fixture.folder, "statement.jsonl");
  expect(await run("statement", "export", accountId, "2026-03", file)).toMatchObject({ code: 0, lines: 10 });
  expect(await run("statement", "export", accountId, "2026-03", file)).toMatchObject({ code: 1 });
  expect(await run("statement", "verify", file, "--anchor", fixture.ctx.anchor)).toMatchObject({ code: 0, faults: [] });
  writeFileSync(file, readFileSync(file, "utf8").replace('"balance_after":"2.0000"', '"balance_after":"7.0000"'));
  const why = "Transfer 2 was changed after it was signed.";
  expect(await run("statement", "verify", file)).toMatchObject({ code: 1, faults: [{ line: 6, seq: 2, why }] });
  expect(await run("statement", "verify", file, "--key", "0000")).toMatchObject({ code: 1 });
  expect(await run("statement", "export", "A0", "2026-03", join(fixture.folder, "other"))).toMatchObject({ code: 1 });
});

/** Rewrites the audit log from an entry on as somebody who knows how its chain is made. */
async function rewriteAudit(seq: bigint): Promise<void> {
  const rows = await fixture.owner<{ seq: bigint; actor: string; action: string; at: Date }[]>`
    select seq, actor, action, at from audit_log where seq >= ${seq} order by seq`;
  await fixture.owner`delete from audit_log where seq >= ${seq}`;
  await fixture.owner`
    update audit_head set seq = ${seq - 1n}, hash = coalesce((select hash from audit_log where seq = ${seq - 1n}), '\\x')`;
  for (const { at, action } of rows)
    await fixture.owner.begin((tx) =>
      appendAudit(tx, at, { actor: "nobody", action, subject: { kind: "account", id: accountId }, details: {} }),
    );
}

test("an audit log that was rewritten with a correct chain is found by the signed runs", async () => {
  const file = join(fixture.folder, "audit.jsonl");
  expect(await run("audit", "verify")).toMatchObject({ code: 0 });
  expect(await run("audit", "export", file)).toMatchObject({ code: 0 });
  expect(await run("audit", "verify", file, "--anchor", fixture.ctx.anchor)).toMatchObject({ code: 0, faults: [] });
  await rewriteAudit(1n);
  expect(await run("audit", "verify")).toMatchObject({ code: 1, error: expect.stringContaining("was changed after run 1 was signed") });
  const rewritten = join(fixture.folder, "rewritten.jsonl");
  await run("audit", "export", rewritten);
  const { faults } = await run("audit", "verify", rewritten, "--anchor", fixture.ctx.anchor);
  expect(faults).toMatchObject([{ why: expect.stringContaining("the log is not the one of run 1") }]);
});

test("an entry of an exported audit log that was changed or removed is named", async () => {
  const file = join(fixture.folder, "audit.jsonl");
  await run("audit", "export", file);
  const text = readFileSync(file, "utf8");
  const at = text.split("\n").findIndex((line) => line.startsWith('["1",'));
  writeFileSync(file, text.replace('"account.created"', '"account.deleted"'));
  expect(await run("audit", "verify", file)).toMatchObject({ code: 1, faults: [{ line: at + 2, why: "Entry 1 was changed." }] });
  writeFileSync(file, text.split("\n").toSpliced(at, 1).join("\n"));
  expect((await run("audit", "verify", file)).faults[0]).toEqual({ line: at + 1, why: "Entry 1 is missing." });
});

test("a restored backup verifies, and days that were signed after it are reported as missing", async () => {
  const file = join(fixture.folder, "a.backup");
  expect(await run("backup", file, "--with-master-key")).toMatchObject({ code: 0 });
  await fixture.addTransfers(accountId, ["2026-03-03 10:00"]);
  const anchor = readFileSync(fixture.ctx.anchor, "utf8");
  fixture.setTime("2026-03-04 01:00");
  await fixture.sign();
  const restored = await emptyDatabase();
  onTestFinished(() => restored.drop());
  const on = async (...given: readonly string[]) => {
    const variables = { CORPRAIL_DATABASE_URL: restored.url, CORPRAIL_DATA_DIR: join(fixture.folder, "restored") };
    const { code, stdout } = await corprail([...given, "--json"], variables);
    return { code, ...JSON.parse(stdout) };
  };
  expect(await on("restore", file)).toMatchObject({ code: 0 });
  const later = await on("statement", "verify", "--anchor", fixture.ctx.anchor);
  const why = "run 3 is in the anchor file, but the database no longer has it: signed days were removed";
  expect(later).toMatchObject({ code: 1, faults: [{ day: "2026-03-03", why }] });
  writeFileSync(fixture.ctx.anchor, anchor);
  expect(await on("statement", "verify", "--anchor", fixture.ctx.anchor)).toMatchObject({ code: 0, runs: 2, faults: [] });
});
