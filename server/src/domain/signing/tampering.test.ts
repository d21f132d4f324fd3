import { execFile } from "node:child_process";
import { generateKeyPairSync, sign } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { sha256 } from "./signed-texts.ts";
import { keyIdOf, loadSigner } from "./signing-key.ts";
import { createSigningFixture, type SigningFixture } from "./testing/fixture.ts";

const VERIFIER = fileURLToPath(new URL("../../../../contract/verify-statement.mjs", import.meta.url));

const TABLES = ["transfers", "signed_days", "signed_day_marks", "signing_runs", "signing_keys"];

let fixture: SigningFixture;
let anchor: string;
beforeAll(async () => {
  fixture = await createSigningFixture();
  await fixture.addTransfers("A1", ["2026-03-01 10:00", "2026-03-01 11:00", "2026-03-01 12:00"]);
  await fixture.addTransfers("A1", ["2026-03-02 10:00", "2026-03-02 11:00", "2026-03-02 12:00", "2026-03-02 13:00"]);
  await fixture.addTransfers("A2", ["2026-03-01 10:00", "2026-03-02 10:00"]);
  fixture.setTime("2026-03-03 01:00");
  await fixture.sign();
  anchor = await readFile(fixture.ctx.anchor, "utf8");
  for (const table of TABLES) await fixture.owner.unsafe(`create table ${table}_copy as table ${table}`);
  return () => fixture.close();
});
beforeEach(async () => {
  for (const table of TABLES) await fixture.owner.unsafe(`truncate ${table}; insert into ${table} table ${table}_copy`);
  await writeFile(fixture.ctx.anchor, anchor);
});

type Verified = { readonly faults: readonly { readonly line?: number; readonly seq?: number; readonly why: string }[] };
type Verify = (path: string, options?: { readonly key?: string; readonly anchor?: string }) => Promise<Verified>;

/** What the stand-alone verifier writes. It is imported, because a process of its own would cost most of the time of these tests. */
async function standAlone(...given: Parameters<Verify>): Promise<readonly string[]> {
  const { verifyFile } = (await import(VERIFIER)) as { readonly verifyFile: Verify };
  const { faults } = await verifyFile(...given);
  return faults.map(({ line, why }) => (line === undefined ? why : `line ${line}: ${why}`));
}

/** The line of the file on which a transfer stands. */
async function lineOf(file: string, seq: number): Promise<number> {
  return (await readFile(file, "utf8")).split("\n").findIndex((line) => line.includes(`"seq":${seq},`)) + 1;
}

test("an unchanged ledger is as it was signed, and the program that an auditor runs names a changed transfer", async () => {
  const { keyId } = await loadSigner(fixture.ctx);
  expect(await fixture.verify({ keyId })).toMatchObject({ faults: [], accounts: 2, runs: 2, anchors: 2 });
  const file = await fixture.exportStatement("A1");
  const given = [VERIFIER, file, "--key", keyId, "--anchor", fixture.ctx.anchor];
  const { stdout } = await promisify(execFile)(process.execPath, given);
  expect(stdout).toBe(`As signed: account A1, signed days: 2, transfers: 7. Signed with the key ${keyId}.\n`);
  await fixture.owner`update transfers set amount = 20000 where account_id = 'A1' and seq = 5`;
  const line = await lineOf(await fixture.exportStatement("A1"), 5);
  await expect(promisify(execFile)(process.execPath, given)).rejects.toMatchObject({
    code: 1,
    stdout: "NOT AS SIGNED\n",
    stderr: `line ${line}: Transfer 5 was changed after it was signed.\n`,
  });
});

test("the verifier has fewer than 200 lines and imports nothing that does not come with Node.js", async () => {
  const text = await readFile(VERIFIER, "utf8");
  expect(text.split("\n").length).toBeLessThan(200);
  for (const [, source] of text.matchAll(/^import .* from "([^"]+)"/gm)) expect(source).toMatch(/^node:/);
});

