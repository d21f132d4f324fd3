import fc from "fast-check";
import { expect, test } from "vitest";
import { parseXml } from "../../../platform/core/xml.ts";
import type { ProviderRequest } from "../connector.ts";
import { defined, JSON_SPOKEN, TEXT_SPOKEN, XML_SPOKEN } from "../testing/definitions.ts";
import { providerRequest } from "../testing/requests.ts";
import { type BuiltCall, buildCall, type TextCall } from "./build-call.ts";
import type { Definition } from "./definition.ts";
import { xmlText } from "./read-xml.ts";

const NOW = 1_750_000_000_500;
const ORIGIN = "https://pay.example:8443";

function build(definition: Definition, request: ProviderRequest, secrets = { token: "t" }): BuiltCall {
  return buildCall(definition, definition.request, request, secrets, NOW);
}

function built(definition: Definition, request: ProviderRequest, secrets = { token: "t" }): TextCall {
  const result = build(definition, request, secrets);
  if (!result.ok) throw new Error(result.why);
  return result.call;
}

// Everything that a target may contain (contract, section 1) and more.
const anyText = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 });

test("in a URL any value comes out as it went in, and touches nothing beside it", () => {
  const definition = defined(TEXT_SPOKEN.describe(ORIGIN));
  fc.assert(
    fc.property(anyText, anyText, (target, token) => {
      const call = built(definition, providerRequest({ reference: "R1", target }), { token });
      expect(call.origin).toBe(ORIGIN);
      expect(call.path).toMatch(/^\/pay\?[\x21-\x7e]*$/);
      const query = [...new URL(call.origin + call.path).searchParams];
      expect(query).toEqual([
        ["key", token.toWellFormed()],
        ["ref", "R1"],
        ["to", target.toWellFormed()],
        ["amount", "199.00"],
      ]);
    }),
  );
});

test("in a JSON body any value comes out as it went in", () => {
  const definition = defined(JSON_SPOKEN.describe(ORIGIN));
  fc.assert(
    fc.property(anyText, (target) => {
      const call = built(definition, providerRequest({ reference: "R1", target }));
      expect(JSON.parse(call.body ?? "")).toEqual({ ref: "R1", number: target, paise: 19_900 });
    }),
  );
});

test("in an XML body any value comes out as it went in", () => {
  const definition = defined(XML_SPOKEN.describe(ORIGIN));
  const printable = fc.stringMatching(/^[\x21-\x7e]{1,30}$/);
  fc.assert(
    fc.property(printable, (target) => {
      const root = parseXml(built(definition, providerRequest({ target })).body ?? "");
      expect(root && xmlText(root, "pay/number")).toBe(target);
    }),
  );
});

test("in a form any value comes out as it went in", () => {
  const base = JSON_SPOKEN.describe(ORIGIN) as { request: object };
  const definition = defined({ ...base, request: { ...base.request, body: { form: { "ref no": "{reference}", to: "+{target}&" } } } });
  fc.assert(
    fc.property(anyText, (target) => {
      const call = built(definition, providerRequest({ reference: "R1", target }));
      expect([...new URLSearchParams(call.body ?? "")]).toEqual([
        ["ref no", "R1"],
        ["to", `+${target.toWellFormed()}&`],
      ]);
      expect(call.headers["content-type"]).toBe("application/x-www-form-urlencoded");
    }),
  );
});

test("braces that are no placeholder are sent as they are in a raw body", () => {
  const base = JSON_SPOKEN.describe(ORIGIN) as { request: object };
  const body = { raw: '{"a":{"ref":"{reference}"},"t":{timestamp}}', escape: "json", content_type: "application/json" };
  const call = built(defined({ ...base, request: { ...base.request, body } }), providerRequest({ reference: "R1" }));
  expect(JSON.parse(call.body ?? "")).toEqual({ a: { ref: "R1" }, t: 1_750_000_000 });
});

test.each([
  ["two_places", "199.5", "199.50"],
  ["four_places", "199.5", "199.5000"],
  ["shortest", "199.5", "199.5"],
  ["shortest", "200", "200"],
  ["whole", "200", "200"],
  ["paise", "199.5", "19950"],
  ["two_places", "0.01", "0.01"],
])("an amount as %s writes %s as %s", (amount, sent, written) => {
  const definition = defined({ ...TEXT_SPOKEN.describe(ORIGIN), amount });
  expect(new URL(ORIGIN + built(definition, providerRequest({ amount: sent })).path).searchParams.get("amount")).toBe(written);
});

test.each([
  ["two_places", "10.005"],
  ["whole", "10.5"],
  ["paise", "10.0001"],
])("an amount that %s cannot hold is not sent, and never rounded: %s", (amount, sent) => {
  const definition = defined({ ...TEXT_SPOKEN.describe(ORIGIN), amount });
  expect(build(definition, providerRequest({ amount: sent }))).toMatchObject({
    ok: false,
    why: expect.stringMatching(/^this provider accepts .* only$/),
  });
});

test("operators go out in the provider's codes, and one without a code is not sent", () => {
  const base = TEXT_SPOKEN.describe(ORIGIN) as { request: { url: string } };
  const url = `${base.request.url}&op={operator}&circle={circle}`;
  const definition = defined({ ...base, request: { ...base.request, url }, operators: { AT: "1 A" }, circles: { DL: "5" } });
  expect(built(definition, providerRequest({ operator: "AT" })).path).toMatch(/op=1%20A&circle=$/);
  expect(built(definition, providerRequest({ operator: "AT", circle: "DL" })).path).toMatch(/circle=5$/);
  expect(build(definition, providerRequest({ operator: "constructor" }))).toMatchObject({ ok: false });
});

test("with a map of circles an order of another circle is not sent, even if no placeholder sends the circle", () => {
  const definition = defined({ ...(TEXT_SPOKEN.describe(ORIGIN) as object), circles: { DL: "5" } });
  expect(built(definition, providerRequest({ circle: "DL" })).path).not.toContain("circle");
  expect(build(definition, providerRequest({ circle: "TN" }))).toMatchObject({ ok: false, failure: "circle_not_served" });
});

test("a header cannot be broken out of", () => {
  const base = JSON_SPOKEN.describe(ORIGIN);
  expect(build(defined(base), providerRequest(), { token: "a\r\nx-evil: 1" })).toMatchObject({ ok: false });
});
