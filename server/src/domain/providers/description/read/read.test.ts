import { QUERIES } from "@corprail/connector";
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import type { JsonValue } from "../../../../platform/core/strict-json.ts";
import { cpuMilliseconds } from "../../../../testing/cpu-time.ts";
import { defined, JSON_SPOKEN } from "../../testing/definitions.ts";
import { firstRule, lookupIn } from "./conditions.ts";
import { decimalText, type Shape } from "./convert.ts";
import { readDocument } from "./document.ts";
import { itemsAt, type Place, scalarText, valueAt } from "./path.ts";
import { readMembers, readValue } from "./read-value.ts";

const definition = defined(JSON_SPOKEN.describe("https://a.example"));
const scope = {
  style: { amount: "two_places", zone: "Asia/Kolkata" } as const,
  get: (name: string) => ({ reference: "R1", date: "2026-01-31" })[name],
};
const context = { definition, scope, ignoreCase: false };
const placeOf = (tree: JsonValue): Place => ({ root: tree, here: tree, http: 200 });
const read = (format: object, text: string) => readDocument({ ...format }, { body: Buffer.from(text, "latin1"), endMarked: true });
const at = (tree: JsonValue, path: string) => scalarText(valueAt(placeOf(tree), path, scope));

test.each([
  ["a form", "form", "a&".repeat(100_000), "a"],
  ["lines of pairs", "pairs", "a=\n".repeat(100_000), "a"],
  ["XML", "xml", `<r>${"<a/>".repeat(100_000)}</r>`, "r.a"],
])("a name that occurs a hundred thousand times in %s is read in linear time", (_, format, text, path) => {
  const milliseconds = cpuMilliseconds(() => {
    const document = read({ format }, text);
    if (!document.ok) throw new Error(document.why);
    expect(itemsAt(placeOf(document.tree), path, scope)).toHaveLength(100_000);
  });
  expect(milliseconds).toBeLessThan(5_000);
});

test.each([
  ["text", "OK,a\0b"],
  ["pairs", "status=OK\0"],
  ["form", "status=OK&name=a%00b"],
])("an answer as %s with a NUL character, which could not be stored, is not understood", (format, text) => {
  expect(read({ format }, text)).toEqual({ ok: false, why: "the answer contains a NUL character" });
});

test("paths lead through objects, lists and lists of one that became an object", () => {
  const tree = {
    data: {
      items: [
        { id: 1, ref: "R0" },
        { id: 2, ref: "R1" },
      ],
      one: { id: 3 },
    },
    "a.b": "dot",
    e: null,
  };
  expect(
    ["data.items.1.id", "data.one.0.id", "data.items[ref={reference}].id", "missing|data.one.id", "/a.b", "e|$.data.one.id", "$http"].map(
      (path) => at(tree, path),
    ),
  ).toEqual(["2", "3", "2", "3", "dot", "3", "200"]);
  const accounts = [
    { account: "1", ifsc: "SBIN0000001", id: 7 },
    { account: "1", ifsc: "HDFC0000001", id: 8 },
  ];
  const byBoth = ["accounts[account=1&ifsc=HDFC0000001].id", "accounts[account=2&ifsc=HDFC0000001].id", "accounts[ifsc=A&B].id"];
  expect(byBoth.map((path) => at({ accounts }, path))).toEqual(["8", null, null]);
  expect(itemsAt(placeOf({ info: { TOPUP: [{ rs: 1 }], COMBO: { rs: 2 } } }), "info.*", scope)).toEqual([
    { item: { rs: 1 }, key: "TOPUP" },
    { item: { rs: 2 }, key: "COMBO" },
  ]);
});

