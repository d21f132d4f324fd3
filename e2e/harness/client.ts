import { expect } from "vitest";
import { until } from "./deadline.ts";
import { newClient } from "./operator.ts";
import { exchange, type RawReply, requestText } from "./raw-http.ts";
import type { Service } from "./service.ts";
import { type SignatureHeaders, signatureHeaders } from "./sign.ts";

export const PREFIX = "/api/corp/v1";

/** A row for every call of the client API that these tests drive; a new route needs one row more. */
export const GET_ROUTES = ["/services", "/operators"] as const;

export type Header = readonly [string, string];

export type CallOptions = {
  readonly token?: string;
  readonly headers?: readonly Header[];
  /** As it stands on the request line, after the question mark. */
  readonly query?: string;
  readonly from?: string;
};

/** A GET with the token in its preferred header; nothing else is sent unless asked for. */
export async function get(port: number, path: string, options: CallOptions = {}): Promise<RawReply> {
  return exchange(port, getText(path, options), options.from === undefined ? {} : { from: options.from });
}

/** The same, sent again while the service is busy: what would wait too long on a busy machine is refused and does not count. */
export async function getWhenFree(port: number, path: string, options: CallOptions = {}): Promise<RawReply> {
  return await until("the service is not busy", async () => {
    const reply = await get(port, path, options);
    return reply.status !== 503 && reply;
  });
}

export function getText(path: string, options: CallOptions = {}): string {
  const target = `${PREFIX}${path}${options.query === undefined ? "" : `?${options.query}`}`;
  const token: readonly Header[] = options.token === undefined ? [] : [["X-Api-Token", options.token]];
  return requestText("GET", target, [["Host", "127.0.0.1"], ...token, ...(options.headers ?? [])]);
}

/** Headers that sign a plain GET of a path below the prefix. */
export function signedGet(
  path: string,
  secret: string,
  more: { readonly timestamp?: string; readonly nonce?: string; readonly query?: readonly Header[] } = {},
): SignatureHeaders {
  return signatureHeaders({ method: "GET", path: PREFIX + path, secret, ...more });
}

export type Expected = { readonly status: number; readonly error: string; readonly code: number; readonly urid?: string };

export const TOKEN_MISSING: Expected = { status: 401, error: "token_missing", code: 101 };
export const TOKEN_INVALID: Expected = { status: 401, error: "token_invalid", code: 102 };
export const BAD_SIGNATURE: Expected = { status: 401, error: "invalid_signature", code: 113 };
export const ADDRESS_REFUSED: Expected = { status: 403, error: "ip_not_allowed", code: 2428 };
export const OVER_BUDGET: Expected = { status: 429, error: "rate_limited", code: 123 };
export const INVALID_REQUEST: Expected = { status: 400, error: "invalid_request", code: 120 };
export const NOT_FOUND: Expected = { status: 404, error: "not_found", code: 125 };
export const WRONG_METHOD: Expected = { status: 405, error: "method_not_allowed", code: 129 };

/** The one shape of a refusal, to the last field, with the headers every reply carries. */
export function expectRefusal(reply: RawReply, expected: Expected): void {
  const { status, ...fields } = expected;
  // First, so that a failure shows no whole list.
  expect(reply.status).toBe(status);
  expect(reply.json()).toEqual({ ...fields, status: "rejected", message: expect.stringMatching(/^\S.*\S$/) });
  expectSiteHeaders(reply);
}

export function expectAnswered(reply: RawReply): void {
  expect({ status: reply.status, ok: reply.json()["ok"] }, reply.text.slice(0, 300)).toEqual({ status: 200, ok: true });
  expectSiteHeaders(reply);
}

export function expectSiteHeaders(reply: RawReply): void {
  expect(reply.headers.get("x-request-id")).toEqual([expect.stringMatching(/^[0-9A-Z]{20}$/)]);
  expect(reply.headers.get("cache-control")).toEqual(["no-store"]);
  expect(reply.headers.get("content-type")).toEqual(["application/json; charset=utf-8"]);
}

/** Waits until another process has everything that this one has changed so far: changes are taken in the order they were made. */
export async function caughtUp(service: Service, other: Service): Promise<void> {
  const marker = await newClient(service);
  const known = async () => (await get(other.port, "/services", { token: marker.token })).status === 200;
  await until("the other process has caught up", known);
}
