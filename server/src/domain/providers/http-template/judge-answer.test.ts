import fc from "fast-check";
import { expect, test } from "vitest";
import { cleaner } from "../masking/cleaner.ts";
import { defined, JSON_SPOKEN, TEXT_SPOKEN, XML_SPOKEN } from "../testing/definitions.ts";
import type { CallDefinition } from "./definition.ts";
import { judgeAnswer } from "./judge-answer.ts";

const ORIGIN = "https://pay.example";
const context = { reference: "R1", clean: cleaner({ token: "s3cret-token" }) };

function judge(call: CallDefinition, body: string | Buffer, status = 200, endMarked = true) {
  return judgeAnswer(call, { status, headers: {}, body: Buffer.from(body as string), endMarked }, context);
}

const calls = [JSON_SPOKEN, XML_SPOKEN, TEXT_SPOKEN].flatMap((spoken) => {
  const definition = defined(spoken.describe(ORIGIN));
  return [definition.request, definition.status];
});

test("no garbage, in any format and with any HTTP status, is definite", () => {
  const body = fc.oneof(
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    fc.json().map((text) => Buffer.from(text)),
    fc
      .string({ unit: fc.constantFrom("<", ">", "/", "SUCCESS", "status", "|", "{", "}", '"', ":", "R1", "reply", "&", "\\") })
      .map((text) => Buffer.from(text)),
  );
  fc.assert(
    fc.property(fc.constantFrom(...calls), body, fc.integer({ min: 200, max: 599 }), (call, bytes, status) => {
      const { finding } = judgeAnswer(call, { status, headers: {}, body: bytes, endMarked: true }, context);
      expect(finding.kind).toBe("unknown");
    }),
    { numRuns: 2000 },
  );
});

test("a good answer is definite only with the HTTP status that was declared", () => {
  const { request } = defined(JSON_SPOKEN.describe(ORIGIN));
  const body = JSON.stringify({ data: { status: "SUCCESS", ref: "R1", opid: "OP" } });
  fc.assert(
    fc.property(fc.integer({ min: 200, max: 599 }), (status) => {
      expect(judge(request, body, status).finding.kind).toBe(status === 200 ? "succeeded" : "unknown");
    }),
  );
});

test("a cut-off answer is never definite, wherever it is cut", () => {
  for (const spoken of [JSON_SPOKEN, XML_SPOKEN]) {
    const { request } = defined(spoken.describe(ORIGIN));
    const whole = {
      JSON: '{"data":{"status":"SUCCESS","ref":"R1","opid":"OP"}}',
      XML: '<reply opid="OP"><ref>R1</ref><status>SUCCESS</status></reply>',
    };
    const text = spoken === JSON_SPOKEN ? whole.JSON : whole.XML;
    expect(judge(request, text).finding.kind).toBe("succeeded");
    for (let length = 0; length < text.length; length++)
      expect(judge(request, text.slice(0, length), 200, false).finding.kind).toBe("unknown");
  }
});

test("a text whose end is not marked is not believed, unless the description says so", () => {
  const base = TEXT_SPOKEN.describe(ORIGIN) as { request: { read: object } };
  const { request } = defined(base);
  expect(judge(request, "SUCCESS|R1|OP|fine", 200, false).finding.kind).toBe("unknown");
  const lax = defined({ ...base, request: { ...base.request, read: { ...base.request.read, unmarked_end: true } } }).request;
  expect(judge(lax, "SUCCESS|R1|OP|fine", 200, false).finding.kind).toBe("succeeded");
});

test("good JSON with something after it is not definite", () => {
  const { request } = defined(JSON_SPOKEN.describe(ORIGIN));
  const good = '{"data":{"status":"SUCCESS","ref":"R1","opid":"OP"}}';
  expect(judge(request, `\ufeff${good}`).finding.kind).toBe("succeeded");
  for (const tail of [',"x":1', ',"answer":1', "}", ",", "x", "//"]) expect(judge(request, good + tail).finding.kind).toBe("unknown");
});

