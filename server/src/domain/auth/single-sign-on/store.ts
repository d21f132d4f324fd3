import type { Queryable, Transaction } from "../../../platform/db/connection.ts";
import type { Realm } from "../context.ts";
import type { IdentityProvider } from "./identity-provider.ts";

function columns(sql: Queryable) {
  return sql`provider_id, realm, account_id, name, issuer, client_id, key_id, sealed, role_claim, role_map, default_role, grants_manager,
    creates_members, second_factor, enforced, enabled, changed_at, changed_by, changed_by_person`;
}

/** The provider of staff, or of one account. */
export type ProviderOwner = { readonly realm: Realm; readonly accountId: string | null };

function owned(sql: Queryable, { realm, accountId }: ProviderOwner) {
  return accountId === null ? sql`realm = ${realm} and account_id is null` : sql`realm = ${realm} and account_id = ${accountId}`;
}

export async function findProvider(sql: Queryable, owner: ProviderOwner): Promise<IdentityProvider | undefined> {
  const [row] = await sql<IdentityProvider[]>`select ${columns(sql)} from identity_providers where ${owned(sql, owner)}`;
  return row;
}

export async function lockProvider(tx: Transaction, owner: ProviderOwner): Promise<IdentityProvider | undefined> {
  const [row] = await tx<IdentityProvider[]>`select ${columns(tx)} from identity_providers where ${owned(tx, owner)} for update`;
  return row;
}

export async function findProviderById(sql: Queryable, realm: Realm | null, providerId: string): Promise<IdentityProvider | undefined> {
  const [row] = await sql<IdentityProvider[]>`
    select ${columns(sql)} from identity_providers
    where provider_id = ${providerId} and realm = coalesce(${realm}::text, realm)`;
  return row;
}

/** The enabled provider of the account to which an email domain belongs. */
export async function findProviderOfDomain(sql: Queryable, realm: Realm, domain: string): Promise<IdentityProvider | undefined> {
  const [row] = await sql<IdentityProvider[]>`
    select ${columns(sql)} from identity_providers p
    where p.realm = ${realm} and p.enabled and exists (
      select from sign_on_domains d
      where d.realm = p.realm and d.account_id is not distinct from p.account_id and d.domain = ${domain})`;
  return row;
}

/** Whether any provider of the site can be used. */
export async function hasProvider(sql: Queryable, realm: Realm): Promise<boolean> {
  const [row] = await sql<{ has: boolean }[]>`
    select exists (select from identity_providers where realm = ${realm} and enabled) as has`;
  return row?.has ?? false;
}

export async function writeProvider(tx: Transaction, row: IdentityProvider): Promise<void> {
  await tx`
    insert into identity_providers (${columns(tx)}, created_at)
    values (${row.provider_id}, ${row.realm}, ${row.account_id}, ${row.name}, ${row.issuer}, ${row.client_id}, ${row.key_id}, ${row.sealed},
      ${row.role_claim}, ${tx.json(row.role_map as never)}, ${row.default_role}, ${row.grants_manager}, ${row.creates_members},
      ${row.second_factor}, ${row.enforced}, ${row.enabled}, ${row.changed_at}, ${row.changed_by}, ${row.changed_by_person}, ${row.changed_at})
    on conflict (provider_id) do update set
      name = excluded.name, issuer = excluded.issuer, client_id = excluded.client_id, key_id = excluded.key_id, sealed = excluded.sealed,
      role_claim = excluded.role_claim, role_map = excluded.role_map, default_role = excluded.default_role,
      grants_manager = excluded.grants_manager, creates_members = excluded.creates_members, second_factor = excluded.second_factor,
      enforced = excluded.enforced, enabled = excluded.enabled, changed_at = excluded.changed_at, changed_by = excluded.changed_by,
      changed_by_person = excluded.changed_by_person`;
}

export async function deleteProvider(tx: Transaction, providerId: string): Promise<void> {
  await tx`delete from identity_providers where provider_id = ${providerId}`;
}

export async function readDomains(sql: Queryable, { realm, accountId }: ProviderOwner): Promise<readonly string[]> {
  const rows = await sql<{ domain: string }[]>`
    select domain from sign_on_domains where realm = ${realm} and account_id is not distinct from ${accountId} order by domain`;
  return rows.map(({ domain }) => domain);
}

/** Replaces the domains. Returns those that belong to somebody else, and then changes nothing. */
export async function replaceDomains(tx: Transaction, owner: ProviderOwner, domains: readonly string[]): Promise<readonly string[]> {
  const { realm, accountId } = owner;
  const wanted = [...domains];
  const taken = await tx<{ domain: string }[]>`
    select domain from sign_on_domains
    where realm = ${realm} and domain = any(${wanted}) and account_id is distinct from ${accountId} order by domain`;
  if (taken.length > 0) return taken.map(({ domain }) => domain);
  await tx`
    delete from sign_on_domains
    where realm = ${realm} and account_id is not distinct from ${accountId} and not (domain = any(${wanted}))`;
  // Of two that claim a domain at the same time, the second claims nothing and gets an error.
  for (const domain of wanted)
    await tx`insert into sign_on_domains (realm, domain, account_id) values (${realm}, ${domain}, ${accountId}) on conflict do nothing`;
  const own = await readDomains(tx, owner);
  return wanted.filter((domain) => !own.includes(domain));
}

export type IdentityRow = { readonly user_id: string; readonly subject: string };

export async function findIdentity(tx: Transaction, provider: IdentityProvider, subject: string): Promise<IdentityRow | undefined> {
  const [row] = await tx<IdentityRow[]>`
    select user_id, subject from user_identities
    where provider_id = ${provider.provider_id} and issuer = ${provider.issuer} and subject = ${subject}`;
  return row;
}

/** Binds a user to a subject. Returns false when the user is bound to another subject of the provider. */
export async function bindIdentity(
  tx: Transaction,
  { provider_id, issuer }: IdentityProvider,
  { subject, userId, at }: { readonly subject: string; readonly userId: string; readonly at: Date },
): Promise<boolean> {
  const bound = await tx`
    insert into user_identities (provider_id, issuer, subject, user_id, created_at, last_used_at)
    values (${provider_id}, ${issuer}, ${subject}, ${userId}, ${at}, ${at})
    on conflict do nothing returning 1`;
  return bound.length > 0;
}

export async function touchIdentity(tx: Transaction, provider: IdentityProvider, subject: string, at: Date): Promise<void> {
  await tx`
    update user_identities set last_used_at = ${at}
    where provider_id = ${provider.provider_id} and issuer = ${provider.issuer} and subject = ${subject}`;
}

/** Forgets which subjects a user is bound to, so that the next sign-in binds a new one. */
export async function unbindUser(tx: Transaction, userId: string): Promise<number> {
  const gone = await tx`delete from user_identities where user_id = ${userId} returning 1`;
  return gone.length;
}
