import fc from "fast-check";
import { expect, test } from "vitest";
import type { ProviderExchange } from "../../connector.ts";
import { NEVER, providerRequest } from "../../testing/requests.ts";
import { describedProvider, type Reply } from "../testing/provider.ts";

const success = { when: { status: "OK" }, means: "success" };
const status = {
  request: { url: "/status", query: { ref: "{reference}", id: "{provider_ref?}" } },
  outcome: [success, { when: { rows: { is: "empty_list" } }, means: "not_found" }],
};
const pay = { request: { url: "/pay", body: { json: { ref: "{reference}" } } }, outcome: [success], status };
const LOGIN = { request: { url: "/login", body: { form: { key: "{secret.key}" } } }, token: "token", expires_in: "life" };
const read = { format: "json", provider_ref: "id", balance: "wallet", cost: { path: "paid", unit: "paise" } };

test("one login serves many waiting requests, and a new one comes when the token is over", async () => {
  let now = 1_000_000;
  const operations = { "recharge.pay": pay };
  const { connector, heard } = await describedProvider(
    { login: LOGIN, headers: { authorization: "Bearer {token}" }, operations },
    ({ path }) => ({ body: path === "/login" ? { token: `t${now}`, life: 600 } : { status: "OK" } }),
    () => now,
  );
  const logins = () => heard.filter(({ path }) => path === "/login").length;
  const send = () => connector.send(providerRequest(), NEVER);
  expect((await Promise.all(Array.from({ length: 20 }, send))).every(({ kind }) => kind === "succeeded")).toBe(true);
  expect(logins()).toBe(1);
  now += 560_000;
  await send();
  expect(logins()).toBe(1);
  now += 20_000;
  await send();
  expect([logins(), heard.at(-1)?.headers["authorization"]]).toEqual([2, `Bearer t${now}`]);
});

test.each([0, "0000", -5])("a life of %s says nothing, so the token is used until it is refused", async (life) => {
  const { connector, heard } = await describedProvider(
    { login: LOGIN, headers: { authorization: "Bearer {token}" }, operations: { "recharge.pay": pay } },
    ({ path }) => ({ body: path === "/login" ? { token: "t1", life } : { status: "OK" } }),
  );
  for (let sent = 0; sent < 3; sent++) await connector.send(providerRequest(), NEVER);
  expect(heard.filter(({ path }) => path === "/login").length).toBe(1);
});

test("an answer that says unauthorized renews the token once and repeats the call; a second one is unknown, by our credentials", async () => {
  let issued = 0;
  let accepted = "t2";
  const operations = { "recharge.pay": pay };
  const { connector, heard } = await describedProvider(
    { login: LOGIN, headers: { authorization: "{token}" }, operations },
    ({ path, headers }): Reply => {
      if (path === "/login") return { body: { token: `t${++issued}` } };
      return headers["authorization"] === accepted ? { body: { status: "OK" } } : { status: 401, body: {} };
    },
  );
  expect((await connector.send(providerRequest(), NEVER)).kind).toBe("succeeded");
  expect(heard.map(({ path }) => path)).toEqual(["/login", "/pay", "/login", "/pay"]);
  accepted = "never";
  expect(await connector.send(providerRequest(), NEVER)).toMatchObject({ kind: "unknown", fault: "credentials" });
  expect(heard.length).toBe(7);
});

test.each([
  [{}, "declined"],
  [{ decline: "final" }, "declined"],
  [{ decline: "busy" }, "unavailable"],
  [{ decline: "float" }, "unavailable"],
  [{ decline: "float", failure: "operator_down" }, "operator_down"],
])("a decline with %j is told to the client as %s", async (more, failure) => {
  const declines = { ...pay, outcome: [success, { when: { status: "NO" }, means: "declined", ...more }] };
  const { connector } = await describedProvider({ operations: { "recharge.pay": declines } }, () => ({ body: { status: "NO" } }));
  expect(await connector.send(providerRequest(), NEVER)).toMatchObject({ kind: "declined", failure });
});

