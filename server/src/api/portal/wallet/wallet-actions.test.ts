import { afterAll, beforeAll, expect, test } from "vitest";
import { buildOrder } from "../../../domain/complaints/testing/build-order.ts";
import { reverseManually } from "../../../domain/orders/change-manually.ts";
import { money } from "../../../domain/orders/testing/fixture.ts";
import { topUp } from "../../../domain/orders/top-up.ts";
import { indiaDate } from "../../../platform/core/india-time.ts";
import type { Mail } from "../../../platform/mail/mailer.ts";
import { createPortalFixture, type PortalFixture } from "../testing/fixture.ts";
import { accountWithOrders, fund, untilNoon } from "../testing/orders.ts";
import { watchBalances } from "./balance-alert.ts";

let fixture: PortalFixture;
beforeAll(async () => {
  fixture = await createPortalFixture();
  untilNoon(fixture);
});
afterAll(() => fixture.close());

const DAY = 24 * 3_600_000;

test("the wallet shows its balance, what is held, and how it stood at the end of each of thirty days", async () => {
  const { accountId } = await fixture.newAccount();
  const visitor = fixture.as("read_only", accountId);
  const empty = (await visitor.get("/wallet")).body;
  expect(empty).toMatchObject({ balance: "0.0000", held: "0.0000", threshold: null, mail_to: [], below: false });
  expect(empty.chart).toHaveLength(30);
  const first = indiaDate(fixture.ctx.clock.now());
  await fund(fixture, accountId, 100);
  fixture.settings.clock.advance(2 * DAY);
  await buildOrder(fixture.ctx.orders, accountId, { state: "pending" });
  const { body } = await visitor.get("/wallet");
  expect(body).toMatchObject({ balance: "90.0000", held: "10.0000" });
  const byDay = Object.fromEntries(body.chart.map((point: { day: string; balance: string }) => [point.day, point.balance]));
  expect([byDay[first], body.chart.at(-2).balance, body.chart.at(-1)]).toEqual([
    "100.0000",
    "100.0000",
    { day: indiaDate(fixture.ctx.clock.now()), balance: "90.0000" },
  ]);
  expect(body.chart[0].balance).toBe("0.0000");
});

test("the statement has every change of the balance once, page by page, and by type", async () => {
  const [accountId, ids] = await accountWithOrders(fixture, [{}, { state: "FAILED" }, {}, { state: "pending" }]);
  await reverseManually(fixture.ctx.orders, "test", { orderId: ids[0] ?? "", reason: "Taken back." });
  await topUp(fixture.ctx.orders, "test", { accountId, amount: money(-5), reference: "fee", note: "Stamps" });
  const visitor = fixture.as("operations", accountId);
  const seen: { type: string; order_id: string; entry_id: string }[] = [];
  for (let after = ""; ; ) {
    const { body } = await visitor.get(`/statement?limit=3${after}`);
    seen.push(...body.items);
    if (body.next === null) break;
    after = `&after=${body.next}`;
    await buildOrder(fixture.ctx.orders, accountId, {});
  }
  expect(seen.map((line) => line.type)).toEqual(["adjustment", "reversal", "debit", "debit", "refund", "debit", "debit", "topup"]);
  const typed = async (type: string) =>
    (await visitor.get(`/statement?type=${type}`)).body.items.map((line: { type: string }) => line.type);
  expect(await typed("reversal")).toEqual(["reversal"]);
  expect(await typed("refund")).toEqual(["refund"]);
  expect(await typed("topup")).toEqual(["topup"]);
  expect(await typed("adjustment")).toEqual(["adjustment"]);
  expect(await typed("fee")).toEqual([]);
  expect(new Set(await typed("debit"))).toEqual(new Set(["debit"]));
  expect((await visitor.get("/statement?from=2020-01-01&to=2020-01-02")).body).toEqual({ items: [], next: null });
  expect((await visitor.get("/statement?type=gift")).status).toBe(400);
  const stranger = fixture.as("owner", (await fixture.newAccount()).accountId);
  expect((await stranger.get("/statement")).body.items).toEqual([]);
});

