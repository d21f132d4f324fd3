import { isTransaction, type OperationName, QUERIES, TRANSACTIONS } from "@corprail/connector";
import { expect, test } from "vitest";
import { type DryRunInput, dryRun } from "./dry-run.ts";
import { dryRunText } from "./dry-run-text.ts";

const OUTCOME = [{ when: { s: "OK" }, means: "success" }];
const STATUS = {
  request: { url: "/status", query: { r: "{reference}", id: "{provider_ref?}" } },
  outcome: [...OUTCOME, { when: { $http: 404 }, means: "not_found" }],
};
const DESCRIPTION = {
  version: 2,
  name: "acme",
  base_url: "https://a.example",
  secrets: ["key"],
  headers: { "x-sign": "{computed.sign}", authorization: "Bearer {token}" },
  computed: { sign: { kind: "hmac", digest: "sha256", key: "{secret.key}", text: "{request.body}" } },
  login: { request: { url: "/login", body: { json: { key: "{secret.key}" } } }, token: "token" },
  read: { format: "json", operator_ref: "op", message: "msg" },
  operations: {
    "recharge.pay": { request: { url: "/pay", body: { json: { r: "{reference}", n: "{target}" } } }, outcome: OUTCOME, status: STATUS },
    balance: { request: { url: "/balance" }, value: { balance: "wallet" } },
  },
  callbacks: [{ auth: { kind: "key", header: "x", secret: "key" }, reference: "ref", outcome: [{ when: { s: "OK" }, means: "success" }] }],
};

function run(more: Partial<DryRunInput> = {}) {
  const done = dryRun({ description: DESCRIPTION, secrets: { key: "much-secret" }, now: 0, ...more });
  if (done.kind !== "done") throw new Error(JSON.stringify(done.faults));
  return done;
}

const answer = (body: unknown, more: object = {}) => ({
  body: Buffer.from(JSON.stringify(body)),
  httpStatus: 200,
  to: "request" as const,
  ...more,
});

test("every call is shown with its secrets, token and signatures masked", () => {
  const { steps, missing } = run();
  expect(missing).toEqual([]);
  expect(steps.map(({ step }) => step)).toEqual(["login", "recharge.pay", "recharge.pay.status"]);
  expect(steps[1]?.call).toEqual({
    method: "POST",
    url: "https://a.example/pay",
    headers: { "content-type": "application/json", "x-sign": "___sign___", authorization: "Bearer ___token___" },
    body: '{"r":"01SAMPLE000REFERENCE","n":"9876543000"}',
  });
  expect(dryRunText(run())).not.toContain("much-secret");
  expect(run({ secrets: {} }).missing).toEqual(["CORPRAIL_PROVIDER_ACME_KEY"]);
});

test("a sample answer or callback is read as the connector would read it", () => {
  expect(run({ answer: answer({ s: "OK", op: "OP1", msg: "fine much-secret" }) }).reading).toMatchObject({
    outcome: "succeeded",
    fields: { operator_ref: "OP1", message: "fine [hidden]" },
  });
  expect(run({ answer: answer({ s: "?" }) }).reading).toMatchObject({ outcome: "unknown", because: 'no rule covers $http "200", s "?"' });
  expect(run({ answer: answer({}, { to: "status", httpStatus: 404 }) }).reading).toMatchObject({ outcome: "not_found" });
  expect(run({ answer: answer({ ref: "R1", s: "OK" }, { to: "callback" }) }).reading).toMatchObject({
    outcome: "succeeded",
    fields: { reference: "R1" },
  });
  expect(run({ operation: "balance", answer: answer({ wallet: 10.5 }) }).reading).toMatchObject({
    outcome: "answered",
    value: { balance: "10.5" },
  });
  expect(run({ operation: "balance", answer: answer({ wallet: "x" }) }).reading).toMatchObject({ outcome: "unavailable" });
});

test("a sample has a key of the code map that it is asked by, and an answer without a request says so", () => {
  const description = {
    version: 2,
    name: "acme",
    base_url: "https://a.example",
    codes: { agents: { by: "{mobile}", values: { "9123456789": "A7" } } },
    operations: {
      "aeps.outlet.register": { request: { url: "/agents/{code.agents}" }, value: { agent_code: "code" } },
      "aeps.banks": { fixed: { banks: [] } },
    },
  };
  expect(run({ description, operation: "aeps.outlet.register" }).request).toMatchObject({ url: "https://a.example/agents/A7" });
  expect(dryRunText(run({ description, operation: "aeps.banks" }))).toContain("none: the description itself has the answer");
});

test("an operation that the description lacks is a fault", () => {
  expect(dryRun({ description: DESCRIPTION, secrets: {}, now: 0, operation: "plans" })).toMatchObject({
    kind: "invalid",
    faults: [{ path: "operation" }],
  });
});

const NAMES = [...Object.keys(TRANSACTIONS), ...Object.keys(QUERIES)] as OperationName[];

test.each(NAMES)("the requests of %s can be shown with sample values", (name) => {
  const request = { url: "/x", query: { r: "{now}" } };
  const query = {
    request,
    outcome: [
      { when: { s: 1 }, means: "unavailable" },
      { when: { s: 2 }, means: "answered" },
    ],
    value: {},
  };
  const transaction = { request: { url: "/x", query: { r: "{reference}" } }, outcome: OUTCOME, status: STATUS };
  const { login: _, ...plain } = DESCRIPTION;
  const operations = { [name]: isTransaction(name) ? transaction : query };
  const description = { ...plain, headers: {}, computed: {}, operations };
  const done = dryRun({ description, secrets: {}, now: 0, operation: name });
  // A query whose value needs members is refused with exactly those.
  if (done.kind === "invalid")
    for (const { path, message } of done.faults)
      expect([path, message]).toEqual([expect.stringContaining(".value."), expect.stringMatching(/^Is missing/)]);
  else expect(done.request).toMatchObject({ url: expect.stringContaining("/x?r=") });
});
