import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "./harness/deadline.ts";
import { type Client, change, type JsonRecord, newClient, operator } from "./harness/operator.ts";
import { type Listener, startListener } from "./harness/servers/listener.ts";
import { type Installation, type Service, startInstallation } from "./harness/service.ts";

const MARKER = "HOSTILE-WORDS-7719";
const CALLBACK_KEY = "callback-key-of-whole";

let installation: Installation;
let service: Service;
let upstream: Listener;
let client: Client;
let orders = 0;

beforeAll(async () => {
  [installation, upstream] = await Promise.all([startInstallation({ CORPRAIL_CALLBACK_ALLOW: "127.0.0.0/8" }), startListener()]);
  service = installation.service;
  client = await newClient(service);
  await change(service, `/accounts/${client.accountId}/wallet`, { amount: "5000.00", reference: "start", note: "" });
  await change(service, "/providers", { definition: description("whole"), secrets: { key: CALLBACK_KEY } });
  await change(service, "/routes", { service: "recharge", operator: "AT", provider: "whole", priority: 1 });
});
afterAll(async () => {
  await installation?.close();
  await upstream?.close();
});

function description(name: string, more: JsonRecord = {}): JsonRecord {
  const outcome = [
    { when: { status: "OK" }, means: "success" },
    { when: { status: "NUMBER" }, means: "declined", failure: "number_not_valid" },
    { when: { status: "BAD" }, means: "declined" },
    { when: { status: "WAIT" }, means: "pending" },
  ];
  const pay = { url: "/pay", query: { r: "{reference}", a: "{amount}", c: "{code.circles?}" } };
  return {
    version: 2,
    name,
    base_url: upstream.url,
    secrets: ["key"],
    plain_http: true,
    amount: "whole",
    codes: { circles: { values: { DL: "10" } } },
    read: { format: "json", operator_ref: "op", message: "message" },
    operations: {
      "recharge.pay": { request: pay, outcome, status: { request: { url: "/status", query: { r: "{reference}" } }, outcome } },
    },
    callbacks: [
      {
        auth: { kind: "key", query: "key", secret: "key" },
        from: "query",
        reference: "ref",
        read: { message: "message" },
        outcome: [
          { when: { st: "OK" }, means: "success" },
          { when: { st: "NO" }, means: "declined" },
        ],
      },
    ],
    ...more,
  };
}

const answer = (status: string, more: JsonRecord = {}) => upstream.answer(200, JSON.stringify({ status, op: "OP1", message: "", ...more }));

