import type { ProviderExchange } from "../connector.ts";
import { treatmentOf } from "../masking/field-names.ts";
import { maskBody, maskForm } from "../masking/mask-body.ts";
import { HIDDEN } from "../masking/mask-secrets.ts";
import { isHarmless, type MaskRules, maskText } from "../masking/mask-value.ts";
import type { Heard } from "./attempt.ts";
import { type Call, type Exchange, sentHeaders } from "./call.ts";

/** The most that is kept of a request and of a reply. */
const MAX_BYTES = 8 * 1024;
// Masking happens before the text is cut, so that no part of a secret is left over. Of a very long body the beginning is
// masked, and its last part is dropped because a secret may have been cut there.
const MAX_READ = 64 * 1024;
const DROPPED = 8 * 1024;

export type Exchanged = {
  readonly operation: string;
  readonly startedAt: number;
  readonly milliseconds: number;
  readonly call: Call;
  readonly exchange: Exchange;
  readonly heard: Heard;
};

/** An exchange as evidence: readable for staff, without secrets and identities. */
export function evidenceOf(exchanged: Exchanged, rules: MaskRules): ProviderExchange {
  const { operation, startedAt, milliseconds, call, exchange, heard } = exchanged;
  return {
    operation,
    startedAt,
    milliseconds: Math.round(milliseconds),
    request: bounded(requestText(call, rules)),
    reply: heard && replyText(heard, rules),
    problem: exchange.kind === "answered" ? null : bounded(rules.secrets(`${exchange.kind}: ${exchange.why}`)),
  };
}

/** A reply as text: its status, its headers, an empty line and its body. */
export function replyText({ status, headers, body }: NonNullable<Heard>, rules: MaskRules): string {
  return bounded(`${status}\n${headerText(headers, rules)}\n${bodyText(body, rules)}`);
}

/** A request as text: its line, its headers, an empty line and its body. */
export function requestText(call: Call, rules: MaskRules): string {
  const split = call.path.indexOf("?");
  const path = rules.secrets(split < 0 ? call.path : call.path.slice(0, split));
  const query = split < 0 ? "" : `?${maskForm(rules.secrets(call.path.slice(split + 1)), rules)}`;
  const line = `${call.method} ${rules.secrets(call.origin)}${maskPath(path, rules)}${query}`;
  const headers = headerText(sentHeaders(call), rules);
  return `${line}\n${headers}\n${call.body === null ? "" : sentText(call.body, rules)}`;
}

function maskPath(path: string, rules: MaskRules): string {
  // No pattern can match in any of its segments.
  if (isHarmless(path) && !path.includes("%")) return path;
  return path
    .split("/")
    .map((segment) => {
      const text = segment.includes("%") ? decodedSegment(segment) : segment;
      const masked = maskText(text, rules);
      return masked === text ? segment : masked;
    })
    .join("/");
}

function decodedSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function headerText(headers: Readonly<Record<string, string>>, rules: MaskRules): string {
  let lines = "";
  for (const name in headers) {
    const isHidden = treatmentOf(name) === "hidden";
    lines += `${name}: ${isHidden ? HIDDEN : maskBody(headers[name] ?? "", rules)}\n`;
  }
  return lines;
}

/** A text that is certainly not too long need not be encoded and decoded again. */
function sentText(body: string | Buffer, rules: MaskRules): string {
  const isShort = typeof body === "string" && body.length * MOST_BYTES_A_CHARACTER <= MAX_READ;
  return isShort ? maskBody(body.toWellFormed(), rules) : bodyText(Buffer.from(body), rules);
}

function bodyText(body: Buffer, rules: MaskRules): string {
  const text = decoded(body.subarray(0, MAX_READ));
  const masked = maskBody(text, rules);
  if (body.length <= MAX_READ) return masked;
  return `${masked.slice(0, Math.max(0, masked.length - DROPPED))}…`;
}

// Providers also answer in windows-1252. Its bytes are shown as latin 1, because only the letters matter here.
function decoded(body: Buffer): string {
  const text = body.toString("utf8");
  return text.includes("\ufffd") && !body.includes("\ufffd") && body.length < MAX_READ ? body.toString("latin1") : text;
}

// All but line breaks and tabs. Almost no exchange has one, and looking is cheaper than replacing.
const CONTROL = /[^\P{Cc}\n\t]/u;
const EVERY_CONTROL = new RegExp(CONTROL, "gu");
const MOST_BYTES_A_CHARACTER = 3;

/** Cuts to the byte limit. PostgreSQL cannot store a NUL character. */
function bounded(text: string): string {
  const clean = CONTROL.test(text) ? text.replace(EVERY_CONTROL, " ") : text;
  if (clean.length * MOST_BYTES_A_CHARACTER <= MAX_BYTES) return clean;
  const bytes = Buffer.from(clean);
  if (bytes.length <= MAX_BYTES) return clean;
  const mark = `… [${bytes.length} bytes]`;
  return (
    bytes
      .subarray(0, MAX_BYTES - Buffer.byteLength(mark))
      .toString("utf8")
      .replace(/\ufffd$/, "") + mark
  );
}
