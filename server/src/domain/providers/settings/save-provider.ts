import { canonicalJson } from "../../../platform/core/canonical-json.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { Transaction } from "../../../platform/db/connection.ts";
import { refuseRetiredKey, withReason } from "../../accounts/account-change.ts";
import type { Conflict, NotFound, WithReason } from "../../accounts/context.ts";
import { appendAudit } from "../../audit/append.ts";
import { readServices } from "../../catalog/store.ts";
import { checkSetup, secretNames } from "../connector-setup.ts";
import type { ProvidersContext, SaveContext } from "../context.ts";
import { providerName } from "../description/language/words.ts";
import type { Secrets } from "../description/request/scope.ts";
import { clearState } from "../plugin/state-store.ts";
import { ANY, type Route, SIMULATOR } from "../routing/routing.ts";
import { type ConnectorKind, isVersioned, lockProvider, type ProviderRow, readRoutes, sealedOf, upsertProvider } from "../store.ts";
import { isShared, ownSecrets, withOtherSecrets } from "../versions/own-secrets.ts";
import { type OtherVersions, otherVersions, recordVersion, versionsAfter } from "../versions/record-version.ts";
import { type KeptVersion, noteSecretsChange } from "../versions/version-store.ts";
import { isSimulated, servicesOf } from "./capabilities.ts";
import { addressFaults, catalogueFaults, descriptionFaults } from "./check-description.ts";
import type { DescribedProvider } from "./described-provider.ts";
import type { Fault } from "./faults.ts";
import { originsOf } from "./provider-origins.ts";
import { sealSecrets, unsealSecrets } from "./provider-secrets.ts";
import { secretUses } from "./secret-uses.ts";
import { secretsFromEnvironment } from "./secrets.ts";

export type ProviderInput = WithReason &
  DescribedProvider & {
    /** By name; null removes a secret, and absent ones stay unchanged. */
    readonly secrets?: Readonly<Record<string, string | null>> | undefined;
    /**
     * For staff who may set secrets but not read them: stored secrets, or those in these variables, are not sent to a new
     * address, where they could be read. When absent, the caller is trusted with the secrets.
     */
    readonly guardSecrets?: Readonly<Record<string, string | undefined>> | undefined;
    /** Additional details for the audit entry. */
    readonly more?: JsonObject;
    /** A stored version that becomes the current one. Absent: these settings are a new version. */
    readonly version?: number;
  };

export type SaveProviderResult =
  | { readonly kind: "done"; readonly created: boolean }
  | { readonly kind: "invalid"; readonly faults: readonly Fault[] };

/** Adds or changes a provider. It gets orders only after a route to it is added. */
export async function saveProvider(ctx: SaveContext, actor: string, input: ProviderInput): Promise<SaveProviderResult> {
  const faults = await savingFaults(ctx, input);
  if (faults.length > 0) return { kind: "invalid", faults };
  const result = await ctx.sql.begin(async (tx) => writeProvider(tx, ctx, actor, input, await lockProvider(tx, input.provider)));
  if (result.kind === "done") await ctx.refresh();
  return result;
}

/** Checks a description before it is saved. This resolves host names, so it runs before the transaction. */
export async function savingFaults(ctx: SaveContext, input: ProviderInput): Promise<readonly Fault[]> {
  const own = faultsOf(input);
  if (own.length > 0) return own;
  return [...descriptionFaults(input), ...(await catalogueFaults(ctx.sql, input)), ...(await addressFaults(ctx.egress, input))];
}

function faultsOf(input: ProviderInput): readonly Fault[] {
  if (!providerName.safeParse(input.provider).success)
    return [{ path: "provider", message: "Must be 1 to 32 small letters, digits or -, a letter first." }];
  // Sandbox accounts depend on this name.
  if (input.provider === SIMULATOR && input.connector !== "simulator")
    return [{ path: "connector", message: "The connector of the provider named simulator cannot be changed." }];
  const checked = checkSetup({ ...input, secrets: {} });
  if (!checked.ok) return checked.faults;
  const known = secretNames(input.connector, input.settings);
  const unknown = Object.keys(input.secrets ?? {}).filter((name) => !known.includes(name));
  return unknown.map((name) => ({ path: `secrets.${name}`, message: "This provider has no such secret." }));
}

type Prepared =
  | {
      readonly kind: "prepared";
      readonly secrets: Secrets;
      /** Empty when nothing would change. */
      readonly changes: JsonObject;
      /** The versions that would use other secrets. */
      readonly otherSecrets: readonly number[];
    }
  | { readonly kind: "invalid"; readonly faults: readonly Fault[] };

