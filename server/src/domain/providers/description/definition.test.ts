import { QUERIES, TRANSACTIONS } from "@corprail/connector";
import { expect, test } from "vitest";
import { JSON_SPOKEN } from "../testing/definitions.ts";
import { readDescription } from "./definition.ts";
import { descriptionJsonSchema } from "./json-schema.ts";

type Changeable = { [name: string]: unknown };
const GOOD = JSON_SPOKEN.describe("https://a.example") as Changeable;

/** The faults of the good description with values changed at dotted places. */
function faults(changes: Readonly<Record<string, unknown>>): readonly string[] {
  const whole = structuredClone(GOOD);
  for (const [place, value] of Object.entries(changes)) {
    const steps = place.split("/");
    const last = steps.pop() ?? "";
    const target = steps.reduce<Changeable>((here, step) => {
      if (here[step] === undefined) here[step] = {};
      return here[step] as Changeable;
    }, whole);
    target[last] = value;
  }
  const read = readDescription(whole);
  return read.ok ? [] : read.faults.map(({ path, message }) => `${path}: ${message}`);
}

const PAY = "operations/recharge.pay";
const first = (changes: Readonly<Record<string, unknown>>) => faults(changes)[0] ?? "";

test("the good description is good, and every operation of the interface has a place", () => {
  expect(faults({})).toEqual([]);
  const published = descriptionJsonSchema() as { properties: { operations: { properties: object } } };
  expect(Object.keys(published.properties.operations.properties).sort()).toEqual(
    [...Object.keys(TRANSACTIONS), ...Object.keys(QUERIES)].sort(),
  );
});

test.each([
  ["{refrence}", /There is no placeholder \{refrence\} here/],
  ["{AMOUNT}", /Has "\{AMOUNT\}", which is not a placeholder/],
  ["$amount", /Has "\$amount"/],
  ["%amount%", /Has "%amount%"/],
  ["{{reference}}", /Has "\{0\}"/],
  ["{ reference }", /not a placeholder/],
  ["{details.ifsc}", /There is no placeholder \{details\.ifsc\}/],
  ["{secret.other}", /The secret other is not listed/],
  ["{constant.x}", /no constant x/],
  ["{code.x}", /no map x/],
  ["{computed.x}", /no value x/],
  ["{token}", /no placeholder \{token\}/],
  ["{step.a.b}", /no placeholder \{step\.a\.b\}/],
  ["{provider_ref}", /no placeholder \{provider_ref\}/],
  ["{item.name}", /belongs into what each/],
  ["{amount|cents}", /There is no filter cents/],
  ["{target|paise}", /The filter paise is for amounts/],
  ["{created_at|date:dd/mmm}", /The date pattern has "mmm"/],
  ["{target|last:x}", /needs a number/],
  ["{amount|number}", /must be the whole string of a value in a json body/],
  ["{request.body}", /belongs into computed values only/],
])("%s in a header is refused at its place", (text, message) => {
  expect(first({ [`${PAY}/request/headers`]: { "X-A": text } })).toMatch(/^operations\.recharge\.pay\.request\.headers\.X-A: /);
  expect(first({ [`${PAY}/request/headers`]: { "X-A": text } })).toMatch(message);
});

