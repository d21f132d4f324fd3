import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import {
  createOrdersFixture,
  ids,
  money,
  newOrder,
  type OrdersFixture,
  type OrdersProcess,
} from "../../../server/src/domain/orders/testing/fixture.ts";
import { accept, reverse, settle, topUp } from "../../../server/src/domain/orders/testing/operations.ts";
import { indiaMonth } from "../../../server/src/platform/core/india-time.ts";
import { scratchFolder } from "../../testing/client.ts";
import { beginningOf } from "../../testing/old-months.ts";
import { corprail, type Variables } from "../../testing/processes.ts";
import { type Manifest, manifestPath } from "./manifest.ts";

const DAY_MILLISECONDS = 24 * 3_600_000;

let fixture: OrdersFixture;
let process: OrdersProcess;
let variables: Variables;
beforeAll(async () => {
  fixture = await createOrdersFixture();
  process = fixture.startProcess();
  variables = { CORPRAIL_DATABASE_URL: fixture.database.url, CORPRAIL_DATA_DIR: "/nowhere" };
  await fixture.owner`
    insert into installation (installation_id, created_at, master_key_file, master_key_id) values ('I1', now(), '/nowhere', 'K1')`;
  return () => fixture.close();
});

/** Moves the clock to some days after the beginning of the month that is so many months ago. */
function goTo(monthsAgo: number, days: number): string {
  const at = beginningOf(monthsAgo) + days * DAY_MILLISECONDS;
  fixture.clock.advance(at - fixture.clock.now());
  return indiaMonth(at);
}

async function succeeded(accountId: string, reference: string) {
  const order = newOrder(accountId, { reference, createdAt: fixture.clock.now(), fee: money(0.5), commission: money(0.2) });
  await process.ctx.writer.write(accept(order));
  await process.ctx.writer.write(settle(order, "SUCCESS"));
  return order;
}

/** An account with orders in two months, and one taken back in the second of an order in the first. */
async function twoMonths() {
  const accountId = ids.account();
  const first = goTo(3, 10);
  await process.ctx.writer.write(topUp(accountId, 1000, "start"));
  const [kept, takenBack] = [await succeeded(accountId, "INV-1"), await succeeded(accountId, "INV-2")];
  const second = goTo(2, 10);
  await process.ctx.writer.write(reverse(takenBack));
  const later = await succeeded(accountId, "INV-3");
  goTo(0, 0);
  return { accountId, first, second, kept, takenBack, later };
}

const run = async (given: readonly string[]) => {
  const ended = await corprail(["archive", ...given, "--json"], variables);
  return { code: ended.code, ...JSON.parse(ended.stdout) };
};

test("two months are archived, checked and found by order, reference and statement, without a database", async () => {
  const folder = scratchFolder();
  const { accountId, first, second, kept, takenBack, later } = await twoMonths();
  await fixture.owner`update orders set operator_ref = 'OP-1' where order_id = ${kept.orderId}`;
  await fixture.owner`
    insert into order_provider_refs (account_id, order_id, attempt, provider, provider_ref, at)
    values (${accountId}, ${later.orderId}, 1, 'simulator', 'P-1', now())`;
  expect(await run(["make", first, folder])).toMatchObject({ code: 0, rows: { orders: 2, transfers: 9 } });
  expect(await run(["make", second, folder])).toMatchObject({ code: 0, rows: { orders: 1 } });
  expect(await run(["make", first, folder])).toMatchObject({ code: 1, error: expect.stringContaining("exists already") });
  expect(await run(["verify", folder])).toMatchObject({ code: 0, months: [first, second], faults: [] });
  expect(statSync(join(folder, first, "orders.parquet")).mode & 0o777).toBe(0o600);

  const nowhere = { CORPRAIL_DATA_DIR: "/nowhere" };
  const find = async (...given: readonly string[]) =>
    JSON.parse((await corprail(["archive", "find", folder, ...given, "--json"], nowhere)).stdout);
  const [stored] = await fixture.owner<{ created_at: Date }[]>`select created_at from orders where order_id = ${kept.orderId}`;
  expect(await find("--order", kept.orderId)).toMatchObject({
    ...{ ok: true, month: first },
    order: { account_id: accountId, reference: "INV-1", state: 1, amount: "100000", created_at: stored?.created_at.toISOString() },
    transfers: [{ kind: "hold" }, { kind: "capture" }, { kind: "fee" }, { kind: "commission" }],
  });
  expect(await find("--account", accountId, "--reference", "INV-3")).toMatchObject({ month: second, order: { order_id: later.orderId } });
  expect(await find("--account", accountId, "--reference", "INV-9")).toMatchObject({ ok: false });
  expect(await find("--provider-reference", "OP-1")).toMatchObject({ month: first, order: { order_id: kept.orderId } });
  expect(await find("--provider-reference", "P-1")).toMatchObject({ month: second, order: { order_id: later.orderId } });
  expect(await find("--provider-reference", "P-2")).toMatchObject({ ok: false });
  const statement = await find("--account", accountId, "--month", second);
  // A thousand rupees less two orders of 10 with a fee of 0.5 and a commission of 0.2.
  expect(statement.closing).toMatchObject({ opening_seq: "9", opening_available: "9794000" });
  expect(statement.transfers.filter((one: { order_id: string }) => one.order_id === takenBack.orderId)).not.toEqual([]);
});

