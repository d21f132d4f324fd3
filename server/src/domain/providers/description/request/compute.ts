import {
  constants,
  createCipheriv,
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  publicEncrypt,
  sign,
} from "node:crypto";
import type { ComputedDefinition, Output } from "../language/computed.ts";
import { render, renderJson } from "../template/render.ts";
import { Inexpressible } from "../template/value.ts";
import { oauth1Header } from "./oauth1.ts";
import type { CallScope, Random } from "./scope.ts";

type Of<Kind extends ComputedDefinition["kind"]> = Extract<ComputedDefinition, { readonly kind: Kind }>;
type Computers = { readonly [Kind in ComputedDefinition["kind"]]: (made: Of<Kind>, scope: CallScope, random: Random) => string };

const COMPUTERS: Computers = {
  hash: (made, scope) => written(createHash(made.digest).update(render(made.text, scope)).digest(), made.output),
  hmac: (made, scope) => {
    const key = bytesOf(render(made.key, scope), made.key_format);
    return written(createHmac(made.digest, key).update(render(made.text, scope)).digest(), made.output);
  },
  jwt: (made, scope) => jwtOf(made, scope),
  rsa_sign: (made, scope) => {
    const padding = made.padding === "pss" ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING;
    const key = privateKey(render(made.key, scope));
    return written(sign(made.digest, Buffer.from(render(made.text, scope)), { key, padding }), made.output);
  },
  oauth1: (made, scope, random) => oauth1Header(made, scope, random),
  basic: (made, scope) => `Basic ${Buffer.from(`${render(made.user, scope)}:${render(made.password, scope)}`).toString("base64")}`,
  aes: (made, scope, random) => encrypted(made, scope, random),
  rsa_encrypt: (made, scope) => {
    const key = publicKey(render(made.key, scope));
    const text = bytesOf(render(made.text, scope), made.text_format);
    return written(publicEncrypt({ key, ...PADDINGS[made.padding] }, text), made.output);
  },
  random: (made, _, random) => random.nonce ?? written(random.bytes(made.bytes), made.output),
};

const PADDINGS = {
  oaep_sha1: { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha1" },
  oaep_sha256: { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha256" },
  pkcs1: { padding: constants.RSA_PKCS1_PADDING },
} as const;

/** A signature, token, ciphertext or key. A key that does not fit makes the request inexpressible, not a crash. */
export function computeValue(made: ComputedDefinition, scope: CallScope, random: Random): string {
  try {
    const compute = COMPUTERS[made.kind] as (made: ComputedDefinition, scope: CallScope, random: Random) => string;
    return compute(made, scope, random);
  } catch (error) {
    if (error instanceof Inexpressible) throw error;
    // The error is not repeated, because it may contain part of a key.
    throw new Inexpressible(`a value of the kind ${made.kind} could not be computed; check its key`);
  }
}

export function written(bytes: Buffer, output: Output): string {
  return output === "HEX" ? bytes.toString("hex").toUpperCase() : bytes.toString(output);
}

export function bytesOf(text: string, format: "text" | "hex" | "base64"): Buffer {
  if (format === "text") return Buffer.from(text, "utf8");
  const bytes = Buffer.from(text, format);
  if (bytes.length === 0) throw new Inexpressible(`a key is not ${format}`);
  return bytes;
}

function encrypted(made: Of<"aes">, scope: CallScope, random: Random): string {
  const isGcm = made.cipher.endsWith("gcm");
  const key = bytesOf(render(made.key, scope), made.key_format);
  const isRandom = made.iv === "random";
  const iv = isRandom ? random.bytes(isGcm ? 12 : 16) : bytesOf(render(made.iv, scope), made.iv_format);
  const text = render(made.text, scope);
  return written(
    Buffer.concat([isRandom ? iv : Buffer.alloc(0), isGcm ? gcm(made.cipher, key, iv, text) : cbc(made.cipher, key, iv, text)]),
    made.output,
  );
}

function cbc(name: string, key: Buffer, iv: Buffer, text: string): Buffer {
  const cipher = createCipheriv(name, key, iv);
  return Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
}

/** The ciphertext followed by its 16 byte tag. */
function gcm(name: string, key: Buffer, iv: Buffer, text: string): Buffer {
  const cipher = createCipheriv(name as "aes-256-gcm", key, iv, { authTagLength: 16 });
  return Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
}

function jwtOf(made: Of<"jwt">, scope: CallScope): string {
  const more = made.header === undefined ? "" : renderJson(made.header, scope).slice(1, -1);
  const header = `{"typ":"JWT","alg":"${made.algorithm}"${more === "" ? "" : `,${more}`}}`;
  const signed = [header, renderJson(made.claims, scope)].map((text) => Buffer.from(text).toString("base64url")).join(".");
  const digest = `sha${made.algorithm.slice(2)}`;
  const key = render(made.key, scope);
  const signature = made.algorithm.startsWith("HS")
    ? createHmac(digest, bytesOf(key, made.key_format)).update(signed).digest()
    : sign(digest, Buffer.from(signed), privateKey(key));
  return `${signed}.${signature.toString("base64url")}`;
}

function privateKey(pem: string): KeyObject {
  return createPrivateKey(pemOf(pem));
}

export function publicKey(pem: string): KeyObject {
  return createPublicKey(pemOf(pem, "PUBLIC KEY"));
}

// Secrets are entered as one line in many places, so \n may stand for a line break, and a bare key has no frame.
function pemOf(text: string, label = "PRIVATE KEY"): string {
  const lines = text.replaceAll("\\n", "\n").trim();
  return lines.startsWith("-----") ? lines : `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}
