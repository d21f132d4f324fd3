import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { type Signable, stringToSign } from "@corprail/sdk";
import { done, failed, type Outcome, UsageFault } from "../shared/outcome.ts";
import type { ClientContext } from "../shared/run-command.ts";
import { quoted } from "../shared/shell-words.ts";
import { findCredentials, type ProfileOption } from "./credentials.ts";
import { type RequestOptions, requestParts, targetOf } from "./request-parts.ts";
import { type Moment, signable, signedHeaders } from "./signed-headers.ts";

export type SignOptions = ProfileOption & RequestOptions & Moment & { readonly against?: string };

const LINES = ["method", "path", "canonical query", "SHA-256 of the body", "timestamp", "nonce"] as const;

/** Shows how a request is signed, without sending it. The secret is never shown. */
export async function signRequestLines(ctx: ClientContext, method: string, path: string, options: SignOptions): Promise<Outcome> {
  if (options.against === "-" && options.data === "-") throw new UsageFault("Standard input can be the body or the lines, not both.");
  const parts = await requestParts(method, path, options);
  const { signingSecret, source, baseUrl } = await findCredentials(ctx, options);
  if (signingSecret === null) throw new UsageFault(`${source} has no signing secret: set CORPRAIL_SIGNING_SECRET.`);
  const own = options.against === undefined ? null : await ownLines(options.against);
  // The timestamp and nonce of the caller's own lines are used unless options name others, so that only other lines can differ.
  const request = signable(parts, { ...momentOf(own), ...given(options) });
  const headers = signedHeaders(signingSecret, request);
  const lines = stringToSign(request).split("\n");
  const curl = curlLine(request, headers, `${baseUrl ?? "$CORPRAIL_BASE_URL"}${targetOf(parts)}`, options.data);
  const fields = {
    string_to_sign: lines.join("\n"),
    body_sha256: lines[3],
    headers,
    curl,
  };
  return own === null ? done("Nothing was sent.", fields, reportOf(lines, headers, curl)) : compared(lines, own, fields);
}

function reportOf(lines: readonly string[], headers: Readonly<Record<string, string>>, curl: string): string {
  return [
    "String to sign, six lines with a newline between and none at the end:",
    ...lines.map((line, place) => `  ${place + 1}  ${line}`),
    "",
    `SHA-256 of the body: ${lines[3]}`,
    "",
    "Headers, besides X-Api-Token:",
    ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`),
    "",
    "Good for five minutes, and once:",
    curl,
  ].join("\n");
}

/** Compares the caller's own lines with ours and lists those that differ. */
function compared(lines: readonly string[], own: readonly string[], fields: Outcome["fields"]): Outcome {
  const differing = LINES.flatMap((name, place) => {
    const [ours, theirs] = [lines[place] ?? "", own[place]];
    return ours === theirs ? [] : [{ line: place + 1, name, expected: ours, found: theirs ?? null }];
  });
  const count = own.length === LINES.length ? [] : [`There are ${own.length} lines; a newline at the end makes one too many.`];
  if (differing.length === 0 && count.length === 0) return done("All six lines are the same.", { ...fields, differing });
  const report = [
    ...count,
    ...differing.map(
      (one) => `line ${one.line}, ${one.name}:\n  expected ${JSON.stringify(one.expected)}\n  found    ${JSON.stringify(one.found)}`,
    ),
  ].join("\n");
  return failed("The lines differ.", { ...fields, differing }, report);
}

async function ownLines(source: string): Promise<readonly string[]> {
  const given = source === "-" ? await text(process.stdin) : await readFile(source, "utf8");
  return given.split("\n");
}

function momentOf(own: readonly string[] | null): Moment {
  const [timestamp, nonce] = [own?.[4] ?? "", own?.[5] ?? ""];
  return { ...(timestamp === "" ? {} : { timestamp }), ...(nonce === "" ? {} : { nonce }) };
}

function given({ timestamp, nonce }: Moment): Moment {
  return { ...(timestamp === undefined ? {} : { timestamp }), ...(nonce === undefined ? {} : { nonce }) };
}

/** The token comes from the shell's own variable, so that the line may be pasted into a ticket. */
function curlLine(request: Signable, headers: Readonly<Record<string, string>>, url: string, data: string | undefined): string {
  const shown = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const address = url.startsWith("$") ? `"${url}"` : quoted(url);
  const body = data === undefined ? [] : ["-H 'Content-Type: application/json'", bodyArgument(request, data)];
  return ["curl -sS", address, '-H "X-Api-Token: $CORPRAIL_TOKEN"', ...shown, ...body].join(" ");
}

// A file is named again, so that curl sends the bytes that were signed.
function bodyArgument({ body }: Signable, data: string): string {
  return data.startsWith("@") ? `--data-binary ${quoted(data)}` : `--data-raw ${quoted(Buffer.from(body).toString("utf8"))}`;
}
