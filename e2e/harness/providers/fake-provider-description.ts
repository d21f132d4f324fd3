import type { JsonRecord } from "../operator.ts";
import type { FakeProvider } from "./fake-provider.ts";

const OUTCOME = [
  { when: { state: "DONE" }, means: "success" },
  { when: { state: "REFUSED", why: "CUSTOMER" }, means: "declined", decline: "final", failure: "number_not_valid" },
  { when: { state: "REFUSED" }, means: "declined", decline: "provider" },
  { when: { state: "QUEUED" }, means: "pending" },
];
const REVERSED = { when: { state: "REVERSED" }, means: "reversed" };
const STATUS = {
  request: { url: "/transactions", query: { id: "{provider_ref?}", ref: "{reference}" } },
  outcome: [...OUTCOME, REVERSED, { when: { state: "NONE" }, means: "not_found" }],
};
const FACTS = { message: "words", provider_ref: "id", operator_ref: "rrn" };

/** A transaction of the fake provider. */
export function transaction(url: string, members: JsonRecord, result?: JsonRecord): JsonRecord {
  const request = { url, body: { json: { ref: "{reference}", ...members } } };
  const added = result === undefined ? {} : { result };
  return { request, outcome: OUTCOME, ...added, status: { ...STATUS, ...added } };
}

/** A query of the fake provider, with the codes of its refusals. */
export function query(url: string, members: JsonRecord, value: JsonRecord, refusals: Readonly<Record<string, string>> = {}): JsonRecord {
  const refused = Object.entries(refusals).map(([code, ours]) => ({ when: { ok: false, code }, means: "refused", code: ours }));
  const outcome = [{ when: { ok: true }, means: "answered" }, ...refused];
  return { request: { url, method: "POST", body: { json: { asked: "{unique_id}", ...members } } }, outcome, value };
}

/** The description of a fake provider with these operations. */
export function describe(name: string, { url }: FakeProvider, operations: JsonRecord): JsonRecord {
  return {
    version: 2,
    name,
    base_url: url,
    plain_http: true,
    secrets: ["client_key", "signing_key", "callback_key"],
    reference: { characters: "digits", length: 10 },
    headers: { Authorization: "Bearer {token}", "X-Signature": "{computed.signature}" },
    computed: {
      signature: {
        kind: "hmac",
        digest: "sha256",
        text: "{request.method}\n{request.path}\n{request.query}\n{request.body}",
        key: "{secret.signing_key}",
      },
    },
    read: { format: "json", ...FACTS, reference: "ref", balance: { path: "wallet_paise", unit: "paise" } },
    login: {
      request: { url: "/login", body: { json: { key: "{secret.client_key}" } } },
      token: "access_token",
      expires_in: "expires_in",
    },
    polling: { first_after_seconds: 1, every_seconds: 1, quiet_seconds: 60 },
    timeouts: { connect_seconds: 2, whole_seconds: 10 },
    operations,
    callbacks: [
      {
        auth: {
          kind: "hmac",
          header: "X-Signature",
          secret: "callback_key",
          prefix: "v1=",
          text: "{header.x-time}.{body}",
          time: { header: "X-Time", unit: "seconds", within_seconds: 300 },
        },
        reference: "ref",
        read: { format: "json", ...FACTS },
        outcome: [...OUTCOME, REVERSED],
      },
    ],
  };
}
