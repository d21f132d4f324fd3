import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { findJob, type Step } from "../../../domain/jobs/store.ts";
import { sumAllTransfers } from "../../../domain/ledger/month-sums.ts";
import type { Order } from "../../../domain/orders/order.ts";
import { money, newOrder } from "../../../domain/orders/testing/fixture.ts";
import { accept, cancel, reverse, settle, topUp } from "../../../domain/orders/testing/operations.ts";
import { createWriter, type Writer } from "../../../domain/orders/write/writer.ts";
import { indiaMonth } from "../../../platform/core/india-time.ts";
import { connect } from "../../../platform/db/connection.ts";
import { createLog } from "../../../platform/observability/log.ts";
import type { StaffWorkContext } from "../jobs/staff-context.ts";
import { type TestApi, testApi } from "../testing/api.ts";
import { exportStatement, STATEMENT_EXPORT } from "./export-statement.ts";

let api: TestApi;
let accountId: string;
let moment = Date.parse("2026-03-30T12:00:00+05:30");
beforeAll(async () => {
  api = await testApi();
  accountId = (await api.newAccount({ name: "Asha Stores" })).account_id;
  await tradeOver();
});
afterAll(() => api.close());

const at = (text: string) => {
  moment = Date.parse(`${text}+05:30`);
};
const agreed = { fee: money(1), commission: money(2) };

/** March and April 2026: everything that can happen to money, some of it across the midnight between them. */
async function tradeOver(): Promise<void> {
  const { write } = writerNow();
  const order = (more: Partial<Order>) => newOrder(accountId, { ...agreed, createdAt: moment, ...more });
  at("2026-03-30T12:00:00");
  await write(topUp(accountId, 1_000, "march"));
  const [first, reversed, waiting, failing] = [
    order({ amount: money(100) }),
    order({ amount: money(50) }),
    order({ amount: money(30), operator: "JO" }),
    order({ amount: money(20), operator: "JO" }),
  ];
  for (const one of [first, reversed, waiting, failing]) await write(accept(one));
  for (const one of [first, reversed]) await write(settle(one, "SUCCESS"));
  at("2026-03-31T23:59:59.999");
  await write(settle(failing, "FAILED"));
  at("2026-04-01T00:00:00");
  await write(settle(waiting, "SUCCESS"));
  await write(reverse(reversed));
  at("2026-04-10T10:00:00");
  await write(topUp(accountId, -5, "stamps"));
  const ticket = order({ service: "bus", operator: "Neeta, Travels", amount: money(400) });
  const withdrawal = order({ service: "aeps", operator: "607094", amount: money(500), credit: true });
  const takenBack = order({ service: "aeps", operator: "607094", amount: money(200), credit: true });
  const drop = order({
    service: "transfers",
    operator: "HDFC",
    operation: "penny_drop",
    amount: money(0),
    fee: money(3),
    commission: money(0),
  });
  for (const one of [ticket, withdrawal, takenBack, drop]) {
    await write(accept(one));
    await write(settle(one, "SUCCESS"));
  }
  await write(cancel(ticket, 150, false));
  await write(reverse(takenBack));
  await write(accept(order({ amount: money(70) })));
}

function writerNow(): Writer {
  const { sql } = api.settings.database;
  return createWriter({ connection: sql, sql, clock: { now: () => moment }, processId: "test", log: createLog("silent") });
}

const statement = async (month: string) => (await api.get(`/accounts/${accountId}/statements?month=${month}`)).body;
const NOTHING = { refunds: "0.0000", taken_back: "0.0000", commission_back: "0.0000" };

describe("a month's statement", () => {
  test("has what each operator's orders came to, and closes where the ledger does", async () => {
    expect(await statement("2026-03")).toEqual({
      account_id: accountId,
      account_name: "Asha Stores",
      signed_days: [],
      month: "2026-03",
      from: "2026-03-01",
      to: "2026-03-31",
      complete: true,
      archived: false,
      opening_balance: "0.0000",
      topups: "1000.0000",
      adjustments: "0.0000",
      held_change: "31.0000",
      closing_balance: "821.0000",
      items: [
        {
          ...{ service: "recharge", service_name: "Recharge", operator: "AT", operator_name: "Airtel", credit: false },
          ...{ orders: 2, value: "150.0000", fees: "2.0000", commission: "4.0000", net: "-148.0000", ...NOTHING },
        },
      ],
      totals: {
        ...{ orders: 2, value: "150.0000", fees: "2.0000", commission: "4.0000", net: "-148.0000", ...NOTHING },
        ...{ paid: "150.0000", received: "0.0000" },
      },
    });
  });

  test("tells what comes back, what pays the wallet and what is only a fee, and begins where the month before ended", async () => {
    const april = await statement("2026-04");
    expect(april).toMatchObject({
      ...{ opening_balance: "821.0000", topups: "0.0000", adjustments: "5.0000", held_change: "40.0000", closing_balance: "1045.0000" },
    });
    const byOperator = Object.fromEntries(april.items.map((item: { operator: string }) => [item.operator, item]));
    expect(byOperator).toMatchObject({
      JO: { orders: 1, value: "30.0000", fees: "1.0000", commission: "2.0000", net: "-29.0000" },
      AT: { orders: 0, value: "0.0000", refunds: "51.0000", commission_back: "2.0000", net: "49.0000" },
      "Neeta, Travels": { orders: 1, value: "400.0000", fees: "1.0000", refunds: "150.0000", commission: "2.0000", net: "-249.0000" },
      "607094": {
        ...{ credit: true, orders: 2, value: "700.0000", fees: "2.0000", refunds: "1.0000", taken_back: "200.0000" },
        ...{ commission: "4.0000", commission_back: "2.0000", net: "501.0000" },
      },
      HDFC: { orders: 1, value: "0.0000", fees: "3.0000", net: "-3.0000" },
    });
  });

  test("adds up to the last place: opening, top-ups, adjustments, operators and what is held give the closing", async () => {
    const paise = (text: string) => BigInt(text.replace(".", ""));
    for (const month of ["2026-02", "2026-03", "2026-04", "2026-05"]) {
      const shown = await statement(month);
      const sum = [shown.opening_balance, shown.topups, shown.totals.net].map(paise).reduce((all, one) => all + one);
      expect(sum - paise(shown.adjustments) - paise(shown.held_change)).toBe(paise(shown.closing_balance));
    }
    const [wallet] = await api.settings.database.sql<
      { available: bigint }[]
    >`select available from wallets where account_id = ${accountId}`;
    expect(paise((await statement("2026-05")).closing_balance)).toBe(wallet?.available);
  });

  test("of a month that is not over says so; one that has not begun, and no month, are refused", async () => {
    expect(await statement(indiaMonth(api.settings.clock.now()))).toMatchObject({ complete: false });
    for (const month of ["2999-01", "2026-13", "2026-1", "x", ""])
      expect(await api.get(`/accounts/${accountId}/statements?month=${month}`)).toMatchObject({
        ...{ status: 400, body: { fields: { month: expect.any(String) } } },
      });
    expect(await api.get("/accounts/A0NOBODY/statements?month=2026-03")).toMatchObject({ status: 404 });
  });
});