test("a fixed answer is given without a request", async () => {
  const fixed = { banks: [{ bank: "SBIN", name: "State Bank of India" }] };
  const { connector, heard } = await describedProvider({ operations: { "recharge.pay": pay, "transfers.banks": { fixed } } }, () => ({}));
  const value = { banks: [{ bank: "SBIN", name: "State Bank of India", status: "up" }] };
  expect(await connector.query("transfers.banks", {}, NEVER)).toEqual({ kind: "answered", value });
  expect(heard).toEqual([]);
});

test("without a login nothing is sent", async () => {
  const { connector, heard } = await describedProvider(
    { login: LOGIN, headers: { authorization: "{token}" }, operations: { "recharge.pay": pay } },
    () => ({ status: 403 }),
  );
  expect(await connector.send(providerRequest(), NEVER)).toMatchObject({ kind: "not_sent", fault: "credentials" });
  expect(heard.every(({ path }) => path === "/login")).toBe(true);
});

const STEPS = {
  read,
  operations: {
    "transfers.send": {
      steps: [
        {
          name: "contact",
          request: { url: "/contact", body: { json: { name: "{details.beneficiary_name}" } } },
          save: { id: "id" },
          outcome: [
            { when: { id: { is: "present" } }, means: "continue" },
            { when: { $http: 400 }, means: "declined", decline: "final" },
          ],
        },
        {
          name: "payout",
          request: { url: "/payout", body: { json: { contact: "{step.contact.id}", ref: "{reference}" } } },
          outcome: [success],
        },
      ],
      status,
    },
  },
};
const transfer = () => providerRequest({ service: "transfers", details: { beneficiary_name: "Asha" } });

test("later steps get what earlier ones returned; what fails before the money moves is not sent, what fails after it is unknown", async () => {
  let contact: Reply = { body: { id: "c1" } };
  let payout: Reply = { body: { status: "OK", id: "p1", wallet: "10.50", paid: 505 } };
  const { connector, heard } = await describedProvider(STEPS, ({ path }) => (path === "/contact" ? contact : payout));
  expect(await connector.send(transfer(), NEVER)).toEqual({
    kind: "succeeded",
    operatorRef: "",
    providerRef: "p1",
    balance: "10.5",
    cost: "5.05",
  });
  expect(JSON.parse(heard[1]?.body ?? "")).toMatchObject({ contact: "c1" });
  for (const broken of [{ hangUp: true }, { status: 500 }, { body: "x" }, { body: {} }]) {
    contact = broken;
    expect((await connector.send(transfer(), NEVER)).kind).toBe("not_sent");
  }
  contact = { status: 400, body: {} };
  expect(await connector.send(transfer(), NEVER)).toMatchObject({ kind: "declined", decline: "final" });
  contact = { body: { id: "c1" } };
  for (const broken of [{ hangUp: true }, { status: 500 }, { body: "x" }, { body: { status: "?", id: "p2" } }]) {
    payout = broken;
    expect((await connector.send(transfer(), NEVER)).kind).toBe("unknown");
  }
});

test("the status is asked with both ids, an empty list is not found, and an undeclared value is named for staff", async () => {
  let body: unknown = { rows: [] };
  const { connector, heard } = await describedProvider({ read, operations: { "recharge.pay": pay } }, () => ({ body }));
  const request = { ...providerRequest({ reference: "R1" }), providerRef: "P9" };
  expect(await connector.ask(request, NEVER)).toEqual({ kind: "not_found" });
  expect(heard[0]?.query.toString()).toBe("ref=R1&id=P9");
  body = { status: "QUEUED", id: "P9", wallet: "1e3" };
  expect(await connector.ask(request, NEVER)).toMatchObject({
    kind: "unknown",
    why: 'no rule covers $http "200", status "QUEUED", rows (absent)',
    providerRef: "P9",
    balance: "1000",
  });
});

