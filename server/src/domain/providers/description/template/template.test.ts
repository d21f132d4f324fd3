import fc from "fast-check";
import { expect, test } from "vitest";
import { requireMoney } from "../../../../platform/core/money.ts";
import { parseXml } from "../../../../platform/core/xml.ts";
import { formatDate, parseDate, parseIso, patternFault } from "./dates.ts";
import { ESCAPES } from "./escape.ts";
import { placeholdersIn } from "./parse.ts";
import { render, renderJson, renderParameters, renderPieces, type Scope } from "./render.ts";
import type { Value } from "./value.ts";

function scope(values: Readonly<Record<string, Value>>): Scope {
  return { style: { amount: "two_places", zone: "Asia/Kolkata" }, get: (name) => (Object.hasOwn(values, name) ? values[name] : undefined) };
}

const anyText = fc.string({ unit: "grapheme", maxLength: 40 });

test("whatever a value is, it stays one value: in a query, a form, JSON and XML", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const given = scope({ v: text });
      const [pair] = renderParameters({ a: "{v}" }, given, ESCAPES.url);
      expect([...new URL(`http://x/?${pair?.join("=")}&b=1`).searchParams]).toEqual([
        ["a", text.toWellFormed()],
        ["b", "1"],
      ]);
      const [field] = renderParameters({ a: "{v}" }, given, ESCAPES.form);
      expect([...new URLSearchParams(`${field?.join("=")}&b=1`)]).toEqual([
        ["a", text.toWellFormed()],
        ["b", "1"],
      ]);
      expect(JSON.parse(renderJson({ a: "x{v}", b: 1 }, given))).toEqual({ a: `x${text}`, b: 1 });
      const root = parseXml(renderPieces("<a><b>{v}</b><c/></a>", given, ESCAPES.xml));
      expect(root?.children.map(({ name }) => name)).toEqual(["b", "c"]);
    }),
  );
});

test("amounts are exact or not sent", () => {
  const given = scope({ amount: requireMoney("100.5") });
  const written = ["{amount}", "{amount|paise}", "{amount|shortest}", "{amount|four_places}"].map((text) => render(text, given));
  expect(written).toEqual(["100.50", "10050", "100.5", "100.5000"]);
  expect(() => render("{amount|whole}", given)).toThrow("whole rupees only");
  expect(renderJson({ a: "{amount|paise|number}", b: "{amount|paise}" }, given)).toBe('{"a":10050,"b":"10050"}');
});

test("what is optional and has no value is left out, and what is needed stops the request", () => {
  const given = scope({ a: "1" });
  expect(renderJson({ a: "{a}", b: "{b?}", c: ["{a}", "{b?}"] }, given)).toBe('{"a":"1","c":["1"]}');
  expect(renderParameters({ a: "{a}", b: "{b?}" }, given, ESCAPES.url)).toEqual([["a", "1"]]);
  expect(() => render("{b}", given)).toThrow("no value for {b}");
});

test("lists of parameters become lists, members and repeated text", () => {
  const given = scope({
    params: { kind: "many", items: { "Account Number": "12", Cycle: "3" } },
    seats: { kind: "many", items: ["1A", "1B"] },
  });
  const list = { $each: "params", $item: { name: "{item.name}", value: "{item.value}" } };
  expect(renderJson(list, given)).toBe('[{"name":"Account Number","value":"12"},{"name":"Cycle","value":"3"}]');
  expect(renderJson({ op: "x", $each: "params", $name: "{item.name}", $value: "{item.value}" }, given)).toBe(
    '{"op":"x","Account Number":"12","Cycle":"3"}',
  );
  expect(renderParameters({ p: { each: "params", name: "param{item.number}", value: "{item.value}" } }, given, ESCAPES.url)).toEqual([
    ["param1", "12"],
    ["param2", "3"],
  ]);
  expect(renderPieces(["<s>", { each: "seats", item: "<i>{item.value}</i>", join: "" }, "</s>"], given, ESCAPES.xml)).toBe(
    "<s><i>1A</i><i>1B</i></s>",
  );
  expect(render("{seats|join:,}", given)).toBe("1A,1B");
});

test("a JSON body that is filled for one order is filled again for the next", () => {
  const body = { ref: "{ref}", note: "{note?}", more: [{ amount: "{amount|number}" }, "{note?}"], fixed: [1, null, true], $ignored: "x" };
  const [first, second] = [scope({ ref: "A", note: 'say "x"', amount: "10" }), scope({ ref: "B", amount: "20.50" })];
  const texts = [first, second, first].map((one) => renderJson(body, one));
  const [withNote, withoutNote] = [
    '{"ref":"A","note":"say \\"x\\"","more":[{"amount":10},"say \\"x\\""],"fixed":[1,null,true]}',
    '{"ref":"B","more":[{"amount":20.50}],"fixed":[1,null,true]}',
  ];
  expect(texts).toEqual([withNote, withoutNote, withNote]);
});

test("filters are applied in order", () => {
  const given = scope({ t: "98765-43210", at: { kind: "time", at: Date.UTC(2026, 0, 31, 20, 5, 9), text: "0" } });
  expect(render("{t|digits|last:4}/{t|first:2|pad:4}", given)).toBe("3210/0098");
  expect(render("{t|before:-} {t|after:-|first:2}", given)).toBe("98765 43");
  expect(() => render("{t|after:/}", given)).toThrow("has no /");
  expect(render("{at|date:dd/MM/yyyy HH:mm:ss} {at|iso} {at|seconds}", given)).toBe(
    "01/02/2026 01:35:09 2026-02-01T01:35:09+05:30 1769889909",
  );
});

test("every time that a pattern writes, it reads again", () => {
  const patterns = [
    "dd/MM/yyyy HH:mm:ss",
    "yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
    "EEE MMM dd HH:mm:ss 'IST' yyyy",
    "d-M-yyyy hh:mm:ss a",
    "yyMMddHHmmss",
  ];
  const times = fc.integer({ min: Date.UTC(2001), max: Date.UTC(2090) }).map((at) => Math.floor(at / 1000) * 1000);
  fc.assert(
    fc.property(times, fc.constantFrom(...patterns), fc.constantFrom("Asia/Kolkata" as const, "UTC" as const), (at, pattern, zone) => {
      expect(parseDate(formatDate(at, pattern, zone), pattern, zone)).toBe(at);
    }),
  );
  expect([parseDate("30/02/2026", "dd/MM/yyyy", "UTC"), parseIso("2026-01-01T10:00:00", "Asia/Kolkata")]).toEqual([
    null,
    Date.UTC(2026, 0, 1, 4, 30),
  ]);
  expect([patternFault("dd/mmm"), patternFault("yyyy-MM-dd'T'HH:mm")]).toEqual(["mmm", null]);
});

test("only what has the form of a placeholder is one", () => {
  expect(placeholdersIn('{"a": {b}, {c|x:1, 2} {D} {e.f-g?} }').map(({ name }) => name)).toEqual(["b", "c", "e.f-g"]);
});
