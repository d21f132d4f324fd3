import type { QueryResult } from "@corprail/connector";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OrdersContext } from "../orders/context.ts";
import { contextOf } from "../orders/testing/fixture.ts";
import { type ScriptedConnector, scriptedConnector } from "../providers/testing/scripted-connector.ts";
import { passComplaintsOn } from "./pass-on.ts";
import { type Client, createFixture, type Fixture } from "./testing/fixture.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture?.close());

const URLS = { callback_url: "http://127.0.0.1:9/status", complaint_callback_url: "http://127.0.0.1:9/complaints" };
const MINUTE = 60_000;
const WORDS = "Ledger of Example Telecom, desk 7: ok by R. Nair";
const TAKEN = { complaint_ref: "THEIRS1" };
const UNAVAILABLE = { kind: "unavailable", why: "HTTP 502" } as const;

type Answer = object | (() => QueryResult<object>);
type Script = { readonly raise?: Answer; readonly status?: Answer | null };

/** An open complaint about an order of a provider of its own, and the job that passes it on. */
type Case = {
  readonly client: Client;
  readonly connector: ScriptedConnector;
  readonly inputs: readonly object[];
  readonly orderId: string;
  readonly ref: string;
  readonly start: bigint;
  readonly run: () => Promise<void>;
  readonly later: (milliseconds: number) => Promise<void>;
  readonly row: () => Promise<{ readonly tries: number; readonly last_answer: string } | undefined>;
  readonly record: () => Promise<Readonly<Record<string, unknown>>>;
};

let providers = 0;

async function complained({ raise = TAKEN, status = { status: "open", reason: "" } }: Script = {}): Promise<Case> {
  const { clock } = fixture.operator.settings;
  const provider = `partner${++providers}`;
  const inputs: object[] = [];
  const connector = scriptedConnector([], {
    answers: { "complaints.raise": noting(inputs, raise), ...(status === null ? {} : { "complaints.status": noting(inputs, status) }) },
  });
  const client = await fixture.client(URLS);
  const start = await client.balance();
  const orderId = await client.order({ provider });
  const ref = await client.complaint(orderId);
  const ctx: OrdersContext = {
    ...contextOf(fixture.ctx.sql, fixture.ctx.sql, clock, { providers: { [provider]: connector } }),
    writer: fixture.ctx.writer,
    wakeCallbacks: fixture.ctx.wakeCallbacks,
  };
  const run = () => passComplaintsOn(ctx, () => [provider]);
  return {
    ...{ client, connector, inputs, orderId, ref, start, run },
    later: async (milliseconds) => {
      clock.advance(milliseconds);
      await run();
    },
    row: async () => (await fixture.ctx.sql`select tries, last_answer from provider_complaints where complaint_ref = ${ref}`)[0] as never,
    record: async () => (await client.get(`/complaints/${ref}`)).body,
  };
}

function noting(inputs: object[], answer: Answer): (input: object) => QueryResult<object> {
  return (input) => {
    inputs.push(input);
    return typeof answer === "function" ? answer() : { kind: "answered", value: answer };
  };
}

async function audited(ref: string): Promise<readonly { action: string; actor: string; details: Record<string, unknown> }[]> {
  return (await fixture.operator.get(`/audit?subject_kind=complaint&subject_id=${ref}`)).body.items;
}

test("a complaint is passed on once, and the client sees that it is with the operator", async () => {
  const one = await complained();
  expect(await one.record()).toMatchObject({ status: "OPEN", stage: "logged" });
  await Promise.all([one.run(), one.run()]);
  expect(one.connector.asked).toEqual(["complaints.raise"]);
  expect(one.inputs).toEqual([
    {
      reference: one.orderId,
      provider_ref: "",
      operator_ref: "OP-REF-1",
      service: "recharge",
      amount: "10.0000",
      created_at: expect.any(Number),
      reason: "not_credited",
      description: "The customer says it is not there.",
      complaint_reference: one.ref,
    },
  ]);
  expect(await one.record()).toMatchObject({ status: "OPEN", stage: "with_operator", reason: "" });
  await one.run();
  await one.later(MINUTE);
  expect(one.connector.asked).toEqual(["complaints.raise", "complaints.status"]);
  expect(one.inputs[1]).toEqual({ complaint_ref: "THEIRS1", reference: one.orderId, provider_ref: "" });
});

