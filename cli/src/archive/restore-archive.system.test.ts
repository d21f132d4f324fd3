import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { Order } from "../../../server/src/domain/orders/order.ts";
import { ids, newOrder, type OrdersFixture, type OrdersProcess } from "../../../server/src/domain/orders/testing/fixture.ts";
import { accept, reverse, settle, topUp } from "../../../server/src/domain/orders/testing/operations.ts";
import { indiaMonth } from "../../../server/src/platform/core/india-time.ts";
import { archiveCommands, createArchiveFixture } from "../../testing/archive-fixture.ts";
import { scratchFolder } from "../../testing/client.ts";

const DAY_MILLISECONDS = 24 * 3_600_000;

let fixture: OrdersFixture;
let process: OrdersProcess;
let folder: string;
/** The month of the order, which is old enough to leave the database. */
let month: string;
let order: Order;
beforeEach(async () => {
  ({ fixture, process } = await createArchiveFixture());
  folder = scratchFolder();
  const accountId = ids.account();
  goBack(190);
  month = indiaMonth(fixture.clock.now());
  await process.ctx.writer.write(topUp(accountId, 1000, "start"));
  order = newOrder(accountId, { createdAt: fixture.clock.now() });
  await process.ctx.writer.write(accept(order));
  await process.ctx.writer.write(settle(order, "SUCCESS"));
  goBack(0);
  return () => fixture.close();
});

const goBack = (days: number) => fixture.clock.advance(Date.now() - days * DAY_MILLISECONDS - fixture.clock.now());

const run = (...given: readonly string[]) => archiveCommands(fixture)(...given);
const move = () => run("move", folder, "--keep-months", "4");
const restore = (from: string) => run("restore", month, from);

const orderStates = async () => (await fixture.owner`select state from orders`).map((row) => row["state"]);
const contents = async () => ({
  orders: [...(await fixture.owner`select to_jsonb(o)::text as row from orders o order by order_id`)],
  transfers: [...(await fixture.owner`select to_jsonb(t)::text as row from transfers t order by account_id, seq`)],
});
const records = async () => ({
  months: [...(await fixture.owner`select * from archived_months`)],
  closings: [...(await fixture.owner`select * from ledger_closings`)],
});

test("a month comes back only from the archive that it was moved to, so no order is refunded twice", async () => {
  expect(await run("make", month, folder)).toMatchObject({ code: 0 });
  goBack(40);
  expect(await process.ctx.writer.write(reverse(order))).toMatchObject({ kind: "done" });
  goBack(0);
  expect(await move()).toMatchObject({ code: 1, error: expect.stringContaining("Move that folder away") });
  const kept = scratchFolder();
  renameSync(join(folder, month), join(kept, month));
  expect(await move()).toMatchObject({ code: 0, moved: [month] });
  const before = await records();

  const refused = await restore(kept);
  const [expected] = before.months.map((row) => row["manifest_sha256"]);
  expect(refused).toMatchObject({ code: 1, error: expect.stringContaining("nothing was restored") });
  expect(refused.faults).toEqual([expect.stringContaining(`${join(kept, month)}: the SHA-256 of manifest.json must be ${expected}`)]);
  expect([await records(), await orderStates()]).toEqual([before, []]);

  // Beside the right archive, the older one is left out.
  mkdirSync(join(kept, "cell-1"));
  cpSync(join(folder, month), join(kept, "cell-1", month), { recursive: true });
  const restored = await restore(kept);
  expect(restored).toMatchObject({ code: 0, stderr: expect.stringContaining(`${join(kept, month)} is left out`) });
  expect(await orderStates()).toEqual([2]);
  expect(await process.ctx.writer.write(reverse(order))).not.toMatchObject({ kind: "done" });
  expect(await fixture.violations()).toEqual([]);
});

test("a month does not come back from an archive that was changed with its manifest", async () => {
  expect(await move()).toMatchObject({ code: 0, moved: [month] });
  const before = await records();
  const path = join(folder, month, "manifest.json");
  writeFileSync(path, JSON.stringify(JSON.parse(readFileSync(path, "utf8"))));
  expect(await restore(folder)).toMatchObject({ code: 1, faults: [expect.stringContaining("the SHA-256 of manifest.json must be")] });
  expect([await records(), await orderStates()]).toEqual([before, []]);
});

test("a restore that ends half-way keeps the month archived, says what to do, and is finished by the next one", async () => {
  const before = await contents();
  expect(await move()).toMatchObject({ code: 0, moved: [month] });
  const archived = await records();
  // The transfers come before the orders.
  await fixture.owner.unsafe(`create trigger stop before insert on orders for each row execute function refuse_change_of_archived_month()`);
  const ended = await restore(folder);
  expect(ended).toMatchObject({ code: 1, error: expect.stringContaining("Run the same command again") });
  expect(ended.stderr).toContain("run it again");
  expect([await records(), await orderStates()]).toEqual([archived, []]);
  expect((await contents()).transfers).toEqual(before.transfers);
  expect(await fixture.violations()).toEqual([]);

  await fixture.owner.unsafe(`drop trigger stop on orders`);
  expect(await restore(folder)).toMatchObject({ code: 0, restored: { orders: 1, transfers: 0 } });
  expect([await records(), await contents()]).toEqual([{ months: [], closings: [] }, before]);
  expect(await fixture.violations()).toEqual([]);
});
