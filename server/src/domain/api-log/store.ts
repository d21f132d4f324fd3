import type { Sql } from "../../platform/db/connection.ts";
import { textOf } from "../../platform/network/address.ts";
import { redact } from "../../platform/observability/redact.ts";
import type { Call, LoggedCalls, SignedLines } from "./call.ts";
import type { HourCount, Usage } from "./usage.ts";

/** Inserts rows that could not be copied. Existing rows are skipped, and invalid ones are reported. */
export async function insertLocked(sql: Sql, merged: readonly LoggedCalls[]): Promise<void> {
  const column = <Value>(read: (call: Call) => Value): Value[] => merged.map(({ call }) => read(call));
  const bodies = merged.map((one) => one.bodies);
  await sql`
    insert into api_calls (account_id, at, request_id, method, path, status, error, code, milliseconds, address, reference, order_id, signed,
      credential_id, times, token_id, request_body, reply_body)
    select account_id, to_timestamp(at::double precision / 1000), request_id, method, path, status, error, code, hundredths / 100.0::real, address,
      reference, order_id, signed, credential_id, times, token_id, request_body, reply_body
    from unnest(${column((call) => call.account.accountId)}::text[], ${column((call) => call.at)}::bigint[],
      ${column((call) => call.requestId)}::text[], ${column((call) => call.method)}::text[], ${column((call) => shown(call.path))}::text[],
      ${column((call) => call.status)}::smallint[], ${column((call) => call.error)}::text[], ${column((call) => call.code)}::integer[],
      ${column((call) => Math.round(call.milliseconds * 100))}::integer[], ${column((call) => textOf(call.address))}::text[],
      ${column(storedReference)}::text[], ${column((call) => call.orderId)}::text[],
      ${column((call) => call.signedBy?.how ?? "none")}::text[], ${column(credentialOf)}::text[], ${merged.map(({ times }) => times)}::integer[],
      ${column((call) => call.tokenId)}::text[], ${bodies.map((stored) => stored && writable(stored.request))}::text[],
      ${bodies.map((stored) => stored && writable(stored.reply))}::text[])
      as c(account_id, at, request_id, method, path, status, error, code, hundredths, address, reference, order_id, signed, credential_id, times,
        token_id, request_body, reply_body)
    on conflict do nothing`;
}

// As long as a key without its prefix; secrets and signatures are longer. A UUID is a common reference.
const LONG = /[A-Za-z0-9_-]{32}/;
const LONG_LETTERS = 32;
const UUID = /[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}/i;

/** A reference that could be a misplaced credential is not stored, unless it has an order. */
export function storedReference({ reference, orderId }: Call): string | null {
  if (reference === null) return null;
  if (reference.length >= LONG_LETTERS && orderId === null && LONG.test(reference.replace(UUID, "~"))) return "[long]";
  return redact(reference);
}

function credentialOf({ signedBy }: Call): string | null {
  return signedBy === null || signedBy.how === "token" ? null : signedBy.credentialId;
}

// PostgreSQL's text cannot contain NUL, and one invalid row must not block the others.
const UNWRITABLE = /[\0\u{d800}-\u{dfff}]/gu;

function shown(text: string): string {
  return writable(redact(text));
}

function writable(text: string): string {
  return text.replace(UNWRITABLE, "\u{fffd}");
}

const MAX_LINE = 4_000;

// These never belong in a query. A request with one is refused, and its value must not stay in the log.
const PRIVATE_NAME = /aadhaa?r|otp|biometric|passw|secret|signature|token|^pid(?:_?data)?$|^m?pin$/i;

function withoutPrivateValue(pair: string): string {
  const equals = pair.indexOf("=");
  const isPrivate = equals !== -1 && equals < pair.length - 1 && PRIVATE_NAME.test(pair.slice(0, equals));
  return isPrivate ? `${pair.slice(0, equals)}=[redacted]` : pair;
}

