import { createHmac } from "node:crypto";
import { percentEncode } from "../../wire/percent-encode.ts";
import type { ComputedDefinition } from "../language/computed.ts";
import { render } from "../template/render.ts";
import { Inexpressible } from "../template/value.ts";
import type { CallScope, Random } from "./scope.ts";

type OAuth1 = Extract<ComputedDefinition, { kind: "oauth1" }>;

/** The Authorization header of OAuth 1.0 with HMAC-SHA1 (RFC 5849). A JSON body is not signed; a form is. */
export function oauth1Header(made: OAuth1, scope: CallScope, random: Random): string {
  const own = ownParameters(made, scope, random);
  const tokenSecret = made.token_secret === undefined ? "" : render(made.token_secret, scope);
  const signature = signatureOf(signedText(scope, own), render(made.consumer_secret, scope), tokenSecret);
  const header = [...own, ["oauth_signature", signature] as const].map(([name, value]) => `${name}="${percentEncode(value)}"`);
  return `OAuth ${header.join(", ")}`;
}

/** What the signature of a call is made of. */
export function oauth1Text(made: OAuth1, scope: CallScope, random: Random): string {
  return signedText(scope, ownParameters(made, scope, random));
}

type Parameter = readonly [string, string];

function ownParameters(made: OAuth1, scope: CallScope, random: Random): readonly Parameter[] {
  const token = made.token === undefined ? [] : [["oauth_token", render(made.token, scope)] as const];
  return [
    ["oauth_consumer_key", render(made.consumer_key, scope)],
    ["oauth_nonce", random.nonce ?? random.bytes(16).toString("hex")],
    ["oauth_signature_method", "HMAC-SHA1"],
    ["oauth_timestamp", seconds(scope)],
    ...token,
    ["oauth_version", "1.0"],
  ];
}

function signedText(scope: CallScope, own: readonly Parameter[]): string {
  const query = [...new URLSearchParams(part(scope, "query"))];
  const form = part(scope, "form") === "" ? [] : [...new URLSearchParams(part(scope, "form"))];
  return baseString(part(scope, "method"), part(scope, "url"), [...own, ...query, ...form]);
}

/** The signature of a base string. Without a token its secret is empty, and the separator stays. */
export function signatureOf(base: string, consumerSecret: string, tokenSecret: string): string {
  return createHmac("sha1", `${percentEncode(consumerSecret)}&${percentEncode(tokenSecret)}`)
    .update(base)
    .digest("base64");
}

/** The signature base string: method, address without query, and all parameters sorted. */
export function baseString(method: string, url: string, parameters: readonly (readonly [string, string])[]): string {
  const pairs = parameters.map(([name, value]) => [percentEncode(name), percentEncode(value)] as const);
  const sorted = pairs.toSorted(([one, first], [other, second]) => compare(one, other) || compare(first, second));
  const text = sorted.map(([name, value]) => `${name}=${value}`).join("&");
  return [method, percentEncode(url), percentEncode(text)].join("&");
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function part(scope: CallScope, name: string): string {
  return scope.parts.get(name) ?? "";
}

function seconds(scope: CallScope): string {
  const now = scope.get("now");
  if (typeof now !== "object" || now.kind !== "time") throw new Inexpressible("there is no time for a signature");
  return String(Math.floor(now.at / 1000));
}