/** Computes the change without saving it. */
export async function prepareProvider(
  ctx: Pick<ProvidersContext, "vault">,
  input: ProviderInput,
  before: ProviderRow | undefined,
  { kept, known }: OtherVersions = { kept: [], known: [] },
): Promise<Prepared> {
  const held = before ? await unsealSecrets(ctx.vault, input.provider, sealedOf(before)) : {};
  const own = faultsOf(input);
  const faults = own.length > 0 ? own : secretsForNewAddresses(before, held, input, known);
  if (faults.length > 0) return { kind: "invalid", faults };
  const versions = [...kept, ...versionBefore(before)];
  const secrets = merged(held, input, versions);
  const otherSecrets = withOtherSecrets(versions, held, secrets);
  return { kind: "prepared", secrets, changes: difference(before, held, input, secrets), otherSecrets };
}

/** Saves in the caller's transaction, which has locked the provider's row. */
export async function writeProvider(
  tx: Transaction,
  ctx: ProvidersContext,
  actor: string,
  input: ProviderInput,
  before: ProviderRow | undefined,
): Promise<SaveProviderResult> {
  const at = new Date(ctx.clock.now());
  const prepared = await prepareProvider(ctx, input, before, await otherVersions(tx, input, at.getTime()));
  if (prepared.kind === "invalid") return prepared;
  const broken = before ? await refuseBreakingRoutes(tx, before, input) : [];
  if (broken.length > 0) return { kind: "invalid", faults: broken };
  const { secrets, changes, otherSecrets } = prepared;
  if (before && Object.keys(changes).length === 0) return { kind: "done", created: false };
  const sealed = Object.keys(secrets).length === 0 ? null : sealSecrets(ctx.vault, input.provider, secrets);
  const versions = await versionsAfter(tx, input, before, changes);
  await upsertProvider(tx, {
    provider: input.provider,
    connector: input.connector,
    settings: input.settings,
    secret_key_id: sealed?.keyId ?? null,
    secret: sealed?.sealed ?? null,
    created_at: before?.created_at ?? at,
    ...versions,
  });
  await recordVersion(tx, { actor, input, before, version: versions.version, at });
  await noteSecretsChange(tx, input.provider, otherSecrets, at);
  if (before) await clearState(tx, input.provider);
  const action = before ? "provider.changed" : "provider.created";
  const details = withReason({ connector: input.connector, ...changes, ...input.more }, input.reason);
  await appendAudit(tx, at, { actor, action, subject: { kind: "provider", id: input.provider }, details });
  if (sealed) await refuseRetiredKey(tx, sealed.keyId);
  return { kind: "done", created: before === undefined };
}

function secretsForNewAddresses(
  before: ProviderRow | undefined,
  held: Secrets,
  input: ProviderInput,
  knownSecrets: readonly string[],
): readonly Fault[] {
  if (!input.guardSecrets) return [];
  const names = secretNames(input.connector, input.settings);
  const inEnvironment = secretsFromEnvironment(input.provider, names, input.guardSecrets);
  const known = before ? originsOf(before) : [];
  const isSameAddress = before !== undefined && originsOf(input).every((origin) => known.includes(origin));
  // A secret that the old description did not name was not sent to this address before.
  const sentBefore = isSameAddress ? secretNames(before.connector, before.settings) : [];
  const newUses = before ? newlyUsed(before, input) : [];
  const exposed = names.filter((name) => {
    const given = input.secrets?.[name];
    const used = Object.hasOwn(inEnvironment, name) || (Object.hasOwn(held, name) && given !== null);
    const isKnown = (sentBefore.includes(name) && !newUses.includes(name)) || (Object.hasOwn(held, name) && knownSecrets.includes(name));
    return used && typeof given !== "string" && !isKnown;
  });
  const message = "The new description would send this secret to a new address, or a part of it to a new place. Enter the secret again.";
  return exposed.map((name) => ({ path: `secrets.${name}`, message }));
}

/** The secrets that go to another address, or of which a part stands in another place, than before. */
function newlyUsed(before: ProviderRow, input: ProviderInput): readonly string[] {
  const known = new Set(secretUses(before).map(({ name, use }) => `${name} ${use}`));
  return secretUses(input).flatMap(({ name, use }) => (known.has(`${name} ${use}`) ? [] : [name]));
}

