import { constants, createHmac, createPrivateKey, generateKeyPair, type KeyObject, privateDecrypt, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { z } from "zod";
import type { Keyring } from "../../../../platform/crypto/keyring.ts";
import type { Sql } from "../../../../platform/db/connection.ts";
import { refuseRetiredKey } from "../../../accounts/account-change.ts";
import type { SealedRows } from "../../../accounts/master-key/rotate-master-key.ts";
import { appendAudit } from "../../../audit/append.ts";
import { type AepsContext, SERVICE } from "../context.ts";
import { countKeysOnOld, insertKey, type KeyRow, lockKeyOnOld, readKey, replaceSealed } from "./key-store.ts";

/** The installation's decrypted AEPS key. It exists in memory only; the database contains it sealed. */
export type AepsKey = {
  readonly keyId: string;
  readonly publicKeyPem: string;
  /** Null when the text was not encrypted with this key. */
  readonly decrypt: (base64: string) => string | null;
  readonly digest: (text: string) => Buffer;
};

export type KeyHolder = () => Promise<AepsKey>;

const MODULUS_BITS = 2048;
const MODULUS_BYTES = MODULUS_BITS / 8;
const DIGEST_KEY_BYTES = 32;

/** The context that the key is sealed with. */
const KEY_CONTEXT = "aeps/key";

/** Loads the key at its first use and caches it, creating it if there is none. After a failure the next use tries again. */
export function holdKey(ctx: AepsContext): KeyHolder {
  let opened: Promise<AepsKey> | null = null;
  return () => {
    opened ??= unsealKey(ctx).catch((error: unknown) => {
      opened = null;
      throw error;
    });
    return opened;
  };
}

async function unsealKey(ctx: AepsContext): Promise<AepsKey> {
  const row = (await readKey(ctx.sql)) ?? (await makeKey(ctx));
  const text = await ctx.vault.open({ keyId: row.secret_key_id, sealed: row.secret }, KEY_CONTEXT);
  const secrets = sealedSecrets.parse(JSON.parse(text));
  return keyOf(row, createPrivateKey(secrets.private_key), Buffer.from(secrets.digest_key, "base64"));
}

// Digests have their own key, not the master key, so that customers are recognised after a rotation.
const sealedSecrets = z.object({ private_key: z.string(), digest_key: z.string() });

const newKeyPair = promisify(generateKeyPair);

/** When two processes create a key at once, the first to commit wins and both use that key. */
async function makeKey(ctx: AepsContext): Promise<KeyRow> {
  const { publicKey, privateKey } = await newKeyPair("rsa", { modulusLength: MODULUS_BITS });
  const secrets = JSON.stringify({
    private_key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    digest_key: randomBytes(DIGEST_KEY_BYTES).toString("base64"),
  } satisfies z.infer<typeof sealedSecrets>);
  await ctx.vault.reload();
  await ctx.sql.begin(async (tx) => {
    const at = new Date(ctx.clock.now());
    const { keyId: secretKeyId, sealed } = ctx.vault.keyring().seal(secrets, KEY_CONTEXT);
    const keyId = `aeps-${randomBytes(6).toString("hex")}`;
    const made = await insertKey(tx, {
      key_id: keyId,
      public_key: publicKey.export({ type: "spki", format: "pem" }).toString(),
      secret_key_id: secretKeyId,
      secret: sealed,
      created_at: at,
    });
    if (!made) return;
    await appendAudit(tx, at, {
      actor: "system",
      action: "aeps.key_made",
      subject: { kind: "service", id: SERVICE },
      details: { key_id: keyId },
    });
    await refuseRetiredKey(tx, secretKeyId);
  });
  const row = await readKey(ctx.sql);
  if (!row) throw new Error("The AEPS key was created but cannot be found.");
  return row;
}

function keyOf(row: KeyRow, privateKey: KeyObject, digestKey: Buffer): AepsKey {
  return {
    keyId: row.key_id,
    publicKeyPem: row.public_key,
    decrypt: (base64) => decryptWith(privateKey, Buffer.from(base64, "base64")),
    digest: (text) => createHmac("sha256", digestKey).update(text).digest(),
  };
}

function decryptWith(key: KeyObject, encrypted: Buffer): string | null {
  if (encrypted.length !== MODULUS_BYTES) return null;
  try {
    return privateDecrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha256" }, encrypted).toString("latin1");
  } catch {
    return null;
  }
}

async function reseal(sql: Sql, keyring: Keyring): Promise<number> {
  return await sql.begin(async (tx) => {
    const row = await lockKeyOnOld(tx, keyring.currentKeyId);
    if (!row) return 0;
    const text = keyring.open({ keyId: row.secret_key_id, sealed: row.secret }, KEY_CONTEXT);
    const { keyId, sealed } = keyring.seal(text, KEY_CONTEXT);
    await replaceSealed(tx, row, { secret_key_id: keyId, secret: sealed });
    return 1;
  });
}

/** The AEPS key, for the rotation of the master key. */
export const AEPS_KEY: SealedRows = { countOnOldKeys: countKeysOnOld, reseal };
