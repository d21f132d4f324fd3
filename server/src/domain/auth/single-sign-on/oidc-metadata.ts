import { createHash } from "node:crypto";
import type { createRemoteJWKSet } from "jose";
import type { Configuration, CustomFetch, ServerMetadata } from "openid-client";
import type { Clock } from "../../../platform/core/clock.ts";
import { OidcFault } from "./oidc-fault.ts";

/** What is needed to speak with an identity provider. */
export type OidcParty = { readonly issuer: string; readonly clientId: string; readonly clientSecret: string | null };

export type OidcOptions = {
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  /** Plain http is for trials only. */
  readonly allowsHttp: () => boolean;
  /** How long metadata is used, and how soon keys are read again for an unknown key id. */
  readonly metadataMilliseconds?: number;
  /** For how long metadata that could not be read is not requested again. */
  readonly failureMilliseconds?: number;
  readonly keyMilliseconds?: number;
};

/** A provider's metadata and its keys, which are read again when a token names an unknown one. */
export type KnownParty = { readonly config: Configuration; readonly keys: ReturnType<typeof createRemoteJWKSet> };

// Signatures with a public key only: with HS256 the provider's public key or our secret could sign.
export const ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"];
export const TOLERANCE_SECONDS = 30;
const METADATA_MILLISECONDS = 10 * 60_000;
const FAILURE_MILLISECONDS = 30_000;
const KEY_MILLISECONDS = 30_000;
const MAX_KEPT = 200;

/** Loaded at the first use, like the library of passkeys. */
export const openidClient = () => import("openid-client");
export const jose = () => import("jose");

/** Reads the metadata of providers and keeps it for a while. Callers at the same time share one request, and its failure too. */
export function createDirectory(options: OidcOptions): {
  readonly read: (party: OidcParty) => Promise<KnownParty>;
  readonly readNow: (party: OidcParty) => Promise<KnownParty>;
} {
  const kept = new Map<string, { readonly found: Promise<KnownParty>; until: number }>();
  const { metadataMilliseconds = METADATA_MILLISECONDS, failureMilliseconds = FAILURE_MILLISECONDS } = options;
  const keep = (key: string, party: OidcParty) => {
    const entry = { found: discover(options, party), until: Number.POSITIVE_INFINITY };
    const keepFor = (milliseconds: number) => {
      entry.until = performance.now() + milliseconds;
    };
    entry.found.then(
      () => keepFor(metadataMilliseconds),
      () => keepFor(failureMilliseconds),
    );
    kept.delete(key);
    if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value ?? "");
    kept.set(key, entry);
    return entry.found;
  };
  return {
    readNow: async (party) => {
      const known = await discover(options, party);
      kept.delete(keyOf(party));
      return known;
    },
    read: (party) => {
      const key = keyOf(party);
      const before = kept.get(key);
      return before && performance.now() < before.until ? before.found : keep(key, party);
    },
  };
}

function keyOf(party: OidcParty): string {
  return createHash("sha256").update(JSON.stringify(party)).digest("hex");
}

async function discover(options: OidcOptions, { issuer, clientId, clientSecret }: OidcParty): Promise<KnownParty> {
  const { discovery, customFetch, clockSkew, clockTolerance, allowInsecureRequests, ...client } = await openidClient();
  const isHttp = new URL(issuer).protocol === "http:";
  if (isHttp && !options.allowsHttp()) throw new OidcFault("The issuer must begin with https://.");
  const own = { [clockSkew]: Math.round((options.clock.now() - Date.now()) / 1000), [clockTolerance]: TOLERANCE_SECONDS };
  const found = await discovery(new URL(issuer), clientId, own, client.None(), {
    [customFetch]: options.fetch as unknown as CustomFetch,
    ...(isHttp ? { execute: [allowInsecureRequests] } : {}),
  });
  const metadata = checkedMetadata(found.serverMetadata(), issuer);
  const methods = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const secretIn = methods.includes("client_secret_basic") ? client.ClientSecretBasic : client.ClientSecretPost;
  const config = new client.Configuration(metadata, clientId, own, clientSecret === null ? client.None() : secretIn(clientSecret));
  Object.assign(config, { [customFetch]: options.fetch });
  if (isHttp) allowInsecureRequests(config);
  return { config, keys: await keysAt(options, metadata.jwks_uri ?? "") };
}

/** The metadata, with the accepted algorithms only. */
function checkedMetadata(metadata: Readonly<ServerMetadata>, issuer: string): ServerMetadata {
  // Some libraries accept a template for every tenant of a provider; then any tenant could sign in.
  if (metadata.issuer !== issuer) throw new OidcFault(`The provider calls itself ${metadata.issuer}. Enter exactly this as the issuer.`);
  if (!metadata.authorization_endpoint || !metadata.token_endpoint || !metadata.jwks_uri)
    throw new OidcFault("Its metadata lacks an endpoint for authorization, tokens or keys.");
  const algorithms = metadata.id_token_signing_alg_values_supported?.filter((name) => ALGORITHMS.includes(name)) ?? ["RS256"];
  if (algorithms.length === 0) throw new OidcFault("It signs ID tokens with none of the accepted algorithms.");
  return { ...metadata, id_token_signing_alg_values_supported: algorithms };
}

async function keysAt({ fetch, allowsHttp, keyMilliseconds = KEY_MILLISECONDS }: OidcOptions, uri: string): Promise<KnownParty["keys"]> {
  const { createRemoteJWKSet, customFetch } = await jose();
  if (new URL(uri).protocol !== "https:" && !allowsHttp()) throw new OidcFault("Its keys must be at an https address.");
  return createRemoteJWKSet(new URL(uri), { cooldownDuration: keyMilliseconds, [customFetch]: fetch });
}