/** Settings that are replaced still finish their orders. */
function versionBefore(before: ProviderRow | undefined): readonly KeptVersion[] {
  return before && isVersioned(before.connector) ? [before] : [];
}

// A secret that no version in use names any more is deleted.
function merged(held: Secrets, input: ProviderInput, kept: readonly KeptVersion[]): Secrets {
  const known = [input, ...kept].flatMap(({ connector, settings }) => secretNames(connector, settings));
  const all: Readonly<Record<string, string | null>> = { ...held, ...input.secrets };
  const next = Object.fromEntries(
    Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== null && known.includes(pair[0])),
  );
  const used = { ...secretsFromEnvironment(input.provider, known, input.guardSecrets ?? {}), ...held };
  return { ...next, ...ownSecrets({ held: used, next, current: input, kept }) };
}

/** Only the names of fields, because the audit log is permanent and a description may contain a secret by mistake. */
function difference(before: ProviderRow | undefined, held: Secrets, input: ProviderInput, secrets: Secrets): JsonObject {
  const all = [...new Set([...Object.keys(held), ...Object.keys(secrets)])].filter(isShared);
  const names = all.filter((name) => held[name] !== secrets[name]).sort();
  const old: JsonObject = before?.settings ?? {};
  const fields = [...new Set([...Object.keys(old), ...Object.keys(input.settings)])].sort();
  const changed = fields.filter((field) => canonicalJson(old[field] ?? null) !== canonicalJson(input.settings[field] ?? null));
  return {
    ...(changed.length === 0 ? {} : { settings_changed: changed }),
    ...(names.length === 0 ? {} : { secrets_changed: names }),
    ...(before && before.connector !== input.connector ? { connector_was: before.connector } : {}),
  };
}

/** Reports routes to the provider that it could no longer serve with its new description. */
export async function refuseBreakingRoutes(tx: Transaction, before: ProviderRow, after: DescribedProvider): Promise<readonly Fault[]> {
  const routes = (await readRoutes(tx)).filter((route) => route.enabled && route.provider === before.provider);
  if (routes.length === 0) return [];
  if (isSimulated(before) !== isSimulated(after))
    return [{ path: "connector", message: `Routes lead to this provider: ${listed(routes)}. ${ADVICE} before you change its connector.` }];
  const services = (await readServices(tx)).map((one) => one.service);
  const lost = routes.filter(({ service, operator }) => {
    const asked = service === ANY ? services : [service];
    return servicesOf(before, asked, operator).some((one) => !servicesOf(after, asked, operator).includes(one));
  });
  if (lost.length === 0) return [];
  const path = before.connector === after.connector ? OPERATORS_AT[after.connector] : "connector";
  return [{ path, message: `The provider could no longer serve the routes ${listed(lost)}. ${ADVICE} first.` }];
}

/** Where each connector's settings say which operators it serves. */
const OPERATORS_AT: Readonly<Record<ConnectorKind, string>> = {
  simulator: "operators",
  description: "codes.operators",
  corprail: "operators",
  plugin: "plugin",
};

const ADVICE = "Delete those routes or switch them off";

function listed(routes: readonly Route[]): string {
  return routes.map(({ service, operator }) => `${service} ${operator}`).join(", ");
}

/** Adds a provider. It gets orders only after a route to it is added. */
export async function addProvider(ctx: SaveContext, actor: string, input: ProviderInput): Promise<SaveProviderResult | Conflict> {
  const faults = await savingFaults(ctx, input);
  if (faults.length > 0) return { kind: "invalid", faults };
  const result = await ctx.sql.begin(async (tx): Promise<SaveProviderResult | Conflict> => {
    const known = await lockProvider(tx, input.provider);
    if (known) return { kind: "conflict", reason: `The provider ${input.provider} already exists.` };
    return await writeProvider(tx, ctx, actor, input, undefined);
  });
  if (result.kind === "done") await ctx.refresh();
  return result;
}

/** Replaces the description of an existing provider. Orders sent before are finished by the version they were sent with. */
export async function changeProvider(ctx: SaveContext, actor: string, input: ProviderInput): Promise<SaveProviderResult | NotFound> {
  const faults = await savingFaults(ctx, input);
  if (faults.length > 0) return { kind: "invalid", faults };
  const result = await ctx.sql.begin(async (tx): Promise<SaveProviderResult | NotFound> => {
    const known = await lockProvider(tx, input.provider);
    return known ? await writeProvider(tx, ctx, actor, input, known) : { kind: "not_found" };
  });
  if (result.kind === "done") await ctx.refresh();
  return result;
}
