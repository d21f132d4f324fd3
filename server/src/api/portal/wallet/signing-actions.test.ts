import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addTransfers, signMarch } from "../../../domain/signing/testing/fixture.ts";
import { orderIdAt } from "../../../platform/core/ids.ts";
import { connect } from "../../../platform/db/connection.ts";
import { createPortalFixture, type PortalFixture } from "../testing/fixture.ts";

const MARCH_END = Date.parse("2026-04-01T00:00:00+05:30");

let fixture: PortalFixture;
let folder: string;
let accountId: string;
let otherId: string;
beforeAll(async () => {
  [fixture, folder] = [await createPortalFixture(), await mkdtemp(join(tmpdir(), "corprail-signing-"))];
  accountId = (await fixture.newAccount()).accountId;
  otherId = (await fixture.newAccount()).accountId;
  await addTransfers(fixture.ctx.sql, accountId, ["2026-03-01 10:00", "2026-03-02 10:00"]);
  await signMarch(fixture.ctx, folder);
});
afterAll(async () => {
  await fixture.close();
  await rm(folder, { recursive: true });
});

test("a client sees the signed days of its own ledger, and the public key", async () => {
  const visitor = fixture.as("read_only", accountId);
  const { body: signing } = await visitor.get("/signing");
  expect(signing).toMatchObject({ last_day: "2026-03-02", months: ["2026-03"] });
  const { body: days } = await visitor.get("/signed-days");
  expect(days.items.map((day: { day: string }) => day.day)).toEqual(["2026-03-02", "2026-03-01"]);
  expect(days.items[0]).toMatchObject({ key_id: signing.key.key_id, first_entry: 2, last_entry: 2, closing_balance: "2.0000" });
  const other = fixture.as("read_only", otherId);
  expect((await other.get("/signed-days")).body.items).toEqual([]);
  expect((await other.get("/signing")).body.months).toEqual([]);
});

test("the signed statement that a client downloads passes the stand-alone verifier with the key that the portal showed", async () => {
  const visitor = fixture.as("operations", accountId);
  const { body: signing } = await visitor.get("/signing");
  const answer = await visitor.get("/signed-statements/2026-03.jsonl");
  expect(answer.headers.get("content-disposition")).toBe(`attachment; filename="signed-statement-${accountId}-2026-03.jsonl"`);
  const file = join(folder, "statement.jsonl");
  await writeFile(file, answer.text);
  const { verifyFile } = await import(new URL("../../../../../contract/verify-statement.mjs", import.meta.url).href);
  const verified = await verifyFile(file, { key: signing.key.key_id, anchor: join(folder, "anchor.jsonl") });
  expect(verified).toMatchObject({ faults: [], holds: `account ${accountId}, signed days: 2, transfers: 2` });
  expect((await fixture.as("read_only", accountId).get("/signed-statements/2026-03.jsonl")).status).toBe(403);
});

test("a month that was archived is no longer offered as a signed statement, and its signed days are still shown", async () => {
  const { sql, close } = connect({ url: fixture.settings.database.url, connections: 1, role: null });
  await sql`
    insert into ledger_closings (account_id, month, seq, available, held, cleared, funding, fees)
    values (${accountId}, '2026-03', 2, 20000, 0, 0, -20000, 0)`;
  await sql`
    insert into archived_months (month, first_order_id, end_order_id, checked_from, manifest_sha256, detached_at)
    values ('2026-03', ${orderIdAt(0)}, ${orderIdAt(MARCH_END)}, '', '', '2026-10-01T00:00:00+05:30')`;
  await close();
  const visitor = fixture.as("read_only", accountId);
  const file = await fixture.as("operations", accountId).get("/signed-statements/2026-03.jsonl");
  expect(file).toMatchObject({ status: 404, body: { message: expect.stringContaining("are archived") } });
  const order = await visitor.get(`/transactions/${orderIdAt(MARCH_END - 1)}`);
  expect(order).toMatchObject({ status: 404, body: { message: expect.stringContaining("is archived") } });
  expect((await visitor.get(`/transactions/${orderIdAt(MARCH_END)}`)).body.message).toBe("There is no such transaction.");
  expect((await visitor.get("/archived-months")).body).toEqual({ items: [{ month: "2026-03", archived_at: "2026-10-01 00:00:00" }] });
  expect((await visitor.get("/signing")).body.months).toEqual([]);
  expect((await visitor.get("/signed-days")).body.items).toHaveLength(2);
});