const renumber = "update transfers set seq = -seq where account_id = 'A1' and seq > 4";
test.each([
  ["another amount", "update transfers set amount = 20000 where account_id = 'A1' and seq = 5", 5],
  ["another balance", "update transfers set available_after = 1 where account_id = 'A1' and seq = 2", 2],
  ["another time", "update transfers set at = at + interval '1 microsecond' where account_id = 'A1' and seq = 6", 6],
  ["another kind", "update transfers set kind = 'credit' where account_id = 'A1' and seq = 4", 4],
  ["other buckets", "update transfers set from_bucket = 'cleared' where account_id = 'A1' and seq = 4", 4],
  ["an order id", "update transfers set order_id = 'O1' where account_id = 'A1' and seq = 3", 3],
  ["a reference", "update transfers set reference = 'R1' where account_id = 'A1' and seq = 3", 3],
  ["another narration", "update transfers set narration = 'x' where account_id = 'A1' and seq = 7", 7],
  ["a deleted row", "delete from transfers where account_id = 'A1' and seq = 5", 5],
  ["the day's last row deleted", "delete from transfers where account_id = 'A1' and seq = 7", 7],
  [
    "a deleted row and later ones renumbered",
    `delete from transfers where account_id = 'A1' and seq = 5; ${renumber}; update transfers set seq = -seq - 1 where seq < 0`,
    5,
  ],
  [
    "an inserted row",
    `${renumber}; update transfers set seq = 1 - seq where seq < 0;
     insert into transfers select account_id, 5, kind, from_bucket, to_bucket, amount, available_after, 'O9', reference, narration, at
     from transfers where account_id = 'A1' and seq = 4`,
    5,
  ],
  [
    "two rows swapped",
    `update transfers set seq = -5 where account_id = 'A1' and seq = 5; update transfers set seq = 5 where account_id = 'A1' and seq = 6;
     update transfers set seq = 6 where account_id = 'A1' and seq = -5`,
    5,
  ],
])("%s by the superuser is named with its transfer, by both verifiers", async (_, statement, seq) => {
  await fixture.owner.unsafe(statement);
  const day = seq <= 3 ? "2026-03-01" : "2026-03-02";
  const { faults } = await fixture.verify();
  expect(faults).toEqual([{ accountId: "A1", day, seq, why: expect.any(String) }]);
  const file = await fixture.exportStatement("A1");
  expect(await standAlone(file)).toContainEqual(expect.stringMatching(new RegExp(`^line \\d+: Transfer ${seq} was (changed|removed)`)));
});

test("a row that the superuser adds in another partition with a number that exists is named", async () => {
  await fixture.owner.unsafe(`
    create table transfers_later partition of transfers for values from ('2031-01-01') to ('2031-02-01');
    insert into transfers
    select account_id, seq, kind, from_bucket, to_bucket, amount, available_after, order_id, reference, narration, '2031-01-15'
    from transfers where account_id = 'A1' and seq = 5`);
  const why = expect.stringContaining("a transfer with this number was added after it was signed");
  expect((await fixture.verify()).faults).toEqual([{ accountId: "A1", day: "2026-03-02", seq: 5, why }]);
  const file = await fixture.exportStatement("A1");
  const line = (await lineOf(file, 5)) + 1;
  expect(await standAlone(file)).toEqual([`line ${line}: Transfer 5 was added here or is in the wrong place.`]);
});

test("a month that was archived is verified by its signatures and closing, and a pretended one by its transfers", async () => {
  const closing = (available: number) => `
    truncate ledger_closings;
    insert into ledger_closings (account_id, month, seq, available, held, cleared, funding, fees)
    values ('A1', '2026-02', 3, ${available}, 0, 0, ${-available}, 0)`;
  await fixture.owner.unsafe(closing(30_000));
  await fixture.owner`update transfers set amount = 20000 where account_id = 'A1' and seq = 2`;
  expect(await fixture.verify()).toMatchObject({ archivedDays: 0, faults: [{ accountId: "A1", day: "2026-03-01", seq: 2 }] });
  await fixture.owner`delete from transfers where account_id = 'A1' and seq <= 3`;
  expect(await fixture.verify()).toMatchObject({ archivedDays: 1, faults: [] });
  await fixture.owner.unsafe(closing(40_000));
  expect((await fixture.verify()).faults).toMatchObject([{ accountId: "A1", day: "2026-03-01", seq: 3 }]);
  await fixture.owner`truncate ledger_closings`;
});

test("marks that the superuser changed together with the row are taken from the anchor's folder", async () => {
  await fixture.owner`update transfers set amount = 20000 where account_id = 'A1' and seq = 5`;
  await fixture.owner`update signed_day_marks set marks = decode(repeat('00', length(marks)), 'hex') where account_id = 'A1'`;
  expect((await fixture.verify()).faults).toMatchObject([{ accountId: "A1", day: "2026-03-02", seq: 5 }]);
  const file = await fixture.exportStatement("A1");
  const line = await lineOf(file, 5);
  const anchored = await standAlone(file, { anchor: fixture.ctx.anchor });
  expect(anchored).toEqual([`line ${line}: Transfer 5 was changed after it was signed.`]);
  expect(await standAlone(file)).toEqual([expect.stringContaining("Transfers 4 to 7 are not those that were signed")]);
});

test("a signed text that was changed with its row does not match its signature", async () => {
  await fixture.owner`
    update signed_days set signed_text = replace(signed_text, '"closing_balance":"3.0000"', '"closing_balance":"9.0000"')
    where account_id = 'A1' and day = '2026-03-01'`;
  const { faults } = await fixture.verify();
  expect(faults[0]).toEqual({ accountId: "A1", day: "2026-03-01", why: "the signature does not match the signed text" });
  const found = await standAlone(await fixture.exportStatement("A1"));
  expect(found).toContainEqual(expect.stringContaining("The signed day 2026-03-01 has a wrong signature"));
});