test("every answer gives exactly one outcome of those that are declared, and nothing throws", async () => {
  let reply: Reply = {};
  const { connector } = await describedProvider({ read, operations: { "recharge.pay": pay } }, () => reply);
  const kinds = ["succeeded", "unknown"];
  const value = fc.oneof(fc.constant("OK"), fc.jsonValue());
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(200, 201, 400, 401, 409, 500),
      fc.record({ status: value, id: value, rows: value }, { requiredKeys: [] }),
      async (code, body) => {
        reply = { status: code, body };
        const outcome = await connector.send(providerRequest(), NEVER);
        expect(kinds).toContain(outcome.kind);
        expect(outcome.kind === "succeeded").toBe(code === 200 && body.status === "OK");
      },
    ),
    { numRuns: 60 },
  );
});

const BILLERS = {
  "bills.billers": {
    request: { url: "/billers", query: { after: "{page.cursor?}" } },
    pages: { by: "cursor", next: { path: "next", match: "after=(?<value>[^&]+)" } },
    value: {
      billers: {
        list: "data",
        where: { kind: "Electricity" },
        item: {
          biller_id: "id",
          name: "name",
          category: { path: "kind", map: { Electricity: "electricity" } },
          flow: { path: "fetch", map: { "1": "fetch", "*": "direct" } },
          exactness: { constant: "exact" },
          active: "live",
          params: {
            items: [
              { item: { name: { constant: "canumber" }, label: "label", pattern: "regex" } },
              { when: { ad1: { is: "present" } }, item: { name: { constant: "ad1" }, label: "ad1" } },
            ],
          },
        },
      },
    },
  },
};
const biller = (id: string, more: object = {}) => ({
  id,
  name: `B ${id}`,
  kind: "Electricity",
  fetch: 1,
  live: "true",
  label: "CA",
  regex: "^[0-9]{9}$",
  ad1: null,
  ...more,
});

test("a list is read page by page, filtered and mapped; a bad item is named by its place", async () => {
  let last: unknown = { data: biller("3") };
  const { connector, heard } = await describedProvider({ operations: BILLERS }, ({ query }) => ({
    body: query.get("after") === null ? { data: [biller("1", { ad1: "Cycle" }), biller("2", { kind: "Gas" })], next: "/x?after=2" } : last,
  }));
  const result = await connector.query("bills.billers", {}, NEVER);
  expect(result).toMatchObject({
    kind: "answered",
    value: {
      billers: [
        {
          biller_id: "1",
          flow: "fetch",
          active: true,
          payment_modes: ["CASH"],
          params: [{ name: "canumber" }, { name: "ad1", label: "Cycle" }],
        },
        { biller_id: "3" },
      ],
    },
  });
  expect(heard.length).toBe(2);
  last = { data: [biller("4", { live: "perhaps" })] };
  expect(await connector.query("bills.billers", {}, NEVER)).toEqual({
    kind: "unavailable",
    why: 'the answer\'s billers[0].active is neither true nor false: "perhaps"',
  });
  last = { data: [biller("5")], next: `/x?after=${"6".repeat(20_000)}` };
  expect(await connector.query("bills.billers", {}, NEVER)).toMatchObject({
    kind: "unavailable",
    why: expect.stringContaining("next page"),
  });
  last = "<html>";
  expect((await connector.query("bills.billers", {}, NEVER)).kind).toBe("unavailable");
});

test("a query is answered, refused with a code, or unavailable; a rule may say the value", async () => {
  let reply: Reply = { body: { code: 1, ref: "O1" } };
  const operation = {
    request: { url: "/sender", body: { json: { mobile: "{mobile}", day: "{now|date:dd-MM-yyyy}" } } },
    read: { message: "msg" },
    outcome: [
      { when: { code: 1 }, means: "answered", value: { status: { constant: "OTP_SENT" }, otp_ref: "ref" } },
      { when: { code: 2 }, means: "answered", value: { status: { constant: "VERIFIED" } } },
      { when: { code: 3 }, means: "refused", code: "blocked" },
    ],
  };
  const { connector } = await describedProvider({ operations: { "transfers.sender.register": operation } }, () => reply);
  const ask = () =>
    connector.query(
      "transfers.sender.register",
      { mobile: "9", first_name: "A", last_name: "B", pincode: "1", latitude: "", longitude: "" },
      NEVER,
    );
  expect(await ask()).toEqual({ kind: "answered", value: { status: "OTP_SENT", otp_ref: "O1", length: 6 } });
  reply = { body: { code: "2" } };
  expect(await ask()).toMatchObject({ value: { status: "VERIFIED" } });
  reply = { body: { code: 3, msg: "no much-secret-key-of-ours" } };
  expect(await ask()).toEqual({ kind: "refused", reason: "no [hidden]", code: "blocked" });
  reply = { body: { code: 9 } };
  expect(await ask()).toMatchObject({ kind: "unavailable", why: expect.stringContaining('code "9"') });
  expect((await connector.query("balance", {}, NEVER)).kind).toBe("unavailable");
});

