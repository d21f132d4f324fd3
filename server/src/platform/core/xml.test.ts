import fc from "fast-check";
import { expect, test } from "vitest";
import { cpuMilliseconds } from "../../testing/cpu-time.ts";
import { parseXml } from "./xml.ts";

test("text before and after an element, CDATA and character references make one text", () => {
  expect(parseXml("\n<r>a<b/><![CDATA[<&]]>&#65;&#x1F600;&lt;c</r>\n")).toMatchObject({
    name: "r",
    text: "a<&A😀<c",
    children: [{ name: "b", children: [], text: "" }],
  });
});

test("a declaration may have an empty line or a byte order mark before it", () => {
  for (const before of ["", "\n", "\r\n  ", "\ufeff"]) expect(parseXml(`${before}<?xml version="1.0"?><r/>`)).not.toBeNull();
});

const BILLION = `<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]><r>&c;</r>`;

test.each([
  "",
  "text",
  "<r>",
  "<r></s>",
  "</r>",
  "<r/><r/>",
  "<r/>text",
  "text<r/>",
  "<r a=1/>",
  "<r a='1' a='2'/>",
  "<r a='<'/>",
  "<1/>",
  "<r>&nbsp;</r>",
  "<r>&constructor;</r>",
  "<r>&__proto__;</r>",
  "<r>&amp</r>",
  "<r>a & b</r>",
  "<r>&#0;</r>",
  "<r>&#xD800;</r>",
  "<r>&#x110000;</r>",
  "<r>\u0000</r>",
  "<!DOCTYPE r><r/>",
  "<!DOCTYPE r [<!ENTITY e 'x'>]><r>&e;</r>",
  "<!DOCTYPE r [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><r>&e;</r>",
  "<!DOCTYPE r [<!ENTITY % p SYSTEM 'http://127.0.0.1/'> %p;]><r/>",
  "<!DOCTYPE r SYSTEM 'file:///etc/passwd'><r/>",
  BILLION,
  "<r><!DOCTYPE r></r>",
  "<r><![CDATA[x</r>",
  "<![CDATA[x]]><r/>",
  "<r><!-- x</r>",
  `${"<a>".repeat(40)}${"</a>".repeat(40)}`,
])("%j is refused", (text) => {
  expect(parseXml(text)).toBeNull();
});

test("elements may be nested 32 levels deep, and no deeper", () => {
  const nested = (depth: number) => parseXml("<a>".repeat(depth) + "</a>".repeat(depth));
  expect(nested(32)).not.toBeNull();
  expect(nested(33)).toBeNull();
});

test("whatever comes in, reading it does not throw", () => {
  const parts = [
    "<",
    ">",
    "/",
    "&",
    ";",
    "a",
    "'",
    '"',
    "=",
    " ",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    "<?",
    "?>",
    "<!DOCTYPE",
    "[",
    "#x",
    "\0",
  ];
  fc.assert(fc.property(fc.string({ unit: fc.constantFrom(...parts), maxLength: 200 }), (text) => void parseXml(text)));
});

const LENGTH = 256 * 1024;
const distinct = Array.from({ length: LENGTH / 10 }, (_, place) => ` a${place}=""`).join("");

test.each([
  ...["<", "&", '<a b="', "<a ", "&a", "<a>", "'", "<!", "<!--", "<![CDATA[", "<?", "]", "&#", "<a/>"].map((part) => [part, "", ""]),
  ...["&amp;", "&#65;", "<a/>", "<a></a>", "]", "<![CDATA[]]>", "<!---->", "<?a?>", "x"].map((part) => [part, "<r>", "</r>"]),
  ...["[", "'", "<!ENTITY a 'b'>", "%a;"].map((part) => [part, "<!DOCTYPE r [", "]><r/>"]),
  [distinct, "<r", "/>"],
  [" ", "<r ", "/>"],
  ["a", "<r ", "=''/>"],
  ["0", "<r>&#", "1;</r>"],
])("256 KiB of %.20j are read in a moment", (part, before, after) => {
  const text = before + part.repeat(Math.max(1, LENGTH / part.length)) + after;
  expect(cpuMilliseconds(() => parseXml(text))).toBeLessThan(2_000);
});
