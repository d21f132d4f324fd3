import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { Queryable, Sql, Transaction } from "../../../platform/db/connection.ts";
import type { Row } from "../../../platform/db/schema/row-types.ts";
import { CONNECTORS, type ConnectorKind, isVersioned } from "../store.ts";

/** A version of a provider's settings. */
export type VersionRow = Pick<
  Row<"provider_versions">,
  "provider" | "version" | "created_at" | "created_by" | "reason" | "retired_at" | "compared" | "differing"
> & { readonly connector: ConnectorKind; readonly settings: JsonObject };

/** The settings of versions that still finish orders, besides the current ones. */
export type KeptVersion = Pick<VersionRow, "provider" | "version" | "connector" | "settings">;

const VERSIONED = CONNECTORS.filter(isVersioned);
// A success may be checked again for 30 days; after that no version reads what is still said about an order.
const KEPT_MILLISECONDS = 31 * 24 * 3_600_000;

/** Of all providers, or of one. */
export async function readKeptVersions(sql: Queryable, now: number, provider: string | null = null): Promise<readonly KeptVersion[]> {
  return await sql<KeptVersion[]>`
    select v.provider, v.version, v.connector, v.settings from provider_versions v join providers p on p.provider = v.provider
    where v.version <> p.version and v.connector = any(${VERSIONED}) and (${provider}::text is null or v.provider = ${provider})
      and (v.version = p.candidate_version or v.retired_at > ${new Date(now - KEPT_MILLISECONDS)})
    order by v.provider, v.version`;
}

/** When the secrets of a version last changed. */
export type SecretsChange = { readonly provider: string; readonly version: number; readonly at: Date };

export async function readSecretsChanges(sql: Queryable): Promise<readonly SecretsChange[]> {
  return await sql<SecretsChange[]>`
    select provider, version, secrets_changed_at as at from provider_versions where secrets_changed_at is not null`;
}

export async function noteSecretsChange(tx: Transaction, provider: string, versions: readonly number[], at: Date): Promise<void> {
  await tx`
    update provider_versions set secrets_changed_at = ${at} where provider = ${provider} and version = any(${[...versions]}::integer[])`;
}

const columns = (sql: Queryable) =>
  sql`provider, version, connector, settings, created_at, created_by, reason, retired_at, compared, differing`;

/** All versions of a provider, newest first. */
export async function listVersions(sql: Queryable, provider: string): Promise<readonly VersionRow[]> {
  return await sql<VersionRow[]>`
    select ${columns(sql)} from provider_versions where provider = ${provider} order by version desc limit 100`;
}

/** The settings of every version of a provider. */
export async function readVersions(sql: Queryable, provider: string): Promise<readonly KeptVersion[]> {
  return await sql<KeptVersion[]>`select provider, version, connector, settings from provider_versions where provider = ${provider}`;
}

export async function readVersion(sql: Queryable, provider: string, version: number): Promise<VersionRow | undefined> {
  const [row] = await sql<VersionRow[]>`
    select ${columns(sql)} from provider_versions where provider = ${provider} and version = ${version}`;
  return row;
}

export type NewVersion = Pick<VersionRow, "provider" | "connector" | "settings" | "created_at" | "created_by" | "reason">;

/** The number of a provider's next version. The caller has locked the provider. */
export async function nextVersion(tx: Transaction, provider: string): Promise<number> {
  const [row] = await tx<{ next: number }[]>`
    select coalesce(max(version), 0)::int + 1 as next from provider_versions where provider = ${provider}`;
  return row?.next ?? 1;
}

export async function insertVersion(tx: Transaction, version: number, row: NewVersion): Promise<void> {
  await tx`
    insert into provider_versions (provider, version, connector, settings, created_at, created_by, reason)
    values (${row.provider}, ${version}, ${row.connector}, ${tx.json(row.settings)}, ${row.created_at}, ${row.created_by}, ${row.reason})`;
}

/** Marks a version as no longer in use for new orders, or as in use again when the time is null. */
export async function retireVersion(tx: Transaction, provider: string, version: number, at: Date | null): Promise<void> {
  await tx`update provider_versions set retired_at = ${at} where provider = ${provider} and version = ${version}`;
}

export async function updateCandidate(tx: Transaction, provider: string, version: number | null, percent: number): Promise<void> {
  await tx`update providers set candidate_version = ${version}, candidate_percent = ${percent} where provider = ${provider}`;
}

export type DifferenceRow = Pick<
  Row<"provider_version_differences">,
  "difference_id" | "provider" | "version" | "at" | "operation" | "reference"
> & { readonly fields: DifferingFields };

/** What the current version and the candidate read, by field. */
export type DifferingFields = Readonly<Record<string, { readonly current: string | null; readonly candidate: string | null }>>;

export async function listDifferences(sql: Sql, provider: string, version: number, limit: number): Promise<readonly DifferenceRow[]> {
  return await sql<DifferenceRow[]>`
    select difference_id, provider, version, at, operation, reference, fields from provider_version_differences
    where provider = ${provider} and version = ${version} order by difference_id desc limit ${limit}`;
}