test("an order of a provider that takes no complaints stays with staff", async () => {
  const one = await complained();
  await passComplaintsOn(contextOf(fixture.ctx.sql, fixture.ctx.sql, fixture.ctx.clock), () => ["simulator"]);
  expect([await one.row(), one.connector.asked]).toEqual([undefined, []]);
  expect(await one.record()).toMatchObject({ status: "OPEN", stage: "logged" });
});

test("an unavailable provider is tried again after one, two and four minutes, at most an hour apart", async () => {
  let answer: QueryResult<object> = UNAVAILABLE;
  const one = await complained({ raise: () => answer });
  await one.run();
  for (const minutes of [1, 2, 4, 8, 16, 32, 60, 60]) {
    const tries = one.connector.asked.length;
    await one.later(minutes * MINUTE - 1_000);
    expect(one.connector.asked.length).toBe(tries);
    await one.later(2_000);
    expect(one.connector.asked.length).toBe(tries + 1);
  }
  expect(await one.row()).toEqual({ tries: 9, last_answer: "No answer: HTTP 502" });
  expect(await one.record()).toMatchObject({ stage: "logged" });
  answer = { kind: "answered", value: TAKEN };
  await one.later(61 * MINUTE);
  expect(await one.record()).toMatchObject({ stage: "with_operator" });
  expect(await one.row()).toEqual({ tries: 0, last_answer: "" });
});

test("a refusal is kept for staff and decides nothing", async () => {
  const one = await complained({ raise: () => ({ kind: "refused", reason: WORDS }) });
  await one.run();
  expect(await one.row()).toEqual({ tries: 1, last_answer: `Refused: ${WORDS}` });
  expect(await one.record()).toMatchObject({ status: "OPEN", stage: "logged", reason: "" });
  expect(JSON.stringify(await one.record())).not.toContain("Nair");
});

test("a provider without a status query keeps the complaint open, and staff read that they must ask it", async () => {
  const one = await complained({ status: null });
  await one.run();
  await one.later(MINUTE);
  expect(one.connector.asked).toEqual(["complaints.raise"]);
  expect(await one.row()).toMatchObject({ tries: 1, last_answer: "The provider has taken the complaint. Ask it for its decision." });
  expect(await one.record()).toMatchObject({ status: "OPEN", stage: "with_operator" });
});

test.each([
  ["refunded", "REFUNDED", "10.0000", 0n, ["FAILED", "REFUNDED"], "The operator has returned the money."],
  ["resolved", "RESOLVED", "0.0000", 100_000n, ["SUCCESS", "RESOLVED"], "The operator confirms that the transaction was carried out."],
] as const)("%s by the provider is %s here, once, in our own words", async (said, status, refunded, paid, callbacks, sentence) => {
  const one = await complained({ status: { status: said, reason: WORDS } });
  await one.run();
  await one.later(MINUTE);
  const record = await one.record();
  expect(record).toMatchObject({ status, stage: "decided", refund_amount: refunded, reason: sentence });
  expect(await one.client.balance()).toBe(one.start - paid);
  const sent = await one.client.callbacks();
  expect(sent.map((callback) => callback.status)).toEqual(callbacks);
  expect(sent.at(-1)).toMatchObject({ kind: "complaint", complaint_ref: one.ref, reason: sentence });
  const listed = (await one.client.get("/complaints?limit=10")).body;
  expect(JSON.stringify([record, sent.map(({ reason, operator_ref }) => [reason, operator_ref]), listed])).not.toContain("Nair");
  const [cleared] = await audited(one.ref);
  expect(cleared).toMatchObject({ action: "complaint.cleared", actor: expect.stringMatching(/^provider:partner/) });
  expect(cleared?.details).toMatchObject({ provider_words: WORDS, reason: sentence });
  await one.later(2 * MINUTE);
  expect(await one.row()).toBeUndefined();
  expect((await one.client.callbacks()).length).toBe(2);
  expect(one.connector.asked).toEqual(["complaints.raise", "complaints.status"]);
  await fixture.expectSoundLedger();
});

