import { expect, test } from "vitest";
import { defined, JSON_SPOKEN } from "../../testing/definitions.ts";
import { readDescription } from "../definition.ts";
import { replyTo } from "./reply.ts";

const CALLBACK = { auth: { kind: "hint" }, reference: "data.ref" };

function replyOf(reply: object, message: object, callback: object = CALLBACK): string {
  const definition = defined({ ...JSON_SPOKEN.describe("https://a.example"), callbacks: [callback], callback_reply: reply });
  const whole = { method: "POST", path: "", source: "", query: {}, headers: {}, body: "", ...message };
  if (definition.callback_reply === undefined) throw new Error("The description has no reply.");
  return replyTo({ definition, clock: { now: () => 0 }, clean: (text) => text }, definition.callback_reply, whole).body;
}

test("a reply repeats values of the callback, escaped for its content type; what is missing is empty", () => {
  const body = JSON.stringify({ data: { ref: 'R"1', id: 7 } });
  const json = { body: '{"ref":"{field.data.ref}","id":{field.data.id},"none":"{field.data.none}"}' };
  expect(replyOf(json, { body })).toBe('{"ref":"R\\"1","id":7,"none":""}');
  const xml = { content_type: "text/xml", body: "<ok>{query.ref}</ok>" };
  expect(replyOf(xml, { query: { ref: "<&>" } })).toBe("<ok>&#60;&#38;&#62;</ok>");
  const text = { content_type: "text/plain", body: "OK {header.x-id}" };
  expect(replyOf(text, { headers: { "X-Id": "4711" } })).toBe("OK 4711");
});

test("a fixed reply stays as it is, also for an address that is not described", () => {
  expect(replyOf({ body: '{"status":200}' }, { body: "no JSON" })).toBe('{"status":200}');
  expect(replyOf({ body: "{field.a}" }, { path: "/other" })).toBe("{field.a}");
});

test("a reply knows no secret, and a misspelt placeholder is refused", () => {
  for (const body of ["{secret.token}", "{reference}", "{fields.ref}"]) {
    const read = readDescription({ ...JSON_SPOKEN.describe("https://a.example"), callbacks: [CALLBACK], callback_reply: { body } });
    expect(read.ok ? [] : read.faults.map(({ path }) => path)).toEqual(["callback_reply.body"]);
  }
});
