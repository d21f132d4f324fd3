import { expect, test } from "vitest";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { JSON_SPOKEN } from "../testing/definitions.ts";
import { braceFaults } from "./check-braces.ts";
import { readDefinition } from "./definition.ts";

type Call = Readonly<Record<string, unknown>>;

function faultsWith(change: Call): readonly { readonly path: string; readonly message: string }[] {
  const described = JSON_SPOKEN.describe("https://provider.example") as JsonObject;
  const { body: _, ...request } = described["request"] as Call;
  const read = readDefinition({
    ...described,
    request: { ...request, url: "https://provider.example/{reference}", method: "POST", ...change },
  });
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  return braceFaults(read.definition);
}

const raw = (text: string) => ({ body: { raw: text, escape: "none", content_type: "text/plain" } });

test.each([
  "{AMOUNT}",
  "{Amount}",
  "{amount:paise}",
  "{ amount }",
  "{{amount}}",
  ["$", "{amount}"].join(""),
  "{amount",
  "amount}",
  "{}x}",
  "{amount-paise}",
  "{something else}",
  "{0}",
  "%AMOUNT%",
  "[amount]",
  "$amount",
  "<<Amount>>",
  "@amount@",
  "#amount#",
  "%(amount)s",
  "__AMOUNT__",
  "*amount*",
  "%7Bamount%7D",
  "%5BAMOUNT%5D",
  '{"amount":{AMOUNT}}',
  '{"amount":"{AMOUNT}"}',
  '{"{amount}x":"{Amount}"}',
  '{"list":["a",{"deep":"{amount:rupees}"}]}',
  '<a>{"x":"{Amount}"}</a>',
])("%j is no placeholder and is refused in a body, a form and a header, with its place", (text) => {
  expect(faultsWith(raw(text)).map((fault) => fault.path)).toEqual(["request.body.raw"]);
  expect(faultsWith({ body: { form: { x: text } } }).map((fault) => fault.path)).toEqual(["request.body.form.x"]);
  expect(faultsWith({ headers: { "X-A": text } }).map((fault) => fault.path)).toEqual(["request.headers.X-A"]);
  expect(faultsWith({ body: { json: { deep: [text] } } }).map((fault) => fault.path)).toEqual(["request.body.json.deep.0"]);
});

test.each([
  "{amount}",
  "a {amount} b {reference}",
  '{"amount":{amount_paise},"to":"{target}"}',
  '{"a":{},"b":[{"c":"{reference}"}]}',
  '<x>{"a":"{amount}"}</x>',
  '{"inner":"{\\"amount\\":\\"{amount}\\"}"}',
  "100% of [it]",
])("%j is sent as it is meant", (text) => {
  expect(faultsWith(raw(text))).toEqual([]);
  expect(faultsWith({ body: { form: { x: text } } })).toEqual([]);
});

test.each(["https://provider.example/{reference}?a={Amount}", "https://provider.example/{reference}?a=%7BAMOUNT%7D"])(
  "an address %s is refused",
  (url) => {
    expect(faultsWith({ url }).map((fault) => fault.path)).toEqual(["request.url"]);
  },
);

test("names and content types hold no placeholder, so braces there are refused", () => {
  expect(faultsWith({ body: { form: { "{amount}": "1" } } })).toHaveLength(1);
  expect(faultsWith({ body: { json: { a: { "{amount}": 1 } } } })).toHaveLength(1);
  expect(faultsWith({ body: { raw: "x", escape: "none", content_type: "text/{amount}" } })).toHaveLength(1);
});
