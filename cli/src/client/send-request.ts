import { done, EXIT_CODES, type ExitCode, errorText, failed, type Outcome } from "../shared/outcome.ts";
import type { ClientContext } from "../shared/run-command.ts";
import { createClient, findCredentials, needed, type ProfileOption } from "./credentials.ts";
import { type RequestOptions, type RequestParts, requestParts, targetOf } from "./request-parts.ts";
import { signable, signedHeaders } from "./signed-headers.ts";

export type SendOptions = ProfileOption & RequestOptions & { readonly unsigned?: boolean; readonly include?: boolean };

const TIMEOUT_MILLISECONDS = 30_000;
// Codes of a connection that was never made.
const NEVER_SENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);

/** One call, signed when there is a secret, sent once: repeating it is the caller's decision. */
export async function sendRequest(ctx: ClientContext, method: string, path: string, options: SendOptions): Promise<Outcome> {
  const parts = await requestParts(method, path, options);
  const found = await findCredentials(ctx, options);
  // The SDK refuses an address that the token must not go to.
  await createClient(ctx, options);
  const { baseUrl, token } = needed(found);
  const signature = found.signingSecret === null || options.unsigned ? {} : signedHeaders(found.signingSecret, signable(parts));
  const headers = {
    Accept: "application/json",
    "X-Api-Token": token,
    ...(parts.method === "POST" ? { "Content-Type": "application/json" } : {}),
  };
  if (found.signingSecret === null) ctx.note(`${found.source} has no signing secret: sent with the token alone.`);
  const init = { method: parts.method, headers: { ...headers, ...signature }, ...(parts.method === "POST" ? { body: parts.body } : {}) };
  try {
    return await exchange(`${baseUrl}${targetOf(parts)}`, init, options);
  } catch (error) {
    return noAnswer(parts, error);
  }
}

function noAnswer({ method, path }: RequestParts, error: unknown): Outcome {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const outcome = failed(`${method} ${path} got no answer: ${errorText(cause)}`);
  const neverSent = cause instanceof Error && "code" in cause && NEVER_SENT.has(String(cause.code));
  // Otherwise a POST may have been carried out all the same.
  return method === "GET" || neverSent ? outcome : { ...outcome, exitCode: EXIT_CODES.undecided };
}

async function exchange(url: string, init: RequestInit, { include = false }: SendOptions): Promise<Outcome> {
  const response = await fetch(url, { ...init, redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) });
  const text = await response.text();
  const body = parsed(text);
  const headers = Object.fromEntries(response.headers);
  const head = include ? [`HTTP ${response.status}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), ""] : [];
  const report = [...head, text].join("\n");
  const fields = { http_status: response.status, request_id: headers["x-request-id"] ?? null, body: body ?? text };
  if (!response.ok) return failed(`The service answered HTTP ${response.status}.`, fields, report);
  const exitCode = exitCodeOf(body);
  // A transaction that did not succeed is an answer, but not a success.
  return { ...done(`HTTP ${response.status}`, fields, report), ok: exitCode === EXIT_CODES.ok, exitCode };
}

function exitCodeOf(body: unknown): ExitCode {
  const status = typeof body === "object" && body !== null && "status" in body ? String(body.status) : "";
  if (status === "pending") return EXIT_CODES.undecided;
  return status.toUpperCase() === "FAILED" ? EXIT_CODES.notCharged : EXIT_CODES.ok;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