test("the newest day deleted from the database is found by the anchor file, also if the service signs it again", async () => {
  const deleteNewest = `delete from signed_days where day = '2026-03-02'; delete from signed_day_marks where day = '2026-03-02';
    delete from signing_runs where run = 2`;
  await fixture.owner.unsafe(deleteNewest);
  const missing = "run 2 is in the anchor file, but the database no longer has it: signed days were removed";
  expect((await fixture.verify()).faults).toEqual([{ day: "2026-03-02", why: missing }]);
  const file = await fixture.exportStatement("A1");
  const found = await standAlone(file, { anchor: fixture.ctx.anchor });
  expect(found).toEqual(["The day 2026-03-02 was signed and anchored, but is missing here."]);
  await fixture.owner`update transfers set amount = 20000 where account_id = 'A1' and seq = 5`;
  fixture.setTime("2026-03-03 02:00");
  await expect(fixture.sign()).rejects.toThrow("the database has another run for this day");
  const replaced = "run 2 is in the anchor file, but the database has another run for this day: signed days were removed";
  expect((await fixture.verify()).faults).toEqual([{ day: "2026-03-02", why: replaced }]);
  const again = await standAlone(await fixture.exportStatement("A1"), { anchor: fixture.ctx.anchor });
  expect(again).toContainEqual(expect.stringContaining("The signed day 2026-03-02 is not the one that was anchored"));
});

test("one account's newest day deleted is found by the run that covers it", async () => {
  await fixture.owner`delete from signed_days where account_id = 'A1' and day = '2026-03-02'`;
  const why = "run 2 covers 2 accounts, but the database has the signed days of 1: account A1 is missing";
  expect((await fixture.verify()).faults).toEqual([{ day: "2026-03-02", why }]);
});

test("a ledger that is signed again with another key is not accepted", async () => {
  const { keyId } = await loadSigner(fixture.ctx);
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
  const forgedId = keyIdOf(pem);
  await fixture.owner`insert into signing_keys select ${forgedId}, ${pem}, secret_key_id, secret, created_at from signing_keys`;
  const rows = await fixture.owner<{ account_id: string; day: string; signed_text: string }[]>`
    select account_id, day::text as day, signed_text from signed_days`;
  for (const { account_id, day, signed_text } of rows) {
    const text = signed_text.replace(keyId, forgedId);
    const signature = sign(null, Buffer.from(text), privateKey);
    await fixture.owner`
      update signed_days set signed_text = ${text}, signature = ${signature}, hash = ${sha256(text)}, key_id = ${forgedId}
      where account_id = ${account_id} and day = ${day}::text::date`;
  }
  const { faults } = await fixture.verify();
  expect(faults[0]).toEqual({ why: `the signing key ${forgedId} was not made by this installation` });
  expect(faults).toContainEqual({ accountId: "A1", day: "2026-03-01", why: `it is signed with the unknown key ${forgedId}` });
  const withoutMasterKey = await fixture.verify({ keyId, vault: null });
  expect(withoutMasterKey.faults).toContainEqual({
    accountId: "A1",
    day: "2026-03-01",
    why: `it is signed with the unknown key ${forgedId}`,
  });
  const found = await standAlone(await fixture.exportStatement("A1"), { key: keyId });
  expect(found[0]).toContain(`is signed with the key ${forgedId}, not with ${keyId}`);
});

test.each([
  ["changed", (lines: string[], at: number) => lines.with(at, (lines[at] ?? "").replace("1.0000", "2.0000")), "Transfer 5 was changed"],
  ["removed", (lines: string[], at: number) => lines.toSpliced(at, 1), "Transfer 5 was removed"],
  ["repeated", (lines: string[], at: number) => lines.toSpliced(at, 0, lines[at] ?? ""), "Transfer 5 was added here"],
  ["moved", (lines: string[], at: number) => lines.toSpliced(at, 2, lines[at + 1] ?? "", lines[at] ?? ""), "Transfer 5 was removed"],
])("a line of a statement that was %s is named with its place in the file", async (_, change, words) => {
  const file = await fixture.exportStatement("A1");
  const place = await lineOf(file, 5);
  const lines = (await readFile(file, "utf8")).split("\n");
  await writeFile(file, change(lines, place - 1).join("\n"));
  const named = words.includes("added") ? place + 1 : place;
  expect((await standAlone(file))[0]).toContain(`line ${named}: ${words}`);
});

test("a statement that was cut off is not accepted", async () => {
  const file = await fixture.exportStatement("A1");
  const lines = (await readFile(file, "utf8")).split("\n");
  await writeFile(file, `${lines.slice(0, 6).join("\n")}\n`);
  expect(await standAlone(file)).toContain("The file is cut off.");
});

test("a file that cannot be checked is told apart from one that was changed", async () => {
  const unchecked = promisify(execFile)(process.execPath, [VERIFIER, "no-such-file.jsonl"]);
  await expect(unchecked).rejects.toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringMatching(/^It could not be checked: [^\n]*\n$/),
  });
});

test("a verifier without a file says how to call it", async () => {
  await expect(promisify(execFile)(process.execPath, [VERIFIER])).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^It could not be checked: Name one file: node verify-statement\.mjs FILE /),
  });
});