async function call(
  path: string,
  body?: JsonRecord,
): Promise<{ readonly status: number; readonly body: JsonRecord; readonly text: string }> {
  const reply = await fetch(`${service.url}/api/corp/v1${path}`, {
    method: body ? "POST" : "GET",
    headers: { "x-api-token": client.token, ...(body ? { "content-type": "application/json" } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await reply.text();
  return { status: reply.status, body: JSON.parse(text) as JsonRecord, text };
}

const recharge = (amount: string, more: JsonRecord = {}) =>
  call("/recharge", { account: "9876543000", operator: "AT", amount, urid: `order-${++orders}`, ...more });

async function items(path: string): Promise<readonly JsonRecord[]> {
  return (await operator(service, "GET", path)).body["items"] as readonly JsonRecord[];
}

test("orders that cannot be written for a provider fail unsent with a plain reason, and its breaker stays closed", async () => {
  answer("OK");
  for (let count = 0; count < 6; count++) {
    const { body } = await recharge("100.50");
    expect(body).toMatchObject({ status: "FAILED", message: "The amount is not accepted by the operator.", operator_ref: null });
    expect((await recharge("100", { circle: "TN" })).body).toMatchObject({
      status: "FAILED",
      message: "The operator cannot be reached for this circle.",
    });
  }
  expect(upstream.heard).toHaveLength(0);
  expect(await items("/breakers")).toEqual([]);
  expect((await recharge("100", { circle: "DL" })).body).toMatchObject({ status: "SUCCESS", operator_ref: "OP1" });
  const { items: operators } = (await call("/operators")).body as { readonly items: readonly JsonRecord[] };
  expect(operators.find((one) => one["operator"] === "AT")).toMatchObject({ status: "up", success_rate_1h: 1 });
});

test("such an order goes to the next provider that can take it, in its first attempt", async () => {
  await change(service, "/providers", { definition: description("places", { amount: "two_places" }), secrets: { key: "k2k2k2" } });
  await change(service, "/routes", { service: "recharge", operator: "AT", provider: "places", priority: 2 });
  answer("OK");
  const { body } = await recharge("100.50");
  expect(body["status"]).toBe("SUCCESS");
  const { body: detail } = await operator(service, "GET", `/orders/${body["order_id"]}`);
  expect(detail["attempts"]).toMatchObject([{ attempt: 1, provider: "places", outcome: "succeeded" }]);
});

test("an order that no provider can take says so on its timeline", async () => {
  const { body } = await recharge("100", { circle: "TN" });
  const { body: detail } = await operator(service, "GET", `/orders/${body["order_id"]}`);
  const titles = (detail["timeline"] as readonly JsonRecord[]).map((one) => one["title"]);
  expect(titles).toContain("No provider could take the order");
  expect(titles.join()).not.toContain("none");
});

test("a callback that contradicts a final order changes nothing and is shown to staff", async () => {
  answer("OK");
  const { body } = await recharge("10", { circle: "DL" });
  expect(body["status"]).toBe("SUCCESS");
  const said = await fetch(`${service.url}/upstream/whole/callback?key=${CALLBACK_KEY}&ref=${body["order_id"]}&st=NO`);
  expect(said.status).toBe(200);
  await until(
    "it is listed",
    async () => (await items("/provider-callbacks?reason=contradicts")).find((one) => one["reference"] === body["order_id"]) ?? null,
  );
  expect((await call(`/recharge?urid=order-${orders}`)).body).toMatchObject({ status: "SUCCESS" });
});

test("callbacks that cannot be read are shown to staff too", async () => {
  const address = `${service.url}/upstream/whole/callback?key=${CALLBACK_KEY}`;
  const sent = [fetch(`${address}&ref=%00`), fetch(address, { method: "POST", body: "x".repeat(70_000) })];
  expect((await Promise.all(sent)).map((reply) => reply.status)).toEqual([400, 413]);
  await until("both are listed", async () => ((await items("/provider-callbacks?reason=unreadable")).length === 2 ? true : null));
});

test("unreadable callbacks under made-up names count as those of no provider, so that they cannot fill table or metrics", async () => {
  const paths = ["made-up-1/callback?x=%00", "made-up-2/callback", "made-up-%00/callback"];
  const sent = paths.map((path) =>
    fetch(`${service.url}/upstream/${path}`, { method: "POST", body: "x".repeat(path.includes("?") ? 1 : 70_000) }),
  );
  for (const { status } of await Promise.all(sent)) expect([400, 404, 413]).toContain(status);
  await until("they are listed", async () => ((await items("/provider-callbacks?reason=unknown_provider")).length >= 2 ? true : null));
  expect((await items("/provider-callbacks?limit=100")).filter((one) => String(one["provider"]).startsWith("made-up"))).toEqual([]);
  const metrics = await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${service.operatorKey}` } });
  expect(await metrics.text()).not.toContain("made-up");
});

test("an unknown circle is a mistake in the request, and nothing is created", async () => {
  for (const circle of ["XX", "tn", ""])
    expect(await recharge("100", { circle })).toMatchObject({
      status: 400,
      body: { error: "invalid_request", fields: { circle: expect.stringContaining("telecom circle") } },
    });
});

test("a provider's words reach the staff and no client", async () => {
  answer("NUMBER", { message: MARKER });
  const declined = await recharge("10", { circle: "DL" });
  expect(declined.body).toMatchObject({ status: "FAILED", message: "The number is not valid for this operator." });
  answer("BAD", { message: MARKER });
  const other = await recharge("10", { circle: "DL" });
  expect(other.body).toMatchObject({ status: "FAILED", message: "Declined by the operator." });
  const read = await Promise.all([call(`/recharge?urid=order-${orders}`), call("/transactions"), call("/statement")]);
  for (const { text } of [declined, other, ...read]) expect(text).not.toContain(MARKER);
  const { body } = await operator(service, "GET", `/orders/${other.body["order_id"]}`);
  expect(body["order"]).toMatchObject({ reason: MARKER, message: "Declined by the operator." });
});

type PortalSession = {
  readonly get: (path: string) => Promise<string>;
  readonly post: (path: string, body: JsonRecord) => Promise<JsonRecord>;
};

/** An owner of the client's account, signed in. */
async function portalSession(): Promise<PortalSession> {
  const invited = await change(service, `/accounts/${client.accountId}/portal-invitations`, { email: "owner@asha.example", role: "owner" });
  const token = String(invited["invitation_url"]).split("#")[1];
  const json = { "content-type": "application/json", origin: service.url };
  const body = JSON.stringify({ token, name: "Asha", password: "correct horse battery" });
  const accepted = await fetch(`${service.url}/portal/api/invitations/accept`, { method: "POST", headers: json, body });
  expect(accepted.status).toBe(200);
  const cookie = accepted.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const get = async (path: string) => {
    const reply = await fetch(`${service.url}/portal/api${path}`, { headers: { cookie } });
    const text = await reply.text();
    expect({ path, status: reply.status, text: reply.status === 200 ? "" : text }).toEqual({ path, status: 200, text: "" });
    return text;
  };
  const { csrf_token: csrf } = JSON.parse(await get("/session")) as { readonly csrf_token: string };
  const post = async (path: string, sent: JsonRecord) => {
    const headers = { ...json, cookie, "x-csrf-token": csrf };
    const reply = await fetch(`${service.url}/portal/api${path}`, { method: "POST", headers, body: JSON.stringify(sent) });
    expect(reply.status).toBe(200);
    return (await reply.json()) as JsonRecord;
  };
  return { get, post };
}

const idsIn = (text: string, name: string) =>
  (JSON.parse(text) as { readonly items: readonly JsonRecord[] }).items.map((item) => String(item[name]));

test("a provider's words are on no page of the client's portal, in no export and in no callback", async () => {
  const receiver = await startListener();
  await change(service, `/accounts/${client.accountId}`, { callback_url: `${receiver.url}/cb` });
  answer("WAIT", { message: MARKER });
  const { body: pending } = await recharge("20", { circle: "DL" });
  answer("BAD", { message: MARKER });
  const { body: failed } = await recharge("20", { circle: "DL" });
  expect([pending["status"], failed["status"]]).toEqual(["pending", "FAILED"]);
  const query = `key=${CALLBACK_KEY}&ref=${pending["order_id"]}&st=NO&message=${MARKER}`;
  expect((await fetch(`${service.url}/upstream/whole/callback?${query}`)).status).toBe(200);
  await until("the client is notified", () => receiver.heard.find(({ url }) => url.includes(String(pending["order_id"]))) ?? null);
  const portal = await portalSession();
  const { job } = (await portal.post("/exports", { from: today(), to: today() })) as { readonly job: JsonRecord };
  await until("the export is made", async () => (JSON.parse(await portal.get(`/jobs/${job["job_id"]}`)).state === "done" ? true : null));
  const lists = { "/transactions": "order_id", "/statement": "entry_id", "/callbacks": "callback_id", "/logs": "call_id" };
  const read: Record<string, string> = {};
  for (const path of ["/home", "/home/charts", "/wallet", "/complaints", "/logs/groups", "/jobs", "/operators", "/services"])
    read[path] = await portal.get(path);
  for (const [path, name] of Object.entries(lists)) {
    read[path] = await portal.get(path);
    const ids = idsIn(read[path] ?? "", name);
    expect({ path, found: ids.length > 0 }).toEqual({ path, found: true });
    for (const id of ids) read[`${path}/${id}`] = await portal.get(`${path}/${id}`);
  }
  read["export"] = await portal.get(`/jobs/${job["job_id"]}/file`);
  read["callbacks"] = JSON.stringify(receiver.heard);
  expect(read["export"]).toContain(String(failed["order_id"]));
  expect(Object.entries(read).filter(([, text]) => text.includes(MARKER))).toEqual([]);
  // The staff can read it.
  expect((await operator(service, "GET", `/orders/${pending["order_id"]}`)).body["order"]).toMatchObject({ reason: MARKER });
  await change(service, `/accounts/${client.accountId}`, { callback_url: null });
  await receiver.close();
});

const today = () => new Intl.DateTimeFormat("en-CA", { timeZone: "Asia/Kolkata" }).format(new Date());

test.each(["http://169.254.169.254/latest", "http://10.0.0.1/pay", "http://[::1]/pay", "http://0xa.1/pay"])(
  "a provider at %s is refused with what the administrator can do",
  async (address) => {
    const definition = description("inside", { base_url: address });
    const { status, body } = await operator(service, "POST", "/providers", { definition });
    expect(status).toBe(400);
    expect(body["fields"]).toMatchObject({ "definition.base_url": expect.stringContaining("CORPRAIL_PROVIDER_ALLOW") });
    expect((await operator(service, "POST", "/providers/inside/test", { definition })).status).toBe(400);
  },
);

test("what is no placeholder is refused by its place when it is saved and when it is tried", async () => {
  for (const text of ["{AMOUNT}", "{amount:paise}", "{Reference}", "{amount_paise}"]) {
    const definition = description("braces", { headers: { "X-Amount": text } });
    const refused = { status: 400, body: { fields: { "definition.headers.X-Amount": expect.stringContaining(text) } } };
    expect(await operator(service, "POST", "/providers", { definition })).toMatchObject(refused);
    expect(await operator(service, "POST", "/providers/braces/test", { definition })).toMatchObject(refused);
  }
  const definition = description("braces", { codes: { circles: { values: { XX: "5" } } } });
  expect((await operator(service, "POST", "/providers", { definition })).body["fields"]).toHaveProperty([
    "definition.codes.circles.values.XX",
  ]);
});

test("provider callbacks that are not taken in are shown to the staff with the reason, without keys", async () => {
  const send = (query: string) => fetch(`${service.url}/upstream/whole/callback?${query}`);
  answer("WAIT");
  const { body: pending } = await recharge("20", { circle: "DL" });
  expect((await send(`key=nearly-${CALLBACK_KEY}&ref=R1&st=OK`)).status).toBe(403);
  expect((await send(`key=${CALLBACK_KEY}&ref=NOSUCHORDER1&st=OK&card=4111111111111111`)).status).toBe(200);
  expect((await send(`key=${CALLBACK_KEY}&ref=${pending["order_id"]}&st=QUEUED`)).status).toBe(200);
  expect((await fetch(`${service.url}/upstream/nobody/callback?x=1`)).status).toBe(403);
  const found = await until("all of them are kept", async () => {
    const sent = ["wrong_key", "unknown_reference", "unknown_status"];
    const kept = (await items("/provider-callbacks?provider=whole")).filter((one) => sent.includes(String(one["reason"])));
    return kept.length === 3 ? kept : null;
  });
  expect(found).toMatchObject([
    { reason: "unknown_status", authentic: true, reference: pending["order_id"], message: expect.stringContaining("description") },
    { reason: "unknown_reference", authentic: true, reference: "NOSUCHORDER1", excerpt: expect.stringContaining("ref=NOSUCHORDER1") },
    { reason: "wrong_key", authentic: false, source: "127.0.0.1", method: "GET" },
  ]);
  expect(JSON.stringify(found)).not.toMatch(new RegExp(`${CALLBACK_KEY}|4111111111111111`));
  const unknown = await until("the unknown provider is kept", async () => {
    const kept = await items("/provider-callbacks?reason=unknown_provider");
    return kept.find((one) => one["excerpt"] === "x=1") ?? null;
  });
  expect(unknown).toMatchObject({ provider: null });
  expect((await send(`key=${CALLBACK_KEY}&ref=${pending["order_id"]}&st=OK`)).status).toBe(200);
  expect((await call(`/recharge?urid=order-${orders}`)).body["status"]).toBe("SUCCESS");
  const metrics = await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${service.operatorKey}` } });
  expect(await metrics.text()).toContain('corprail_provider_callbacks_total{provider="whole",outcome="wrong_key"} 1');
});