test("rows that were lost come back as they were, and nothing else changes", async () => {
  const folder = scratchFolder();
  const { accountId, first } = await twoMonths();
  await run(["make", first, folder]);
  const { owner } = fixture;
  const contents = async () => ({
    orders: [...(await owner`select to_jsonb(o)::text as row from orders o where account_id = ${accountId} order by order_id`)],
    transfers: [...(await owner`select to_jsonb(t)::text as row from transfers t where account_id = ${accountId} order by seq`)],
    references: [...(await owner`select to_jsonb(r)::text as row from order_references r where account_id = ${accountId} order by digest`)],
  });
  const before = await contents();
  await owner`delete from orders where account_id = ${accountId} and reference in ('INV-1', 'INV-2')`;
  await owner`delete from order_references where account_id = ${accountId}
    and digest = order_reference_digest(${accountId}, 'recharge', 'INV-1', '')`;
  await owner`delete from transfers where account_id = ${accountId} and seq < 6`;
  const restored = await run(["restore", first, folder]);
  expect(restored).toMatchObject({ code: 0, restored: { orders: expect.any(Number), transfers: 5 } });
  expect(await contents()).toEqual(before);
  expect(await fixture.violations()).toEqual([]);
  expect(await run(["restore", first, folder])).toMatchObject({ code: 0, restored: { orders: 0, transfers: 0 } });
});

test("a changed file is named, and is not restored", async () => {
  const folder = scratchFolder();
  const { first } = await twoMonths();
  await run(["make", first, folder]);
  const path = join(folder, first, "transfers.parquet");
  const content = readFileSync(path);
  content[100] = (content[100] ?? 0) ^ 1;
  writeFileSync(path, content);
  const fault = expect.stringContaining("transfers.parquet was changed");
  expect(await run(["verify", folder])).toMatchObject({ code: 1, faults: [fault] });
  expect(await run(["restore", first, folder])).toMatchObject({ code: 1, faults: [fault] });
});

test("an archive that lacks a table is damaged, also if its manifest does not name it", async () => {
  const folder = scratchFolder();
  const { first } = await twoMonths();
  await run(["make", first, folder]);
  const target = join(folder, first);
  const manifest: Manifest = JSON.parse(readFileSync(manifestPath(target), "utf8"));
  writeFileSync(manifestPath(target), JSON.stringify({ ...manifest, files: manifest.files.filter(({ table }) => table !== "orders") }));
  rmSync(join(target, "orders.parquet"));
  const fault = expect.stringContaining("orders.parquet is not in the manifest");
  expect(await run(["verify", folder])).toMatchObject({ code: 1, faults: [fault] });
  expect(await run(["restore", first, folder])).toMatchObject({ code: 1, faults: [fault] });
});

test("a month that is not over, or has pending orders, is refused", async () => {
  const folder = scratchFolder();
  expect(await run(["make", indiaMonth(Date.now()), folder])).toMatchObject({ code: 1, error: expect.stringContaining("is not over") });
  const accountId = ids.account();
  const month = goTo(5, 3);
  await process.ctx.writer.write(topUp(accountId, 100, "start"));
  await process.ctx.writer.write(accept(newOrder(accountId, { createdAt: fixture.clock.now() })));
  goTo(0, 0);
  expect(await run(["make", month, folder])).toMatchObject({ code: 1, error: expect.stringContaining("1 orders of") });
  expect((await corprail(["archive", "make", "2026-13", folder], variables)).code).toBe(2);
});
