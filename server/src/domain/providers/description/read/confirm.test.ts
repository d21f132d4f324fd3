import { expect, test } from "vitest";
import { requireMoney } from "../../../../platform/core/money.ts";
import { defined, JSON_SPOKEN } from "../../testing/definitions.ts";
import { readCallback } from "../callbacks/read-callback.ts";
import { readDescription } from "../definition.ts";
import { dryRun } from "../dry-run/dry-run.ts";
import { SAMPLE_REQUEST } from "../samples/sample-scope.ts";

const RULES = [
  { when: { s: "OK" }, means: "success" },
  { when: { s: "NO" }, means: "declined" },
];

function described(confirm: object, more: object = {}) {
  return {
    version: 2,
    name: "acme",
    base_url: "https://a.example",
    operations: {
      "recharge.pay": {
        request: { url: "/pay", query: { r: "{reference}" } },
        read: { confirm },
        outcome: RULES,
        status: { request: { url: "/status", query: { r: "{reference}" } }, outcome: RULES },
      },
    },
    ...more,
  };
}

function outcomeOf(confirm: object, answer: object, sample: object = { amount: requireMoney("199") }): string {
  const body = Buffer.from(JSON.stringify(answer));
  const done = dryRun({ description: described(confirm), secrets: {}, now: 0, sample, answer: { body, httpStatus: 200, to: "request" } });
  if (done.kind !== "done") throw new Error(JSON.stringify(done.faults));
  return `${done.reading?.outcome}: ${done.reading?.because}`;
}

test.each([199, "199", "199.00", "Rs. 199.0000", 199.0])("an amount is compared as a number: %j is the order's", (a) => {
  expect(outcomeOf({ a: "{amount}" }, { s: "OK", a })).toMatch("succeeded");
});

test.each([
  [{ a: "{amount}" }, { a: 299 }, 'a is "299" instead of "199.00"'],
  [{ a: "{amount|paise}" }, { a: 199 }, 'a is "199" instead of "19900"'],
  [{ a: "{amount}" }, {}, 'a is missing, which must be "199.00"'],
  [{ a: "{amount}" }, { a: "" }, "a is missing"],
  [{ a: "{amount}" }, { a: { of: 199 } }, "a is missing"],
  [{ a: "{amount}" }, { a: "many" }, 'a is "many"'],
  [{ n: "{target}" }, { n: "9876543001" }, 'n is "9876543001" instead of "9876543000"'],
  [{ a: { value: "{amount}", optional: true } }, { a: 1 }, 'a is "1"'],
  [{ n: { value: "{target|last:4}", match: "(?<value>[0-9]{4})$" } }, { n: "XXXXXX3001" }, 'n is "3001" instead of "3000"'],
] as const)("a success with %j and %j stays unknown", (confirm, more, why) => {
  const outcome = outcomeOf(confirm, { s: "OK", ...more });
  expect(outcome).toMatch("unknown: the answer is declared a success, but");
  expect(outcome).toMatch(why);
});

test("part of a number, an optional field and a decline need no whole match", () => {
  expect(outcomeOf({ n: { value: "{target|last:4}", match: "(?<value>[0-9]{4})$" } }, { s: "OK", n: "XXXXXX3000" })).toMatch("succeeded");
  expect(outcomeOf({ a: { value: "{amount}", optional: true } }, { s: "OK" })).toMatch("succeeded");
  expect(outcomeOf({ a: "{amount}" }, { s: "NO", a: 0 })).toMatch("declined");
});

test("values that staff do not see elsewhere are not repeated", () => {
  expect(outcomeOf({ n: "{details.customer_ip}" }, { s: "OK", n: "198.51.100.7" })).toMatch("n differs from {details.customer_ip}");
});

test("a comparison must name a value of the order, and only one that exists", () => {
  const faults = (confirm: object) => {
    const read = readDescription(described(confirm));
    return read.ok ? [] : read.faults.map(({ path, message }) => `${path}: ${message}`);
  };
  const place = "operations.recharge.pay.read.confirm";
  expect(faults({ a: "199" })).toEqual([`${place}.a: Name the order's value that it must be, such as {amount}.`]);
  expect(faults({ a: "{amuont}" }).join()).toMatch(`${place}.a: There is no placeholder {amuont} here.`);
  expect(faults({ a: { value: "{amount}", match: "[0-9]" } }).join()).toMatch(`${place}.a.match: Must have a group named value`);
  const balance = { request: { url: "/balance" }, read: { confirm: { a: "{amount}" } }, value: { balance: "b" } };
  const query = readDescription({ ...described({}), operations: { balance } });
  expect(query.ok ? [] : query.faults.map(({ path }) => path)).toEqual(["operations.balance.read.confirm"]);
  const callback = { auth: { kind: "addresses" }, addresses: ["203.0.113.9"], reference: "r", outcome: RULES };
  const withCallback = readDescription(described({}, { callbacks: [{ ...callback, read: { confirm: { a: "{details.account}" } } }] }));
  expect(withCallback.ok ? [] : withCallback.faults.map(({ path }) => path)).toEqual(["callbacks[0].read.confirm.a"]);
});

test("a callback is compared with its order once that is found; one without the field differs too", () => {
  const callback = { auth: { kind: "key", header: "x-key", secret: "token" }, reference: "ref", outcome: RULES };
  const confirm = { amount: "{amount|paise}", number: "{target}" };
  const definition = defined({ ...JSON_SPOKEN.describe("https://a.example"), callbacks: [{ ...callback, read: { confirm } }] });
  const parts = { definition, secrets: { token: "t" }, clock: { now: () => 0 }, clean: (text: string) => text };
  const differs = (more: object) => {
    const message = { method: "POST", path: "", source: "", query: {}, headers: { "x-key": "t" } };
    const report = readCallback(parts, { ...message, body: JSON.stringify({ ref: "R1", s: "OK", ...more }) });
    if ("refused" in report) throw new Error(report.refused);
    return report.differs?.(SAMPLE_REQUEST);
  };
  expect(differs({ amount: 19900, number: "9876543000" })).toBeNull();
  expect(differs({ amount: 19800, number: "9876543000" })).toBe('amount is "19800" instead of "19900"');
  expect(differs({ amount: 19900 })).toBe('number is missing, which must be "9876543000"');
  expect(differs({ s: "NO" })).toBeUndefined();
});