/** A line as it is stored and compared: shortened, and without secrets that were included by mistake. */
export function storedLine(text: string): string {
  return shown(text).split("&").map(withoutPrivateValue).join("&").slice(0, MAX_LINE);
}

type Refused = { readonly call: Call; readonly lines: SignedLines };

export async function insertRefusedSignatures(sql: Sql, refused: readonly Refused[], mostPerAccount: number): Promise<void> {
  const column = (name: keyof SignedLines) => refused.map(({ lines }) => storedLine(lines[name]));
  const accounts = refused.map(({ call }) => call.account.accountId);
  await sql`
    insert into api_refused_signatures (account_id, at, request_id, method, path, canonical_query, body_sha256, timestamp, nonce, reason)
    select account_id, to_timestamp(at::double precision / 1000), request_id, method, path, canonical_query, body_sha256, timestamp, nonce, reason
    from unnest(${accounts}::text[], ${refused.map(({ call }) => call.at)}::bigint[], ${refused.map(({ call }) => call.requestId)}::text[],
      ${column("method")}::text[], ${column("path")}::text[], ${column("canonicalQuery")}::text[], ${column("bodySha256")}::text[],
      ${column("timestamp")}::text[], ${column("nonce")}::text[], ${column("reason")}::text[])
      as r(account_id, at, request_id, method, path, canonical_query, body_sha256, timestamp, nonce, reason)
    on conflict do nothing`;
  await sql`
    delete from api_refused_signatures r using (
      select a.account_id, k.at, k.request_id from unnest(${[...new Set(accounts)]}::text[]) a(account_id) cross join lateral (
        select at, request_id from api_refused_signatures where account_id = a.account_id
        order by at desc, request_id desc offset ${mostPerAccount - 1} limit 1) k) k
    where r.account_id = k.account_id and (r.at, r.request_id) < (k.at, k.request_id)`;
}

/** Adds to the stored counts, sorted by key, so that concurrent processes cannot deadlock. */
export async function addUsages(sql: Sql, usages: readonly Usage[]): Promise<void> {
  const sorted = usages.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const column = <Name extends keyof Usage>(name: Name) => sorted.map((usage) => usage[name]);
  await sql`
    with quickly as materialized (select set_config('synchronous_commit', 'off', true))
    insert into api_usage as u (account_id, kind, subject, last_at, last_address, calls)
    select account_id, kind, subject, to_timestamp(at::double precision / 1000), last_address, calls
    from quickly, unnest(${column("accountId")}::text[], ${column("kind")}::text[], ${column("subject")}::text[], ${column("lastAt")}::bigint[],
      ${column("lastAddress")}::text[], ${column("calls")}::bigint[]) as n(account_id, kind, subject, at, last_address, calls)
    on conflict (account_id, kind, subject) do update set calls = u.calls + excluded.calls, last_at = greatest(u.last_at, excluded.last_at),
      last_address = case when excluded.last_at >= u.last_at then excluded.last_address else u.last_address end`;
}

function keyOf(usage: Usage): string {
  return `${usage.accountId} ${usage.kind} ${usage.subject}`;
}

export async function addHours(sql: Sql, hours: readonly HourCount[]): Promise<void> {
  const sorted = hours.toSorted((a, b) => (hourKey(a) < hourKey(b) ? -1 : 1));
  const column = <Name extends keyof HourCount>(name: Name) => sorted.map((one) => one[name]);
  await sql`
    with quickly as materialized (select set_config('synchronous_commit', 'off', true))
    insert into api_signed_calls as s (account_id, credential_id, hour, calls)
    select account_id, credential_id, to_timestamp(hour::double precision / 1000), calls
    from quickly, unnest(${column("accountId")}::text[], ${column("credentialId")}::text[], ${column("hour")}::bigint[],
      ${column("calls")}::bigint[]) as n(account_id, credential_id, hour, calls)
    on conflict (account_id, credential_id, hour) do update set calls = s.calls + excluded.calls`;
}

function hourKey(one: HourCount): string {
  return `${one.accountId} ${one.credentialId} ${one.hour}`;
}