test("a key twice, a status that is no text and another case are not definite", () => {
  const { request } = defined(JSON_SPOKEN.describe(ORIGIN));
  for (const status of ['"FAILED","status":"SUCCESS"', "null", '["SUCCESS"]', '{"a":"SUCCESS"}', '"success"', '"SUCCESS "', "true", "1"]) {
    expect(judge(request, `{"data":{"ref":"R1","opid":"OP","status":${status}}}`).finding.kind).toBe("unknown");
  }
});

test("case is folded only where the description says so", () => {
  const base = JSON_SPOKEN.describe(ORIGIN) as { request: { values: object } };
  const { request } = defined({ ...base, request: { ...base.request, values: { ...base.request.values, fold_case: true } } });
  expect(judge(request, '{"data":{"ref":"R1","opid":"OP","status":"Success"}}').finding.kind).toBe("succeeded");
});

test("numbers and booleans can be statuses, and long numbers keep every digit", () => {
  const base = JSON_SPOKEN.describe(ORIGIN) as { request: object };
  const { request } = defined({ ...base, request: { ...base.request, values: { success: ["1", "true"], failure: ["0"] } } });
  const answer = (status: string, opid: string) => judge(request, `{"data":{"ref":"R1","opid":${opid},"status":${status}}}`).finding;
  expect(answer("1", "12345678901234567890")).toEqual({ kind: "succeeded", operatorRef: "12345678901234567890" });
  expect(answer("true", '"a \\" 12345678901234567890"')).toEqual({ kind: "succeeded", operatorRef: "a 12345678901234567890" });
  expect(answer("0", "1").kind).toBe("declined");
});

test("a success without the operator's reference is in doubt, unless that is optional", () => {
  const base = JSON_SPOKEN.describe(ORIGIN) as { request: { read: object } };
  const body = '{"data":{"ref":"R1","status":"SUCCESS"}}';
  expect(judge(defined(base).request, body).finding.kind).toBe("unknown");
  const lax = defined({ ...base, request: { ...base.request, read: { ...base.request.read, operator_ref_optional: true } } });
  expect(judge(lax.request, body).finding).toEqual({ kind: "succeeded", operatorRef: "" });
});

test("an HTTP status can be declared a failure or not found by itself", () => {
  const base = JSON_SPOKEN.describe(ORIGIN) as { request: object; status: object };
  const definition = defined({
    ...base,
    request: { ...base.request, http_status: { "422": "failure", "201": "read" } },
    status: { ...base.status, http_status: { "404": "not_found" } },
  });
  expect(judge(definition.request, '{"message":"No such number"}', 422).finding).toEqual({
    kind: "declined",
    reason: "No such number",
    failure: "declined",
  });
  expect(judge(definition.request, "<html>", 422).finding.kind).toBe("declined");
  expect(judge(definition.request, '{"data":{"ref":"R1","opid":"OP","status":"SUCCESS"}}', 201).finding.kind).toBe("succeeded");
  expect(judge(definition.status, "", 404).finding.kind).toBe("not_found");
  expect(judge(definition.request, "", 404).finding.kind).toBe("unknown");
});

test("a secret that the provider repeats does not get into a reason", () => {
  const { request } = defined(JSON_SPOKEN.describe(ORIGIN));
  const { finding } = judge(request, '{"data":{"ref":"R1","status":"FAILED"},"message":"bad key s3cret-token\\u0007\\nfor you"}');
  expect(finding).toEqual({ kind: "declined", reason: "bad key [hidden] for you", failure: "declined" });
});

test("a pattern with named groups reads a text", () => {
  const base = TEXT_SPOKEN.describe(ORIGIN) as { request: object };
  const read = { format: "text", pattern: "^(?<status>[A-Z]+): ref=(?<reference>\\S+) op=(?<operator_ref>\\S*)$" };
  const { request } = defined({ ...base, request: { ...base.request, read } });
  expect(judge(request, "SUCCESS: ref=R1 op=77\r\n").finding).toEqual({ kind: "succeeded", operatorRef: "77" });
  expect(judge(request, "SUCCESS: ref=R2 op=77").finding.kind).toBe("unknown");
  expect(judge(request, "SUCCESS: ref=R1 op=77\nFAILED: ref=R1 op=").finding.kind).toBe("unknown");
});