test("XML, forms, pairs and separated text are trees as well", () => {
  const soap =
    '<?xml version="1.0"?><s:Envelope xmlns:s="x"><s:Body><r code="7"><t>OK</t><t>NO</t></r><u a="1">text</u></s:Body></s:Envelope>';
  const xml = read({ format: "xml" }, soap);
  if (!xml.ok) throw new Error(xml.why);
  expect(["Envelope.Body.r.t.1", "Envelope.Body.r.@code", "Envelope.Body.u"].map((path) => at(xml.tree, path))).toEqual([
    "NO",
    "7",
    "text",
  ]);
  expect(read({ format: "pairs" }, "ERROR=0\r\nRESULT=7\r\n")).toEqual({ ok: true, tree: { ERROR: "0", RESULT: "7" } });
  expect(read({ format: "form" }, "a=1&a=2&b=x+y")).toEqual({ ok: true, tree: { a: ["1", "2"], b: "x y" } });
  expect(read({ format: "text", separator: "," }, "FAILED, 21")).toMatchObject({ tree: { "0": "FAILED", "1": "21", $count: "2" } });
  expect(read({ format: "text", encoding: "windows-1252" }, "caf\xe9 \x80")).toMatchObject({ tree: { $text: "café €" } });
  expect(readDocument({ format: "text" }, { body: Buffer.from("OK"), endMarked: false })).toMatchObject({ ok: false });
});

test("long numbers keep their digits, and contradictions are not read", () => {
  const long = read({}, '{"id": 2000000150500114514}');
  expect(long).toEqual({ ok: true, tree: { id: "2000000150500114514" } });
  expect(read({}, '{"a":1,"a":2}')).toMatchObject({ ok: false });
});

test("any bytes in any format are a tree or a reason, never an exception", () => {
  const formats = ["json", "xml", "form", "pairs", "text"] as const;
  fc.assert(
    fc.property(fc.constantFrom(...formats), fc.uint8Array({ maxLength: 200 }), fc.string(), (format, bytes, text) => {
      for (const body of [Buffer.from(bytes), Buffer.from(text)])
        expect(typeof readDocument({ format, pattern: "^(?<a>.)" }, { body, endMarked: true }).ok).toBe("boolean");
    }),
  );
});

test("amounts are read exactly: rupees, paise and scientific notation", () => {
  expect(["7919.0", "2.20834002375E9", "1,234.50", "Rs 10", "0.00001", "-5", "1e99"].map((text) => decimalText(text))).toEqual([
    "7919",
    "2208340023.75",
    "1234.5",
    "10",
    null,
    null,
    null,
  ]);
  expect([decimalText("795200", -2), decimalText("5", -2)]).toEqual(["7952", "0.05"]);
  const paise = fc.bigInt({ min: 0n, max: 10n ** 13n });
  fc.assert(fc.property(paise, (count) => BigInt(Math.round(Number(decimalText(String(count), -2)) * 100)) === count));
});

test("values become what the operation needs: texts as numbers and booleans, times, maps and split texts", () => {
  const tree = {
    s: "true",
    n: "12",
    t: "31/01/2026 10:00:00",
    m: "1500",
    c: "Prepaid",
    p: "0:12:100;12:24:50;24:-1:10;",
    u: "/x?after=AB1&z",
  };
  const place = placeOf(tree);
  const value = (reader: Parameters<typeof readValue>[0], shape: object) => {
    const found = readValue(reader, place, shape, context);
    return found.ok ? found.value : found.why;
  };
  expect([value("s", { type: "boolean" }), value("n", { type: "integer" })]).toEqual([true, 12]);
  expect(value({ path: "t", time: "dd/MM/yyyy HH:mm:ss" }, { type: "integer" })).toBe(Date.UTC(2026, 0, 31, 4, 30));
  expect(value({ path: "m", minutes_after: "{date}" }, { type: "integer" })).toBe(Date.UTC(2026, 0, 31, 19, 30));
  expect([value({ path: "c", map: { Prepaid: "M", "*": "X" } }, {}), value({ path: "s", map: { no: 1 } }, {})]).toEqual([
    "M",
    'has "true", which is not in its map',
  ]);
  expect(value({ path: "u", match: "after=(?<value>[^&]+)" }, {})).toBe("AB1");
  const steps = { list: "p", split: ";", parts: ":", item: { hours: "0", percent: "2" }, reversed: true };
  expect(value(steps, { items: { properties: { hours: { type: "number" }, percent: { type: "number" } } } })).toEqual([
    { hours: 24, percent: 10 },
    { hours: 12, percent: 50 },
    { hours: 0, percent: 100 },
  ]);
});

