import { afterAll, beforeAll, expect, test } from "vitest";
import { orderIdAt } from "../../../platform/core/ids.ts";
import { createViewers } from "../../sites/viewers.ts";
import { type ConsoleFixture, createConsoleFixture } from "../console/testing/fixture.ts";
import { ENVIRONMENT_KEY, type TestApi, testApi } from "../testing/api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
});
afterAll(() => api.close());

const base = (fixture: TestApi) => `${fixture.origin}/api/operator/v1`;
const sql = () => api.settings.database.sql;
const key = (value = ENVIRONMENT_KEY) => ({ authorization: `Bearer ${value}` });

let made = 0;
async function makeOrder(accountId: string, state: number): Promise<void> {
  const now = api.settings.clock.now();
  const orderId = orderIdAt(now) + String(++made).padStart(8, "0");
  await sql()`
    insert into orders (account_id, order_id, service, reference, fingerprint, state, amount, amount_text, target, operator, provider, process_id,
      created_at, updated_at)
    values (${accountId}, ${orderId}, 'recharge', ${orderId}, '', ${state}, 100000, '10', '9876543210', 'AT', 'simulator', 'P',
      ${new Date(now)}, ${new Date(now)})`;
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads replies of every shape
type Event = any;
type Stream = { readonly status: number; readonly next: () => Promise<Event | null>; readonly end: () => void };

/** Events as a browser reads them; null when the stream has ended. */
async function openStream(url: string, headers: Record<string, string>): Promise<Stream> {
  const left = new AbortController();
  const reply = await fetch(url, { headers, signal: left.signal });
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const next = async (): Promise<Event | null> => {
    for (;;) {
      const [line, ...rest] = text.split("\n\n");
      if (rest.length > 0 && line !== undefined) {
        text = rest.join("\n\n");
        if (line.startsWith("data: ")) return JSON.parse(line.slice("data: ".length));
        continue;
      }
      const read = await reader?.read();
      if (!read || read.done) return null;
      text += read.value;
    }
  };
  return { status: reply.status, next, end: () => left.abort() };
}

test("the overview has every figure, and none of an empty fixture is missing", async () => {
  const { body, status } = await api.get("/overview");
  expect(status).toBe(200);
  expect(body).toMatchObject({
    at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    ts: expect.any(Number),
    complete: false,
    orders_per_second: 0,
    providers: [],
    operators: [],
    pending: { under_1m: 0, under_10m: 0, under_1h: 0, over_1h: 0, in_doubt: 0, human_tasks: 0 },
    callbacks: { waiting: 0, oldest_due_seconds: null, targets: { waiting: 0, broken: 0, parked: 0, paused: 0 } },
    float: { available: "0.0000", held: "0.0000", accounts: 0, providers_today: [] },
    complaints: { open: 0, due_today: 0, overdue: 0, refund_blocked: 0 },
    approvals: { waiting: 0 },
    alerts: [],
  });
  expect(body.minutes).toHaveLength(60);
});

test("who watches sees orders as they come, without asking again", async () => {
  const { account_id: accountId } = await api.newAccount();
  const stream = await openStream(`${base(api)}/overview/live`, key());
  const before = await stream.next();
  await makeOrder(accountId, 0);
  await makeOrder(accountId, 1);
  let seen = before;
  while (seen.pending.under_1m === before.pending.under_1m) seen = await stream.next();
  expect(seen.pending.under_1m).toBe(before.pending.under_1m + 1);
  expect(seen.providers).toMatchObject([{ provider: "simulator", last_15m: { success: 1, pending: 1, success_rate: 1, passed_on: 0 } }]);
  expect(seen.operators).toMatchObject([{ operator: "AT", name: "Airtel", last_1h: { success: 1 } }]);
  stream.end();
});

test("a key that is deleted sees nothing more", async () => {
  const made = await api.post("/keys", { name: "wall" });
  const stream = await openStream(`${base(api)}/overview/live`, key(made.body.api_key));
  expect(await stream.next()).toMatchObject({ ts: expect.any(Number) });
  expect((await api.post(`/keys/${made.body.key_id}/delete`, {})).status).toBe(200);
  let event: Event | null;
  do event = await stream.next();
  while (event !== null);
});

test("a session that ends sees nothing more, and without a session nothing is shown", async () => {
  const fixture: ConsoleFixture = await createConsoleFixture();
  try {
    const { browser } = await fixture.newStaff("auditor");
    const url = `${fixture.origin}/console/api/overview/live`;
    expect((await openStream(url, {})).status).toBe(401);
    const cookie = { cookie: `corprail_console=${browser.cookie()}` };
    const stream = await openStream(url, cookie);
    expect(await stream.next()).toMatchObject({ ts: expect.any(Number) });
    expect((await browser.post("/sign-out")).status).toBe(200);
    let event: Event | null;
    do event = await stream.next();
    while (event !== null);
    expect((await openStream(url, cookie)).status).toBe(401);
  } finally {
    await fixture.close();
  }
});

test("the number of viewers is limited for one person and in total, and a closed view counts no longer", async () => {
  const small = await testApi({ viewers: createViewers({ each: 2, all: 3 }) });
  const opened: Stream[] = [];
  const watch = async (value?: string) => {
    const stream = await openStream(`${base(small)}/overview/live`, key(value));
    opened.push(stream);
    return stream.status;
  };
  try {
    const { body } = await small.post("/keys", { name: "other" });
    // Of somebody else: a key counts as whoever made it.
    const { sql } = small.settings.database;
    await sql`
      insert into users (user_id, realm, email, name, role, created_at, updated_at)
      values ('U1', 'console', 'u1@corprail.example', 'Ravi', 'admin', now(), now())`;
    await sql`update operator_keys set created_by = 'staff:U1'`;
    expect([await watch(), await watch(), await watch()]).toEqual([200, 200, 429]);
    expect([await watch(body.api_key), await watch(body.api_key)]).toEqual([200, 429]);
    opened[0]?.end();
    await expect.poll(() => watch()).toBe(200);
  } finally {
    for (const stream of opened) stream.end();
    await small.close();
  }
});

test("closing ends every view at once", async () => {
  const fixture = await testApi();
  const stream = await openStream(`${base(fixture)}/overview/live`, key());
  expect(await stream.next()).not.toBeNull();
  await fixture.close();
  expect(await stream.next()).toBeNull();
});
