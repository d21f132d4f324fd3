import { expect, test } from "vitest";
import { parseXml } from "../../../platform/core/xml.ts";
import { xmlText } from "./read-xml.ts";

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
  expect(read("<r><s><t>SUCCESS</t></s><s/></r>", "r/s/t")).toBeNull();
});

test("a path has the prefixes that the answer has, whatever namespaces they stand for", () => {
  const text = `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><status xmlns="urn:x">1</status></s:Body></s:Envelope>`;
  expect(read(text, "s:Envelope/s:Body/status")).toBe("1");
  expect(read(text, "Envelope/Body/status")).toBeNull();
  expect(read("<u:r><u:s>1</u:s></u:r>", "u:r/u:s")).toBe("1");
});

test.each(["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"])("%s is a name like any other", (name) => {
  const text = `<r ${name}="attribute"><${name}>element</${name}></r>`;
  expect(read(text, `r/${name}`)).toBe("element");
  expect(read(text, `r/@${name}`)).toBe("attribute");
  expect(read("<r><a/></r>", `r/${name}`)).toBeNull();
  expect(read("<r/>", `r/@${name}`)).toBeNull();
  expect(({} as Record<string, unknown>)["attribute"]).toBeUndefined();
});
