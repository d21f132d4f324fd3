import { type Definition, readDefinition } from "../http-template/definition.ts";
import type { Received, Words } from "./unruly-server.ts";

const LIMITS = { plain_http: true, secrets: ["token"], timeouts: { connect_ms: 5000, whole_ms: 20_000 }, quiet_ms: 1000 };
const SENT = { success: ["SUCCESS"], failure: ["FAILED"], pending: ["PENDING"] };
const ASKED = { ...SENT, not_found: ["NOT_FOUND"], reversed: ["REFUNDED"] };

export function defined(description: object): Definition {
  const read = readDefinition(description);
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
    const read = { format: "json", status: "data.status", operator_ref: "/data/opid", message: "message", reference: "data.ref" };
    const headers = { authorization: "Bearer {token}" };
    return {
      name: "json-one",
      ...LIMITS,
      request: {
        method: "POST",
        url: `${origin}/pay`,
        headers,
        body: { json: { ref: "{reference}", number: "{target}", paise: "{amount_paise:number}" } },
        read,
        values: SENT,
      },
      status: { method: "POST", url: `${origin}/status`, headers, body: { json: { ref: "{reference}" } }, read, values: ASKED },
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
    const read = { format: "xml", status: "reply/status", operator_ref: "reply/@opid", message: "reply/message", reference: "reply/ref" };
    const raw = { raw: "<pay><ref>{reference}</ref><number>{target}</number></pay>", escape: "xml", content_type: "application/xml" };
    return {
      name: "xml-one",
      ...LIMITS,
      request: { method: "POST", url: `${origin}/pay?key={token}`, body: raw, read, values: SENT },
      status: { method: "POST", url: `${origin}/status?key={token}`, body: raw, read, values: ASKED },
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
    const read = { format: "text", separator: "|", fields: { status: 0, reference: 1, operator_ref: 2, message: 3 }, count: 4 };
    return {
      name: "text-one",
      ...LIMITS,
      request: { method: "GET", url: `${origin}/pay?key={token}&ref={reference}&to={target}&amount={amount}`, read, values: SENT },
      status: { method: "GET", url: `${origin}/status?key={token}&ref={reference}`, read, values: ASKED },
    };
  },
  referenceIn: inQuery,
  words: (kind, request) => {
    const ref = kind === "another reference" ? "OTHER" : inQuery(request);
    return { status: 200, body: kind === "no status" ? `${ref}|OP1|fine` : `${said(kind)}|${ref}|OP1|fine` };
  },
};
