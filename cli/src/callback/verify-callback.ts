import { readFile, writeFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import type { CallbackVerifier, IncomingCallback, NonceStore } from "@corprail/sdk";
import { type Credentials, findCredentials, type ProfileOption } from "../client/credentials.ts";
import { fieldLines } from "../client/wire-names.ts";
import { done, failed, type Outcome, UsageFault } from "../shared/outcome.ts";
import type { ClientContext } from "../shared/run-command.ts";
import { createVerifier } from "./create-verifier.ts";
import { ALL_CHECKS, type Check, whyRefused } from "./why-refused.ts";

export type VerifyOptions = ProfileOption & { readonly at?: number; readonly seen?: string };

type Result = {
  readonly file: string;
  readonly verified: boolean;
  readonly version: 2 | 3;
  readonly failed_check: Check | null;
  readonly why: string | null;
  readonly callback: Readonly<Record<string, string>> | null;
};

/** Reports for each request whether a receiver would accept it, and which check fails if not. */
export async function verifyCallbacks(ctx: ClientContext, files: readonly string[], options: VerifyOptions): Promise<Outcome> {
  const credentials = await findCredentials(ctx, options);
  const now = options.at ?? Math.floor(Date.now() / 1000);
  const nonces = await seenNonces(options.seen ?? null, now);
  const verifier = createVerifier(credentials, nonces, now);
  const results: Result[] = [];
  for (const file of files.length === 0 ? ["-"] : files) results.push(await verifyOne(file, verifier, credentials, now));
  await nonces.keep();
  const report = results.map(resultText).join("\n\n");
  const refused = results.filter((result) => !result.verified);
  if (refused.length === 0)
    return done(results.length === 1 ? "It is genuine." : `All ${results.length} are genuine.`, { results }, report);
  const [first] = refused;
  const words =
    results.length === 1
      ? `Refused by the ${first?.failed_check} check: ${first?.why}`
      : `${refused.length} of ${results.length} are refused.`;
  return failed(words, { results }, report);
}

async function verifyOne(file: string, verifier: CallbackVerifier, credentials: Credentials, now: number): Promise<Result> {
  const incoming: IncomingCallback = readRawRequest(file === "-" ? await buffer(process.stdin) : await readFile(file));
  const version = incoming.method === "GET" ? 2 : 3;
  const verdict = await verifier.verify(incoming);
  if (verdict.ok) return { file, verified: true, version, failed_check: null, why: null, callback: verdict.callback.parameters };
  const { check, text } = whyRefused(incoming, verdict.reason, credentials, now);
  return { file, verified: false, version, failed_check: check, why: text, callback: null };
}

/** The checks in the order in which they are made; what comes after the one that failed was not looked at. */
function resultText({ file, version, failed_check: stopped, why, callback }: Result): string {
  const reached = stopped === null ? ALL_CHECKS.length : ALL_CHECKS.indexOf(stopped);
  const checks = ALL_CHECKS.map((check, place) => {
    const state = place < reached ? "ok" : place === reached ? "FAILED" : "not reached";
    return `  ${check.padEnd(9)}  ${state}`;
  });
  const heading = `${file === "-" ? "Standard input" : file}, version ${version}:`;
  return [heading, ...checks, ...(why === null ? [] : [`  ${why}`]), ...(callback === null ? [] : [fieldLines(callback)])].join("\n");
}

const REQUEST_LINE = /^([A-Z]+) (\S+)(?: HTTP\/[0-9.]+)?$/;
const URL_ALONE = /^(?:https?:\/\/|\/)\S*$/;

/**
 * Parses a recorded request: request line, headers, an empty line and the body's bytes. For version 2 the URL alone is
 * enough.
 */
function readRawRequest(bytes: Buffer): IncomingCallback {
  const end = headEnd(bytes);
  const [first = "", ...headerLines] = bytes.subarray(0, end.head).toString("utf8").split(/\r?\n/);
  const line = first.trim();
  if (URL_ALONE.test(line)) return { method: "GET", url: line, headers: {}, body: new Uint8Array() };
  const match = REQUEST_LINE.exec(line);
  if (!match)
    throw new UsageFault("This is no request: it begins with a line such as POST /callbacks HTTP/1.1, or it is a version 2 URL alone.");
  const [, method = "", url = ""] = match;
  return { method, url, headers: parseHeaders(headerLines), body: method === "GET" ? new Uint8Array() : bytes.subarray(end.body) };
}

function headEnd(bytes: Buffer): { readonly head: number; readonly body: number } {
  const ends = ["\r\n\r\n", "\n\n"].map((blank) => ({ at: bytes.indexOf(blank), length: blank.length })).filter(({ at }) => at >= 0);
  const first = ends.sort((one, other) => one.at - other.at)[0];
  return first === undefined ? { head: bytes.length, body: bytes.length } : { head: first.at, body: first.at + first.length };
}

function parseHeaders(lines: readonly string[]): Record<string, string> {
  const pairs = lines
    .filter((line) => line.includes(":"))
    .map((line) => [line.slice(0, line.indexOf(":")).trim().toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]);
  return Object.fromEntries(pairs);
}

/** Stores nonces with their expiry in a file, so that a later run of the command detects a replay. */
async function seenNonces(path: string | null, nowSeconds: number): Promise<NonceStore & { readonly keep: () => Promise<void> }> {
  const seen = new Map(path === null ? [] : parse(await readExisting(path)).filter(([, until]) => until >= nowSeconds));
  return {
    remember: (nonce, until) => {
      if (seen.has(nonce)) return false;
      seen.set(nonce, until);
      return true;
    },
    keep: async () => {
      if (path === null) return;
      await writeFile(path, [...seen].map(([nonce, until]) => `${until} ${nonce}\n`).join(""), { mode: 0o600 });
    },
  };
}

function parse(text: string): readonly (readonly [string, number])[] {
  return text
    .split("\n")
    .map((line) => /^([0-9]+) (.+)$/.exec(line))
    .flatMap((match) => (match ? [[match[2] ?? "", Number(match[1])] as const] : []));
}

async function readExisting(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}
