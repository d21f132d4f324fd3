import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";
import type { Clock } from "../../platform/core/clock.ts";
import type { Vault } from "../../platform/crypto/vault.ts";
import type { Queryable, Sql } from "../../platform/db/connection.ts";
import type { Row } from "../../platform/db/schema/row-types.ts";
import { refuseRetiredKey } from "../accounts/account-change.ts";
import type { SealedRows } from "../accounts/master-key/rotate-master-key.ts";
import { sealedTable } from "../accounts/master-key/sealed-table.ts";
import { appendAudit } from "../audit/append.ts";

export type PublicKey = Pick<Row<"signing_keys">, "key_id" | "public_key" | "created_at">;
type KeyRow = PublicKey & Pick<Row<"signing_keys">, "secret_key_id" | "secret">;

/** Signs texts with the installation's newest key. */
export type Signer = { readonly keyId: string; readonly publicKey: string; readonly sign: (text: string) => Buffer };

export type SigningKeyContext = { readonly sql: Sql; readonly clock: Clock; readonly vault: Vault };

const KEY_LOCK = 7_236_154_204;

const contextOf = (keyId: string) => `signing/${keyId}`;

/** The private keys, for the rotation of the master key. */
export const SIGNING_KEYS: SealedRows = sealedTable({
  ...{ table: "signing_keys", id: "key_id", keyId: "secret_key_id", sealed: "secret" },
  contextOf,
});

/** Loads the newest key; the first use creates it. */
export async function loadSigner(ctx: SigningKeyContext): Promise<Signer> {
  const row = (await readNewestKey(ctx.sql)) ?? (await createKey(ctx));
  const privateKey = await unseal(ctx.vault, row);
  return { keyId: row.key_id, publicKey: row.public_key, sign: (text) => sign(null, Buffer.from(text), privateKey) };
}

async function unseal(vault: Vault, row: KeyRow): Promise<KeyObject> {
  return createPrivateKey(await vault.open({ keyId: row.secret_key_id, sealed: row.secret }, contextOf(row.key_id)));
}

async function readNewestKey(sql: Queryable): Promise<KeyRow | null> {
  const [row] = await sql<KeyRow[]>`
    select key_id, public_key, secret_key_id, secret, created_at from signing_keys order by created_at desc, key_id limit 1`;
  return row ?? null;
}

async function createKey({ sql, clock, vault }: SigningKeyContext): Promise<KeyRow> {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
  const keyId = keyIdOf(pem);
  await vault.reload();
  const sealed = vault.keyring().seal(privateKey.export({ type: "pkcs8", format: "pem" }).toString(), contextOf(keyId));
  const createdAt = new Date(clock.now());
  const row = { key_id: keyId, public_key: pem, secret_key_id: sealed.keyId, secret: sealed.sealed, created_at: createdAt };
  return await sql.begin(async (tx) => {
    // Of two processes, the second one waits here and uses the first one's key.
    await tx`select pg_advisory_xact_lock(${KEY_LOCK})`;
    const existing = await readNewestKey(tx);
    if (existing) return existing;
    await tx`insert into signing_keys ${tx(row)}`;
    await appendAudit(tx, createdAt, {
      actor: "system",
      action: "signing_key.created",
      subject: { kind: "signing_key", id: keyId },
      details: { public_key: pem },
    });
    await refuseRetiredKey(tx, sealed.keyId);
    return row;
  });
}

export async function listPublicKeys(sql: Queryable): Promise<readonly PublicKey[]> {
  return await sql<PublicKey[]>`select key_id, public_key, created_at from signing_keys order by created_at, key_id`;
}

/** The fingerprint of a public key: 16 bytes of the SHA-256 of its DER encoding. */
export function keyIdOf(pem: string): string {
  const der = createPublicKey(pem).export({ type: "spki", format: "der" });
  return createHash("sha256").update(der).digest("hex").slice(0, 32);
}

export function isSignedBy(publicKey: string, text: string, signature: Buffer): boolean {
  return verify(null, Buffer.from(text), publicKey, signature);
}

/**
 * Names the keys that this installation did not make. Who has the database but not the master key can insert a public key,
 * but cannot seal its private key.
 */
export async function findForeignKeys({ sql, vault }: { readonly sql: Queryable; readonly vault: Vault }): Promise<readonly string[]> {
  const rows = await sql<KeyRow[]>`select key_id, public_key, secret_key_id, secret, created_at from signing_keys order by key_id`;
  const isOwn = async (row: KeyRow) => {
    try {
      const own = createPublicKey(await unseal(vault, row)).export({ type: "spki", format: "pem" });
      return own === row.public_key && keyIdOf(row.public_key) === row.key_id;
    } catch {
      // It does not open, or is not a key: both mean that it is not ours.
      return false;
    }
  };
  const checked = await Promise.all(rows.map(async (row) => ({ keyId: row.key_id, isOwn: await isOwn(row) })));
  return checked.filter((key) => !key.isOwn).map((key) => key.keyId);
}
