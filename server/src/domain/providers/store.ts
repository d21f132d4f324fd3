import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { Sealed } from "../../platform/crypto/keyring.ts";
import type { Queryable, Transaction } from "../../platform/db/connection.ts";
import type { Route } from "./routing/routing.ts";

export const CONNECTORS = ["simulator", "description", "corprail", "plugin"] as const;
export type ConnectorKind = (typeof CONNECTORS)[number];

/**
 * Whether an order is finished by the version of the settings with which it was sent. The simulator has no settings and
 * carries nothing out.
 */
export function isVersioned(connector: ConnectorKind): boolean {
  return connector !== "simulator";
}

export type ProviderRow = {
  readonly provider: string;
  readonly connector: ConnectorKind;
  /** The description or settings, never a secret. */
  readonly settings: JsonObject;
  readonly secret_key_id: string | null;
  readonly secret: Buffer | null;
  readonly enabled: boolean;
  readonly created_at: Date;
  /** The current version, whose settings these are. */
  readonly version: number;
  readonly candidate_version: number | null;
  /** The share of new orders that the candidate gets; 0 when it only reads again. */
  readonly candidate_percent: number;
};

function columns(sql: Queryable) {
  return sql`provider, connector, settings, secret_key_id, secret, enabled, created_at, version, candidate_version, candidate_percent`;
}

export async function readProviders(sql: Queryable): Promise<readonly ProviderRow[]> {
  return await sql<ProviderRow[]>`select ${columns(sql)} from providers order by provider`;
}

export async function readRoutes(sql: Queryable): Promise<readonly Route[]> {
  return await sql<Route[]>`
    select service, operator, provider, priority, weight, enabled from provider_routes order by service, operator, priority, provider`;
}

export async function lockProvider(tx: Transaction, provider: string): Promise<ProviderRow | undefined> {
  const [row] = await tx<ProviderRow[]>`select ${columns(tx)} from providers where provider = ${provider} for update`;
  return row;
}

/** Adds the provider as enabled, or changes its settings and secrets without changing whether it is enabled. */
export async function upsertProvider(tx: Transaction, row: Omit<ProviderRow, "enabled">): Promise<void> {
  await tx`
    insert into providers (provider, connector, settings, secret_key_id, secret, created_at, version, candidate_version, candidate_percent)
    values (${row.provider}, ${row.connector}, ${tx.json(row.settings)}, ${row.secret_key_id}, ${row.secret}, ${row.created_at},
      ${row.version}, ${row.candidate_version}, ${row.candidate_percent})
    on conflict (provider) do update set connector = excluded.connector, settings = excluded.settings,
      secret_key_id = excluded.secret_key_id, secret = excluded.secret, version = excluded.version,
      candidate_version = excluded.candidate_version, candidate_percent = excluded.candidate_percent`;
}

export async function updateProviderSwitch(tx: Transaction, provider: string, enabled: boolean): Promise<void> {
  await tx`update providers set enabled = ${enabled} where provider = ${provider} and enabled <> ${enabled}`;
}

export type RouteKey = Pick<Route, "service" | "operator" | "provider">;

export async function lockRoute(tx: Transaction, key: RouteKey): Promise<Route | undefined> {
  const [row] = await tx<Route[]>`
    select service, operator, provider, priority, weight, enabled from provider_routes
    where service = ${key.service} and operator = ${key.operator} and provider = ${key.provider} for update`;
  return row;
}

export async function upsertRoute(tx: Transaction, route: Route): Promise<void> {
  await tx`
    insert into provider_routes (service, operator, provider, priority, weight, enabled)
    values (${route.service}, ${route.operator}, ${route.provider}, ${route.priority}, ${route.weight}, ${route.enabled})
    on conflict (service, operator, provider) do update set
      priority = excluded.priority, weight = excluded.weight, enabled = excluded.enabled`;
}

export async function removeRoute(tx: Transaction, key: RouteKey): Promise<Route | undefined> {
  const [row] = await tx<Route[]>`
    delete from provider_routes where service = ${key.service} and operator = ${key.operator} and provider = ${key.provider}
    returning service, operator, provider, priority, weight, enabled`;
  return row;
}

export function sealedOf(row: ProviderRow): Sealed | null {
  return row.secret_key_id === null || row.secret === null ? null : { keyId: row.secret_key_id, sealed: row.secret };
}
