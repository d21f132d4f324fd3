import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import type { CallbackVerifier, IncomingCallback } from "@corprail/sdk";
import { type Credentials, findCredentials, type ProfileOption } from "../client/credentials.ts";
import { fieldLines } from "../client/wire-names.ts";
import { done, failed, type Outcome } from "../outcome.ts";
import type { ClientContext } from "../run-command.ts";
import { createVerifier } from "./create-verifier.ts";
import { readRawRequest } from "./read-raw-request.ts";
import { seenNonces } from "./seen-nonces.ts";
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

/** Says of every request whether a receiver would take it, and which check stops it. */
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