test("who builds sets the line and its recipients; that is on record without the addresses", async () => {
  const { accountId } = await fixture.newAccount();
  const owner = fixture.as("owner", accountId);
  const set = await owner.post("/wallet/low-balance", {
    threshold: "500.5",
    emails: ["a@shop.example", "a@shop.example", "b@shop.example"],
  });
  expect(set.body).toEqual({ threshold: "500.5000", mail_to: ["a@shop.example", "b@shop.example"] });
  expect((await owner.get("/wallet")).body).toMatchObject({ threshold: "500.5000", below: true });
  const [entry] = await fixture.ctx.sql<{ actor: string; details: string }[]>`
    select actor, details from audit_log where subject_id = ${accountId} and action = 'account.balance_alert_changed'`;
  expect(entry).toEqual({ actor: `user:${owner.session.userId}`, details: '{"recipients":2,"threshold":"500.5000"}' });
  for (const body of [{ threshold: "0", emails: [] }, { threshold: "x" }, { threshold: "1", emails: ["no"] }, {}])
    expect((await owner.post("/wallet/low-balance", body)).status).toBe(400);
  for (const role of ["operations", "read_only"] as const)
    expect((await fixture.as(role, accountId).post("/wallet/low-balance", { threshold: null })).status).toBe(403);
  expect((await owner.post("/wallet/low-balance", { threshold: null })).body).toEqual({ threshold: null, mail_to: [] });
});

type Post = { readonly mails: Mail[]; takes: boolean; readonly look: () => Promise<void> };

/** Two processes that look at the same moment. */
function twoProcesses(): Post {
  const { sql, clock } = fixture.ctx;
  const post = {
    mails: [] as Mail[],
    takes: true,
    look: async () => {
      const mail = { send: async (one: Mail) => post.takes && post.mails.push(one) > 0 };
      await Promise.all([watchBalances({ sql, clock, mail }), watchBalances({ sql, clock, mail })]);
    },
  };
  return post;
}

test("other recipients need a recent proof of identity, another line does not", async () => {
  const { accountId } = await fixture.newAccount();
  const owner = fixture.as("owner", accountId);
  const unproved = fixture.as("owner", accountId, { provedAt: fixture.ctx.clock.now() - 6 * 60_000 });
  const set = async (visitor: typeof owner, threshold: string | null, ...emails: readonly string[]) =>
    (await visitor.post("/wallet/low-balance", { threshold, emails })).body.error ?? "set";
  expect(await set(unproved, "500", "a@shop.example")).toBe("step_up_required");
  expect((await owner.get("/wallet")).body.mail_to).toEqual([]);
  expect(await set(owner, "500", "a@shop.example", "b@shop.example")).toBe("set");
  expect(await set(unproved, "600", "b@shop.example", "a@shop.example")).toBe("set");
  for (const emails of [["a@shop.example"], ["a@shop.example", "c@shop.example"], ["a@shop.example", "b@shop.example", "c@shop.example"]])
    expect([emails, await set(unproved, "600", ...emails)]).toEqual([emails, "step_up_required"]);
  expect(await set(unproved, null)).toBe("step_up_required");
  expect((await owner.get("/wallet")).body).toMatchObject({ threshold: "600.0000", mail_to: ["b@shop.example", "a@shop.example"] });
});

const HOUR = 3_600_000;

test("an account sends one mail an hour, also after its alert was switched off and on; a later fall waits", async () => {
  const { accountId } = await fixture.newAccount();
  await fund(fixture, accountId, 100);
  const owner = fixture.as("owner", accountId);
  const set = () => owner.post("/wallet/low-balance", { threshold: "95", emails: ["a@shop.example"] });
  const post = twoProcesses();
  let moves = 0;
  const move = async (amount: number) => {
    await topUp(fixture.ctx.orders, "test", { accountId, amount: money(amount), reference: `move ${++moves}`, note: "" });
    await post.look();
  };
  await set();
  await move(-10);
  for (let round = 0; round < 3; round++) {
    await move(10);
    await owner.post("/wallet/low-balance", { threshold: null });
    await set();
    await move(-10);
  }
  expect(post.mails).toHaveLength(1);
  fixture.settings.clock.advance(HOUR - 60_000);
  await post.look();
  expect(post.mails).toHaveLength(1);
  fixture.settings.clock.advance(60_000);
  for (let round = 0; round < 3; round++) await post.look();
  expect(post.mails).toHaveLength(2);
  // Whoever is above the line again when the hour is over gets no mail.
  await move(10);
  await move(-10);
  await move(10);
  fixture.settings.clock.advance(HOUR);
  await post.look();
  expect(post.mails).toHaveLength(2);
});