test.each<[string, Readonly<Record<string, unknown>>, RegExp]>([
  ["a host with a placeholder", { base_url: "https://{target}.example" }, /^base_url: Must be https/],
  ["plain http", { base_url: "http://a.example", plain_http: false }, /^base_url: Is not https/],
  ["no rules", { [`${PAY}/outcome`]: [] }, /outcome: Say what the answers mean/],
  ["no success", { [`${PAY}/outcome`]: [{ when: { s: 1 }, means: "pending" }] }, /outcome: No rule means success/],
  ["an open success", { [`${PAY}/outcome`]: [{ when: {}, means: "success" }] }, /Every answer would be success/],
  ["a wrong meaning", { [`${PAY}/outcome`]: [{ when: {}, means: "not_found" }] }, /outcome\[0\].*means must be one of success, declined/],
  ["no reference", { [`${PAY}/request/body`]: { json: {} } }, /Must send \{reference\}/],
  ["nothing to ask with", { [`${PAY}/status/request/body`]: { json: {} } }, /status: Must contain \{reference\} or \{provider_ref\}/],
  ["a slow pattern", { read: { format: "text", pattern: "(?:a+)+" } }, /read\.pattern: Must not repeat a group/],
  ["an unused computed value", { computed: { x: { kind: "random", bytes: 8 } } }, /^computed\.x: Is never used/],
  ["an unknown kind", { computed: { x: { kind: "rot13" } } }, /kind must be one of hash, hmac/],
  ["two bodies", { [`${PAY}/request/body`]: { json: {}, form: {} } }, /Give exactly one of json, form, xml and text/],
  ["an unknown operation", { "operations/recharge.buy": {} }, /operations\.recharge\.buy: There is no such field/],
  ["a missing value", { "operations/balance": { request: { url: "/b" }, value: {} } }, /operations\.balance\.value\.balance: Is missing/],
  [
    "an unknown value",
    { "operations/balance": { request: { url: "/b" }, value: { balance: "b", colour: "c" } } },
    /value\.colour: There is no such value/,
  ],
  ["a value for a list", { "operations/plans": { request: { url: "/p" }, value: { plans: "p" } } }, /value\.plans: Needs a list/],
  [
    "a deep fault",
    { "operations/plans": { request: { url: "/p" }, value: { plans: { list: "p", item: { amount: { path: "a", unit: "cents" } } } } } },
    /operations\.plans\.value\.plans\.item\.amount\.unit: /,
  ],
  [
    "a signature that does not cover the query",
    {
      callbacks: [
        {
          auth: { kind: "hmac", header: "x", secret: "token" },
          from: "query",
          reference: "r",
          outcome: [{ when: { a: 1 }, means: "success" }],
        },
      ],
    },
    /callbacks\[0\]\.auth\.text: The signature does not cover the query/,
  ],
  [
    "a computed value that is used too early",
    { computed: { s: { kind: "hash", digest: "md5", text: "{request.body}" } }, query: { s: "{computed.s}" } },
    /computed\.s\.text: \{request\.body\} is not known there/,
  ],
  [
    "a computed value that uses itself",
    { computed: { s: { kind: "hash", digest: "md5", text: "{computed.s}" } }, headers: { s: "{computed.s}" } },
    /uses itself/,
  ],
  [
    "a fixed answer that is not the operation's",
    { "operations/transfers.banks": { fixed: { banks: [{ bank: "sbi", name: "State Bank" }] } } },
    /operations\.transfers\.banks\.fixed: The answer's banks\.0\.bank is not usable/,
  ],
  ["a fixed answer with a request", { "operations/balance": { request: { url: "/b" }, fixed: { balance: "1" } } }, /Give either request/],
  ["a fixed answer with rules", { "operations/balance": { outcome: [], fixed: { balance: "1" } } }, /outcome: Is of no use/],
  ["a fixed transaction", { [PAY]: { fixed: {} } }, /recharge\.pay\.fixed: There is no such field/],
  ["a filter without its mark", { [`${PAY}/request/headers`]: { "X-A": "{target|before}" } }, /needs a mark, such as before:-/],
  ["a date that leaves no room for a number", { reference: { length: 11, date: "yyyyMMdd" } }, /^reference\.length: Leaves 3 characters/],
  [
    "a prefix that leaves too little room",
    { reference: { length: 10, prefix: "ABC" } },
    /^reference\.length: .* at least 8 .* without a date/,
  ],
  ["another version", { version: 1 }, /^version: Must be 2/],
  ["a call that is always repeated", { login: loginWith([{}]) }, /login\.unauthorized\[0\]: A transaction would be sent twice/],
  ["a call that is repeated after a proxy's answer", { login: loginWith([{ $http: 502 }]) }, /login\.unauthorized\[0\]: .* sent twice/],
  ["a wrong pattern of unauthorized", { login: loginWith([{ c: { matches: "(" } }]) }, /unauthorized\[0\]\.c\.matches: Is not a valid/],
  [
    "a wrong pattern of the last page",
    {
      "operations/balance": {
        request: { url: "/b" },
        value: { balance: "b" },
        pages: { by: "number", last_when: { c: { matches: "(" } } },
      },
    },
    /operations\.balance\.pages\.last_when\.c\.matches: Is not a valid/,
  ],
])("%s is refused at its place", (_what, changes, fault) => {
  expect(faults(changes).join("\n")).toMatch(fault);
});

function loginWith(unauthorized: readonly object[]): object {
  return { request: { url: "/login" }, token: "token", unauthorized };
}

const WIDE = [
  { status: { not: "SUCCESS" } },
  { error: { is: "absent" } },
  { $http: { not: 200 } },
  { $http: [500, 502, 504] },
  { $http: 200 },
  { $count: 2 },
  { status: { matches: "^[^S]" } },
  { $text: { matches: "." } },
  { $http: 503, error: { is: "absent" } },
];
const NAMED = [
  { status: "FAILED" },
  { status: { not: 0 }, code: [1, 2] },
  { error: { is: "present" } },
  { $http: 400 },
  { $http: 503, code: "E1" },
  { $text: { starts_with: "ERR" } },
  { code: { matches: "^E[0-9]+$" } },
];
const good = { when: { data: "OK" }, means: "success" };

