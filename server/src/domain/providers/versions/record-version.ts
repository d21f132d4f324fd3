import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { Queryable, Transaction } from "../../../platform/db/connection.ts";
import type { WithReason } from "../../accounts/context.ts";
import { secretNames } from "../connector-setup.ts";
import type { DescribedProvider } from "../settings/described-provider.ts";
import { originsOf } from "../settings/provider-origins.ts";
import type { ProviderRow } from "../store.ts";
import { insertVersion, type KeptVersion, nextVersion, readKeptVersions, readVersions, retireVersion } from "./version-store.ts";

/** What is saved as a version. `version` is a stored one that becomes current; absent for a new one. */
type VersionInput = WithReason & DescribedProvider & { readonly version?: number };

type Versions = Pick<ProviderRow, "version" | "candidate_version" | "candidate_percent">;

/** The versions of a provider after a save. A candidate that becomes current is no candidate any more. */
export async function versionsAfter(
  tx: Transaction,
  input: VersionInput,
  before: ProviderRow | undefined,
  changes: JsonObject,
): Promise<Versions> {
  const version = await versionOf(tx, input, before, changes);
  if (!before || version === before.candidate_version) return { version, candidate_version: null, candidate_percent: 0 };
  return { version, candidate_version: before.candidate_version, candidate_percent: before.candidate_percent };
}

/** A change of secrets alone is no new version: all versions use the same ones. */
async function versionOf(tx: Transaction, input: VersionInput, before: ProviderRow | undefined, changes: JsonObject): Promise<number> {
  if (input.version !== undefined) return input.version;
  if (before && !("settings_changed" in changes) && !("connector_was" in changes)) return before.version;
  return await nextVersion(tx, input.provider);
}

type Recorded = {
  readonly actor: string;
  readonly input: VersionInput;
  readonly before: ProviderRow | undefined;
  readonly version: number;
  readonly at: Date;
};

/** Stores the new version and notes when the one before stopped being used for new orders. */
export async function recordVersion(tx: Transaction, { actor, input, before, version, at }: Recorded): Promise<void> {
  if (before?.version === version) return;
  const { provider, connector, settings, reason = null } = input;
  if (input.version === undefined)
    await insertVersion(tx, version, { provider, connector, settings, created_at: at, created_by: actor, reason });
  else await retireVersion(tx, provider, version, null);
  if (before) await retireVersion(tx, provider, before.version, at);
}

/** What matters for the secrets besides the current version. */
export type OtherVersions = {
  /** The versions that still finish orders, or are tried: without their secrets they could not be started. */
  readonly kept: readonly KeptVersion[];
  /** The secrets of a stored version that becomes current, as far as they were never used with other addresses than its own. */
  readonly known: readonly string[];
};

export async function otherVersions(sql: Queryable, input: VersionInput, now: number): Promise<OtherVersions> {
  const kept = await readKeptVersions(sql, now, input.provider);
  return { kept, known: input.version === undefined ? [] : await secretsOfItsAddresses(sql, input) };
}

/** A secret that another version used elsewhere may have got that address's value since, so it must be entered again. */
async function secretsOfItsAddresses(sql: Queryable, input: VersionInput): Promise<readonly string[]> {
  const versions = await readVersions(sql, input.provider);
  const own = addressesOf(input);
  const elsewhere = new Set(versions.filter((one) => addressesOf(one) !== own).flatMap(namesIn));
  return namesIn(input).filter((name) => !elsewhere.has(name));
}

function namesIn({ connector, settings }: Omit<DescribedProvider, "provider">): readonly string[] {
  return secretNames(connector, settings);
}

function addressesOf(described: Omit<DescribedProvider, "provider">): string {
  return [...new Set(originsOf(described))].sort().join(" ");
}