test("an encrypted body is put into its envelope and an encrypted answer is opened; neither key, token nor ciphertext is in the evidence", async () => {
  const computed = { enc: { kind: "aes", cipher: "aes-128-cbc", key: "{secret.key|first:16}", iv: "random", text: "{request.body}" } };
  const decrypt = { cipher: "aes-128-cbc", at: "body", key: "{secret.key|first:16}", iv: "prefixed" };
  const request = { url: "/pay", body: { json: { ref: "{reference}" } }, envelope: { json: { body: "{computed.enc}" } } };
  // The provider returns the ciphertext, so that the answer is our own body.
  const operations = {
    "recharge.pay": {
      request,
      read: { decrypt, reference: "ref" },
      outcome: [{ when: { ref: { is: "present" } }, means: "success" }],
      status,
    },
  };
  const { connector, heard } = await describedProvider({ computed, operations, headers: { "x-sign": "{computed.enc}" } }, ({ body }) => ({
    body,
  }));
  const kept: ProviderExchange[] = [];
  const outcome = await connector.send(providerRequest(), NEVER, (one) => kept.push(one));
  expect(outcome.kind).toBe("succeeded");
  const { body } = JSON.parse(heard[0]?.body ?? "") as { body: string };
  expect(JSON.stringify(kept)).not.toContain(body);
  expect(JSON.stringify(kept)).not.toContain("much-secret-key-of-ours");
  expect(kept).toMatchObject([{ operation: "recharge.pay", problem: null }]);
});

test("a step applies only where its condition holds", async () => {
  const direct = {
    name: "direct",
    when: { "details.fetch_provider_ref": { is: "absent" } },
    sends: true,
    request: { url: "/direct", query: { r: "{reference}" } },
    outcome: [success],
  };
  const fetched = {
    name: "fetched",
    when: { "details.fetch_provider_ref": { is: "present" } },
    sends: true,
    request: { url: "/fetched", query: { r: "{reference}", f: "{details.fetch_provider_ref}" } },
    outcome: [success],
  };
  const { connector, heard } = await describedProvider({ operations: { "bills.pay": { steps: [direct, fetched], status } } }, () => ({
    body: { status: "OK" },
  }));
  await connector.send(providerRequest({ service: "bills", details: { fetch_provider_ref: "" } }), NEVER);
  await connector.send(providerRequest({ service: "bills", details: { fetch_provider_ref: "F1" } }), NEVER);
  expect(heard.map(({ path }) => path)).toEqual(["/direct", "/fetched"]);
});

// "Not found" fails an order only after this time, so it must cover everything that may precede the call that moves the money.
test("the time limit of a transaction covers its logins, its repetition and all of its steps", async () => {
  const steps = [
    { name: "check", request: { url: "/check" }, outcome: [{ when: { status: "OK" }, means: "continue" }] },
    { name: "pay", request: pay.request, outcome: [success] },
  ];
  const timeouts = { whole_seconds: 10 };
  const limitOf = async (more: object) =>
    (await describedProvider({ timeouts, ...more }, () => ({ body: {} }))).connector.timeoutMilliseconds;
  expect(await limitOf({ operations: { "recharge.pay": pay } })).toBe(10_000);
  expect(await limitOf({ operations: { "recharge.pay": { ...pay, timeout_seconds: 25 } } })).toBe(25_000);
  expect(await limitOf({ operations: { "recharge.pay": { steps, status } } })).toBe(20_000);
  expect(await limitOf({ login: LOGIN, headers: { authorization: "{token}" }, operations: { "recharge.pay": { steps, status } } })).toBe(
    80_000,
  );
});