test("several values become one text, unless one of them is missing", () => {
  const joined = (tree: JsonValue) => readValue({ paths: ["id", "category"], join: "-" }, placeOf(tree), { type: "string" }, context);
  expect(joined({ id: 53, category: "8" })).toEqual({ ok: true, value: "53-8" });
  expect(joined({ id: 53, category: "" })).toEqual({ ok: true, value: undefined });
});

test("what cannot be read is named by its place", () => {
  const place = placeOf({ list: [{ a: "1" }, { a: "x" }] });
  const found = readMembers(
    { rows: { list: "list", item: { a: "a" } } },
    place,
    { properties: { rows: { items: { properties: { a: { type: "integer" } } } } } },
    context,
  );
  expect(found).toEqual({ ok: false, at: "rows[1].a", why: 'is not a number: "x"' });
});

test("a value may depend on several fields; the first choice that holds counts", () => {
  const reader = {
    choices: [
      { when: { ladies: "true" }, value: "female" },
      { when: { males: "true" }, value: "male" },
    ],
    default: "any",
  };
  const choose = (tree: JsonValue) => readValue(reader, placeOf(tree), {}, context);
  expect([{ ladies: "true", males: "true" }, { ladies: "false", males: "true" }, {}].map(choose)).toEqual(
    ["female", "male", "any"].map((value) => ({ ok: true, value })),
  );
  expect(readValue({ choices: reader.choices }, placeOf({}), {}, context)).toEqual({ ok: true, value: undefined });
});

test("amounts of a list are added, less those of another; without amounts there is no sum", () => {
  const amount = z.toJSONSchema(QUERIES["bus.cancel_quote"].value).properties?.["refund"] as Shape;
  const list = (path: string) => ({ list: path, value: "value" });
  const sum = (tree: JsonValue) => readValue({ sum: list("fares.entry"), less: list("kept.entry") }, placeOf(tree), amount, context);
  const entry = (...values: readonly string[]) => ({ entry: values.map((value) => ({ value })) });
  expect(sum({ fares: entry("262.50", "0.10"), kept: { entry: { value: "25.00" } } })).toEqual({ ok: true, value: "237.6000" });
  expect(sum({ fares: entry("10"), kept: entry("10") })).toEqual({ ok: true, value: "0.0000" });
  for (const tree of [{}, { fares: entry("10") }, { kept: entry("10") }]) expect(sum(tree)).toEqual({ ok: true, value: undefined });
  expect(sum({ fares: entry("10"), kept: entry("10.01") })).toMatchObject({ ok: false });
  expect(sum({ fares: entry("ten"), kept: entry("1") })).toMatchObject({ ok: false });
});

test("a text that takes too long to match is not an absent one, and no later rule is taken instead", () => {
  const place = placeOf({ words: `${"a".repeat(20_000)}b` });
  const reader = { path: "words", match: "^(?<value>a+)", default: "none" };
  expect(readValue(reader, place, {}, context)).toMatchObject({ ok: false });
  const rules = [
    { when: { words: { matches: "^a+b$" } }, means: "success" },
    { when: { words: { is: "present" as const } }, means: "declined" },
  ];
  expect(firstRule(rules, lookupIn(place, scope), false)).toBeNull();
  expect(firstRule(rules, lookupIn(placeOf({ words: "c" }), scope), false)).toMatchObject({ means: "declined" });
});