test("a sandbox account sends no mail", async () => {
  const { accountId } = await fixture.newAccount({ sandbox: true });
  await fund(fixture, accountId, 100);
  const owner = fixture.as("owner", accountId);
  await owner.post("/wallet/low-balance", { threshold: "95", emails: ["a@shop.example"] });
  await topUp(fixture.ctx.orders, "test", { accountId, amount: money(-10), reference: "out", note: "" });
  const post = twoProcesses();
  await post.look();
  expect(post.mails).toEqual([]);
  expect((await owner.get("/home")).body.low_balance).toEqual({ threshold: "95.0000", below: true });
});

test("each fall below the line is mailed once, however many processes look and however often", async () => {
  const { accountId } = await fixture.newAccount({ name: "Low Stores" });
  await fund(fixture, accountId, 100);
  const owner = fixture.as("developer", accountId);
  await owner.post("/wallet/low-balance", { threshold: "95", emails: ["a@shop.example"] });
  const post = twoProcesses();
  await post.look();
  expect(post.mails).toEqual([]);
  await buildOrder(fixture.ctx.orders, accountId, {});
  for (let round = 0; round < 3; round++) await post.look();
  expect(post.mails).toHaveLength(1);
  expect(post.mails[0]).toMatchObject({ to: "a@shop.example", subject: "Low balance: Low Stores" });
  expect(post.mails[0]?.text).toContain("Balance: 90.0000 INR");
  // Further down is no further fall; up and down again is.
  await buildOrder(fixture.ctx.orders, accountId, {});
  await post.look();
  await fund(fixture, accountId, 100, "second");
  await post.look();
  expect(post.mails).toHaveLength(1);
  fixture.settings.clock.advance(HOUR);
  await topUp(fixture.ctx.orders, "test", { accountId, amount: money(-100), reference: "out", note: "" });
  for (let round = 0; round < 3; round++) await post.look();
  expect(post.mails).toHaveLength(2);
  expect((await owner.get("/home")).body.low_balance).toEqual({ threshold: "95.0000", below: true });
});

test("a line that is set above the balance is no fall", async () => {
  const { accountId } = await fixture.newAccount();
  await fixture.as("owner", accountId).post("/wallet/low-balance", { threshold: "10", emails: ["a@shop.example"] });
  const post = twoProcesses();
  await post.look();
  expect(post.mails).toEqual([]);
});

test("a mail that no server took is tried again later, only for whom it is owed, and given up in the end", async () => {
  const { accountId } = await fixture.newAccount();
  await fund(fixture, accountId, 100);
  await fixture.as("owner", accountId).post("/wallet/low-balance", { threshold: "95", emails: ["a@shop.example", "b@shop.example"] });
  await buildOrder(fixture.ctx.orders, accountId, {});
  const { sql, clock } = fixture.ctx;
  const tried: string[] = [];
  const mail = { send: async ({ to }: Mail) => tried.push(to) > 0 && to === "a@shop.example" };
  await watchBalances({ sql, clock, mail });
  await watchBalances({ sql, clock, mail });
  expect(tried).toEqual(["a@shop.example", "b@shop.example"]);
  for (let round = 0; round < 10; round++) {
    fixture.settings.clock.advance(30 * 60_000);
    await watchBalances({ sql, clock, mail });
  }
  expect(tried).toEqual(["a@shop.example", ...Array.from({ length: 5 }, () => "b@shop.example")]);
});