test.each(WIDE)("conditions %j would make an undeclared answer definite, so they are refused wherever they decide", (when) => {
  const at = (place: string, outcome: readonly object[]) => faults({ [place]: outcome }).join("\n");
  const undeclared = /when: An answer that the provider never declared would be/;
  expect(at(`${PAY}/outcome`, [good, { when, means: "declined" }])).toMatch(undeclared);
  expect(at(`${PAY}/outcome`, [{ when, means: "success" }])).toMatch(undeclared);
  for (const means of ["declined", "reversed", "not_found"])
    expect(at(`${PAY}/status/outcome`, [good, { when, means }])).toMatch(undeclared);
  const callback = { auth: { kind: "key", header: "x", secret: "token" }, reference: "r", outcome: [{ when, means: "declined" }] };
  expect(faults({ callbacks: [callback] }).join("\n")).toMatch(/when: (?:An answer that the provider never|Every message)/);
  expect(at(`${PAY}/outcome`, [good, { when, means: "unknown" }])).toBe("");
});

test.each(NAMED)("conditions %j name a refusal of the provider", (when) => {
  expect(
    faults({ [`${PAY}/outcome`]: [good, { when, means: "declined" }], [`${PAY}/status/outcome`]: [good, { when, means: "not_found" }] }),
  ).toEqual([]);
});

test.each([
  [{ $http: 429 }, "declined", "when: The HTTP status of a call that asks"],
  [{ $http: 404 }, "declined", "when: The HTTP status of a call that asks"],
  [{ $http: [400, 410] }, "reversed", "when: The HTTP status of a call that asks"],
  [{ code: "LIMIT" }, "declined", "decline: A provider without capacity"],
] as const)("a question that is refused by %j must not be %s, because the transaction was sent before", (when, means, fault) => {
  const rule = { when, means, ...(fault.startsWith("decline") ? { decline: "busy" } : {}) };
  const step = (name: string, more: object) => ({ name, request: { url: "/x", query: { r: "{reference}" } }, ...more });
  const { status } = (GOOD["operations"] as { "recharge.pay": Changeable })["recharge.pay"];
  const sending = step("pay", { sends: true, outcome: [{ when: { data: "OK" }, means: "continue" }] });
  const steps = [sending, step("look", { outcome: [good, rule.means === "reversed" ? { ...rule, means: "declined" } : rule] })];
  expect(faults({ [`${PAY}/status/outcome`]: [good, rule] }).join("\n")).toContain(`status.outcome[1].${fault}`);
  expect(faults({ [PAY]: { steps, status } }).join("\n")).toContain(`steps[1].outcome[1].${fault}`);
  expect(faults({ [`${PAY}/outcome`]: [good, { ...rule, means: "declined" }] })).toEqual([]);
});

test("a success before the call that moves the money is refused", () => {
  const step = (name: string, more: object) => ({ name, request: { url: "/x", query: { r: "{reference}" } }, outcome: [good], ...more });
  const { status } = (GOOD["operations"] as { "recharge.pay": Changeable })["recharge.pay"];
  expect(faults({ [PAY]: { steps: [step("check", {}), step("pay", { sends: true })], status } }).join("\n")).toMatch(
    /steps\[0\]\.outcome\[0\]: The transaction is not sent yet/,
  );
  expect(faults({ [PAY]: { steps: [step("pay", { sends: true }), step("look", {})], status } })).toEqual([]);
});

test("a success in a separated text must say how many parts it has", () => {
  const read = { format: "text", separator: "|" };
  const outcome = [{ when: { "0": "OK" }, means: "success" }];
  expect(first({ read, [`${PAY}/outcome`]: outcome })).toMatch(/must say \$count/);
});

test("steps may use only what earlier steps saved", () => {
  const step = (name: string, text: string) => ({
    name,
    request: { url: "/x", query: { r: "{reference}", a: text } },
    save: { id: "id" },
    outcome: [{ when: { a: 1 }, means: name === "b" ? "success" : "continue" }],
  });
  const operation = (one: string, two: string) => ({
    steps: [step("a", one), step("b", two)],
    status:
      (GOOD["operations"] as Changeable)["recharge.pay"] && ((GOOD["operations"] as Changeable)["recharge.pay"] as Changeable)["status"],
  });
  expect(faults({ [PAY]: operation("x", "{step.a.id}") })).toEqual([]);
  expect(first({ [PAY]: operation("{step.b.id}", "x") })).toMatch(/steps\[0\]\.request\.query\.a: There is no placeholder \{step\.b\.id\}/);
});