describe("a month's file", () => {
  const file = async (name: string) => await api.file(`/accounts/${accountId}/statements/${name}`);

  test("has every line of the month, oldest first, as the statement's balances say", async () => {
    const { status, text, headers } = await file("2026-04.csv");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(headers.get("content-disposition")).toBe(`attachment; filename="statement-${accountId}-2026-04.csv"`);
    const [head, ...lines] = text.trimEnd().split("\n");
    expect(head).toBe("entry_id,at,type,amount,balance_after,order_id,urid,service,operator,account,fee,narration");
    expect(lines[0]).toMatch(
      /,2026-04-01 00:00:00,commission,2\.0000,823\.0000,.*,recharge,JO,9876543000,,Commission: recharge JO 9876543000$/,
    );
    expect(lines.at(-1)).toMatch(/,debit,-71\.0000,1045\.0000,.*,1\.0000,"recharge AT 9876543000, fee 1\.0000 included"$/);
    const amounts = lines.map((line) => Number(line.split(",")[3]));
    expect(amounts.reduce((sum, one) => sum + one, 821)).toBeCloseTo(1_045, 4);
  });

  test("of a month without lines has its head only; other names and accounts are not there", async () => {
    expect((await file("2026-02.csv")).text.trimEnd().split("\n")).toHaveLength(1);
    for (const name of ["2026-13.csv", "2026-04.pdf", "2026-04", ".csv"]) expect((await file(name)).status).toBe(404);
    expect((await api.file("/accounts/A0NOBODY/statements/2026-04.csv")).status).toBe(404);
  });
});

test("a job writes the same file, with its progress; an interrupted one goes on where it was", async () => {
  const month = "2026-04";
  const { body: asked } = await api.post("/statement-exports", { account_id: accountId, month });
  const { sql } = api.settings.database;
  const job = await findJob(sql, { owner: "staff", queue: STATEMENT_EXPORT, jobId: asked.job.job_id });
  if (!job) throw new Error("There is no job.");
  const saved: Step[] = [];
  const control = {
    stopped: () => saved.length > 0,
    isDue: () => true,
    progress: async () => {},
    save: async (step: Step) => void saved.push(step),
  };
  const ctx = { orders: { sql } } as unknown as StaffWorkContext;
  expect(await exportStatement(ctx, job, control)).toMatchObject({ rows: expect.any(Number), file: `statement-${accountId}-${month}.csv` });
  const { text } = await api.file(`/accounts/${accountId}/statements/${month}.csv`);
  expect(saved[0]?.part?.content).toBe(text);
  expect(saved[0]?.done).toBe(saved[0]?.total);
  expect((await api.post("/statement-exports", { account_id: "A0NOBODY", month })).status).toBe(404);
});

test("an archived month keeps its figures, says so, and its files name the command that finds the entries", async () => {
  const { sql, close } = connect({ url: api.settings.database.url, connections: 1, role: null });
  onTestFinished(close);
  const [before, later] = [await statement("2026-03"), await statement("2026-04")];
  await sumAllTransfers(sql);
  await sql`delete from transfers where account_id = ${accountId} and at < '2026-04-01T00:00:00+05:30'`;
  await sql`
    insert into archived_months (month, first_order_id, end_order_id, checked_from, manifest_sha256, detached_at)
    values ('2026-03', '0', '1', '', '', '2026-10-01T00:00:00+05:30')`;
  expect(await statement("2026-03")).toEqual({ ...before, archived: true });
  expect(await statement("2026-04")).toEqual(later);
  const missing = { error: "not_found", message: expect.stringContaining(`archive find FOLDER --account ${accountId} --month 2026-03`) };
  for (const path of ["statements/2026-03.csv", "signed-statements/2026-03.jsonl"])
    expect(await api.get(`/accounts/${accountId}/${path}`)).toMatchObject({ status: 404, body: missing });
  const listed = { ok: true, items: [{ month: "2026-03", archived_at: "2026-10-01 00:00:00" }] };
  expect((await api.get("/archived-months")).body).toEqual(listed);
});