test("staff see the provider's reference and its last answer until the complaint is decided", async () => {
  const one = await complained({ status: { status: "open", reason: WORDS } });
  const atProvider = async () => (await fixture.operator.get(`/complaints/${one.ref}`)).body.at_provider;
  expect(await atProvider()).toBeNull();
  await one.run();
  const next_at = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  const taken = { provider: expect.stringMatching(/^partner/), provider_complaint_ref: "THEIRS1", next_at };
  expect(await atProvider()).toEqual({ ...taken, last_answer: "" });
  await one.later(MINUTE);
  expect(await atProvider()).toEqual({ ...taken, last_answer: WORDS });
  await fixture.clear(one.ref, "stands", "Our staff have seen the proof.");
  expect(await atProvider()).toBeNull();
});

test("a decision of staff ends the passing on, before the provider is told and after", async () => {
  for (const rounds of [0, 1]) {
    const one = await complained({ status: { status: "refunded", reason: WORDS } });
    if (rounds > 0) await one.run();
    expect((await fixture.clear(one.ref, "stands", "Our staff have seen the proof.")).status).toBe(200);
    await one.later(2 * MINUTE);
    expect([one.connector.asked.length, await one.row()]).toEqual([rounds, undefined]);
    expect(await one.record()).toMatchObject({ status: "RESOLVED", reason: "Our staff have seen the proof." });
    expect(await one.client.balance()).toBe(one.start - 100_000n);
  }
});

test("a decision of staff while the provider is asked is the one that counts", async () => {
  const decided = { kind: "answered", value: { status: "refunded", reason: WORDS } } as const;
  const one = await complained({ status: { status: "open", reason: "" } });
  await one.run();
  const { query } = one.connector;
  const slow = async (...given: Parameters<typeof query>) => {
    await query(...given);
    await fixture.clear(one.ref, "stands", "Our staff have seen the proof.");
    return decided as never;
  };
  Object.assign(one.connector, { query: slow });
  await one.later(MINUTE);
  expect(await one.record()).toMatchObject({ status: "RESOLVED", reason: "Our staff have seen the proof." });
  expect(await one.client.balance()).toBe(one.start - 100_000n);
  Object.assign(one.connector, { query });
  await one.later(2 * MINUTE);
  expect([one.connector.asked.length, await one.row()]).toEqual([2, undefined]);
});

test("a refund that the wallet blocks is tried ever more rarely, until it is possible", async () => {
  const one = await complained({ status: { status: "refunded", reason: WORDS } });
  await one.run();
  await fixture.operator.post(`/accounts/${one.client.accountId}`, { wallet: "suspended" });
  await one.later(MINUTE);
  expect(await one.record()).toMatchObject({ status: "OPEN", stage: "refund_blocked" });
  await one.later(MINUTE);
  await one.later(MINUTE);
  expect(one.connector.asked).toEqual(["complaints.raise", "complaints.status", "complaints.status"]);
  expect(await one.row()).toEqual({ tries: 2, last_answer: `${WORDS} (the refund is blocked)` });
  await fixture.operator.post(`/accounts/${one.client.accountId}`, { wallet: "active" });
  await one.later(MINUTE);
  expect(await one.record()).toMatchObject({ status: "REFUNDED", refund_amount: "10.0000" });
  expect(await one.client.balance()).toBe(one.start);
});
