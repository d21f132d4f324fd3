import { type Description, readDescription } from "../description/definition.ts";
import type { Received, Words } from "./unruly-server.ts";

const LIMITS = {
  version: 2,
  plain_http: true,
  secrets: ["token"],
  timeouts: { connect_seconds: 5, whole_seconds: 20 },
  polling: { quiet_seconds: 1 },
};

/** Rules for one status field. `more` is added to every rule. */
function rulesFor(path: string, more: object = {}) {
  const sent = [
    { when: { [path]: "SUCCESS", ...more }, means: "success" },
    { when: { [path]: "FAILED", ...more }, means: "declined" },
    { when: { [path]: "PENDING", ...more }, means: "pending" },
  ];
  const asked = [
    ...sent,
    { when: { [path]: "NOT_FOUND", ...more }, means: "not_found" },
    { when: { [path]: "REFUNDED", ...more }, means: "reversed" },
  ];
  return { sent, asked };
}

export function defined(description: object): Description {
  const read = readDescription(description);
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  return read.definition;
}

/** A description and the answers of its test provider. */
export type Spoken = {
  readonly describe: (origin: string) => object;
  readonly words: Words;
  readonly referenceIn: (request: Received) => string;
};

const STATUS = {
  success: "SUCCESS",
  failure: "FAILED",
  pending: "PENDING",
  "not found": "NOT_FOUND",
  "undeclared status": "QUEUED",
} as const;

function said(kind: Parameters<Words>[0]): string | null {
  if (kind === "no status") return null;
  return kind === "another reference" ? "SUCCESS" : STATUS[kind];
}

const inQuery = (request: Received) => new URL(request.url, "http://x").searchParams.get("ref") ?? "";

export const JSON_SPOKEN: Spoken = {
  describe: (origin) => {
    const rules = rulesFor("data.status");
    return {
      name: "json-one",
      ...LIMITS,
      base_url: origin,
      headers: { authorization: "Bearer {secret.token}" },
      read: { format: "json", operator_ref: "/data/opid", message: "message", reference: "data.ref" },
      operations: {
        "recharge.pay": {
          request: { url: "/pay", body: { json: { ref: "{reference}", number: "{target}", paise: "{amount|paise|number}" } } },
          outcome: rules.sent,
          status: { request: { url: "/status", body: { json: { ref: "{reference}" } } }, outcome: rules.asked },
        },
      },
    };
  },
  referenceIn: (request) => String((JSON.parse(request.body) as { ref: string }).ref),
  words: (kind, request) => {
    const ref = kind === "another reference" ? "OTHER" : JSON_SPOKEN.referenceIn(request);
    const status = said(kind);
    const data = { ref, opid: "OP1", ...(status === null ? {} : { status }) };
    return { status: 200, body: JSON.stringify({ data, message: "as you wish" }) };
  },
};

export const XML_SPOKEN: Spoken = {
  describe: (origin) => {
    const rules = rulesFor("reply.status");
    const body = { xml: "<pay><ref>{reference}</ref><number>{target}</number></pay>", content_type: "application/xml" };
    return {
      name: "xml-one",
      ...LIMITS,
      base_url: origin,
      query: { key: "{secret.token}" },
      read: { format: "xml", operator_ref: "reply.@opid", message: "reply.message", reference: "reply.ref" },
      operations: {
        "recharge.pay": {
          request: { url: "/pay", body },
          outcome: rules.sent,
          status: { request: { url: "/status", body }, outcome: rules.asked },
        },
      },
    };
  },
  referenceIn: (request) => /<ref>(.*)<\/ref>/.exec(request.body)?.[1] ?? "",
  words: (kind, request) => {
    const ref = kind === "another reference" ? "OTHER" : XML_SPOKEN.referenceIn(request);
    const status = said(kind);
    const text = status === null ? "" : `<status>${status}</status>`;
    return {
      status: 200,
      body: `<?xml version="1.0"?><reply opid="OP1"><ref>${ref}</ref>${text}<message>fine &amp; well</message></reply>`,
    };
  },
};

export const TEXT_SPOKEN: Spoken = {
  describe: (origin) => {
    const rules = rulesFor("0", { $count: 4 });
    return {
      name: "text-one",
      ...LIMITS,
      base_url: origin,
      query: { key: "{secret.token}", ref: "{reference}" },
      read: { format: "text", separator: "|", reference: "1", operator_ref: "2", message: "3" },
      operations: {
        "recharge.pay": {
          request: { url: "/pay", query: { to: "{target}", amount: "{amount}" } },
          outcome: rules.sent,
          status: { request: { url: "/status" }, outcome: rules.asked },
        },
      },
    };
  },
  referenceIn: inQuery,
  words: (kind, request) => {
    const ref = kind === "another reference" ? "OTHER" : inQuery(request);
    return { status: 200, body: kind === "no status" ? `${ref}|OP1|fine` : `${said(kind)}|${ref}|OP1|fine` };
  },
};
