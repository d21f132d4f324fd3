import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { type CallbackRefusalReason, isRefusal } from "../callbacks/refused-callback.ts";
import type { ProviderMessage } from "../connector.ts";
import { cleaner } from "../masking/cleaner.ts";
import { defined, JSON_SPOKEN } from "../testing/definitions.ts";
import { readTemplateCallback } from "./read-callback.ts";

const SECRETS = { token: "t", hook: "h00k-secret" };
const VALUES = { success: ["OK"], failure: ["BAD"], pending: ["WAIT"], reversed: ["REFUND"] };

function read(callback: object, message: Partial<ProviderMessage>, secrets: Readonly<Record<string, string>> = SECRETS) {
  const definition = defined({ ...JSON_SPOKEN.describe("https://pay.example"), secrets: ["token", "hook"], callback });
  if (!definition.callback) throw new Error("No callback.");
  const reading = readTemplateCallback(definition.callback, secrets, cleaner(secrets), {
    method: "POST",
    path: "",
    source: "192.0.2.1",
    query: {},
    headers: {},
    body: "",
    ...message,
  });
  why = isRefusal(reading) ? reading.refused : null;
  return isRefusal(reading) ? null : reading;
}

/** Why the last one was refused. */
let why: CallbackRefusalReason | null = null;

const byHeader = {
  auth: { kind: "header", name: "X-Key", secret: "hook" },
  from: "json",
  reference: "data.ref",
  status: "data.status",
  operator_ref: "data.op",
  values: VALUES,
};
const byQuery = {
  auth: { kind: "query", name: "key", secret: "hook" },
  from: "query",
  reference: "ref",
  status: "st",
  message: "msg",
  values: VALUES,
};
const byHmac = {
  ...byHeader,
  auth: { kind: "hmac_sha256", name: "x-sig", secret: "hook", prefix: "sha256=" },
  from: "form",
  reference: "ref",
  status: "st",
  operator_ref: "op",
};

const body = JSON.stringify({ data: { ref: "R1", status: "OK", op: "77" } });

test("a message with the provider's secret in a header is read", () => {
  expect(read(byHeader, { headers: { "x-key": "h00k-secret" }, body })).toEqual({
    reference: "R1",
    finding: { kind: "succeeded", operatorRef: "77" },
  });
});

test.each([{}, { "x-key": "" }, { "x-key": "h00k-secre" }, { "x-key": "h00k-secret " }, { "x-other": "h00k-secret" }])(
  "with the headers %j it is nobody's",
  (headers: Record<string, string>) => {
    expect(read(byHeader, { headers, body })).toBeNull();
  },
);

test("without a secret of our own nothing is believed, not even an empty one", () => {
  expect(read(byHeader, { headers: { "x-key": "" }, body }, { token: "t" })).toBeNull();
  const form = "ref=R1&st=OK";
  const unkeyed = `sha256=${createHmac("sha256", "").update(form).digest("hex")}`;
  expect(read(byHmac, { headers: { "x-sig": unkeyed }, body: form }, { token: "t", hook: "" })).toBeNull();
});

test.each([
  ["OK", "succeeded"],
  ["BAD", "declined"],
  ["WAIT", "pending"],
  ["REFUND", "reversed"],
])("a query with the status %s is a report of %s", (st, kind) => {
  expect(read(byQuery, { method: "GET", query: { key: "h00k-secret", ref: "R1", st } })).toMatchObject({
    reference: "R1",
    finding: { kind },
  });
});

test("an authentic message without a reference is nobody's", () => {
  expect(read(byQuery, { query: { key: "h00k-secret", st: "OK" } })).toBeNull();
  expect(read(byHeader, { headers: { "x-key": "h00k-secret" }, body: "garbage" })).toBeNull();
});

test("an HMAC covers the body as it came, and one changed character breaks it", () => {
  const form = "ref=R1&st=OK&op=7%207";
  const signature = `sha256=${createHmac("sha256", SECRETS.hook).update(form).digest("hex")}`;
  expect(read(byHmac, { headers: { "X-Sig": signature.toUpperCase().replace("SHA256", "sha256") }, body: form })).toEqual({
    reference: "R1",
    finding: { kind: "succeeded", operatorRef: "7 7" },
  });
  expect(read(byHmac, { headers: { "x-sig": signature }, body: form.replace("R1", "R2") })).toBeNull();
  expect(read(byHmac, { headers: { "x-sig": signature.slice(7) }, body: form })).toBeNull();
});

test("a name sent twice in a form is not read as either", () => {
  const form = "ref=R1&ref=R2&st=OK";
  const signature = `sha256=${createHmac("sha256", SECRETS.hook).update(form).digest("hex")}`;
  expect(read(byHmac, { headers: { "x-sig": signature }, body: form })).toBeNull();
});

test("what is not read says why", () => {
  const headers = { "x-key": SECRETS.hook };
  const reasonOf = (message: Partial<ProviderMessage>) => {
    expect(read(byHeader, message)).toBeNull();
    return why;
  };
  expect(reasonOf({ headers: {}, body })).toBe("wrong_key");
  expect(reasonOf({ headers, body: "<no json>" })).toBe("unreadable");
  expect(reasonOf({ headers, body: "{}" })).toBe("no_reference");
  expect(reasonOf({ headers, body: body.replace("OK", "QUEUED") })).toBe("unknown_status");
});
