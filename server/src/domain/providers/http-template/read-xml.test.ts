import fc from "fast-check";
import { expect, test } from "vitest";
import { parseXml, xmlText } from "./read-xml.ts";

function read(text: string, path: string): string | null {
  const root = parseXml(text);
  return root && xmlText(root, path);
}

test("elements, attributes, comments, CDATA and the five entities are read", () => {
  const text = `\ufeff<?xml version="1.0" encoding="UTF-8"?>
    <!-- a > comment --><r:reply code='0' note="a>b"><a><b> x &amp; &#x20B9;&#49; </b></a><c/><d><![CDATA[<raw & ]]></d></r:reply>\n`;
  expect(read(text, "/r:reply/a/b")).toBe("x & ₹1");
  expect(read(text, "r:reply/@code")).toBe("0");
  expect(read(text, "r:reply/@note")).toBe("a>b");
  expect(read(text, "r:reply/c")).toBe("");
  expect(read(text, "r:reply/d")).toBe("<raw &");
  expect(read(text, "r:reply/a")).toBeNull();
  expect(read(text, "other/a/b")).toBeNull();
});

test("an element that is there twice is not read: which one is meant?", () => {
  expect(read("<r><s>SUCCESS</s><s>FAILED</s></r>", "r/s")).toBeNull();
});

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
  "<r>&amp</r>",
  "<r>a & b</r>",
  "<r>&#0;</r>",
  "<r>&#xD800;</r>",
  "<!DOCTYPE r [<!ENTITY e 'x'>]><r>&e;</r>",
  "<!DOCTYPE r SYSTEM 'file:///etc/passwd'><r/>",
  "<r><![CDATA[x</r>",
  "<![CDATA[x]]><r/>",
  "<r><!-- x</r>",
  `${"<a>".repeat(40)}${"</a>".repeat(40)}`,
])("%j is refused", (text) => {
  expect(parseXml(text)).toBeNull();
});

test("whatever comes in, reading it neither throws nor takes long", () => {
  const pieces = fc.constantFrom(
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
    "#x",
    "\u0000",
  );
  fc.assert(fc.property(fc.string({ unit: pieces, maxLength: 200 }), (text) => void parseXml(text)));
  const startedAt = performance.now();
  for (const piece of ["<", "&", '<a b="', "<a ", "&a", "<a>", "'"]) parseXml(piece.repeat(65_536 / piece.length));
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});
