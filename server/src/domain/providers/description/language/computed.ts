import { z } from "zod";
import { jsonTemplate, template } from "./words.ts";

const keyFormat = z.enum(["text", "hex", "base64"]).default("text").describe("How the key is written.");
const output = z.enum(["hex", "HEX", "base64", "base64url"]).describe("How the result is written; HEX is hex in capitals.");
const digest = z.enum(["md5", "sha1", "sha256", "sha384", "sha512"]);
const pem = template.describe("A PEM key, usually {secret.name}.");

const hash = z.strictObject({ kind: z.literal("hash"), digest, text: template, output: output.default("hex") });
const hmac = z.strictObject({
  kind: z.literal("hmac"),
  digest,
  text: template,
  key: template,
  key_format: keyFormat,
  output: output.default("hex"),
});
const jwt = z.strictObject({
  kind: z.literal("jwt"),
  algorithm: z.enum(["HS256", "HS384", "HS512", "RS256", "RS384", "RS512"]),
  key: template.describe("The shared key, or a PEM private key for RS algorithms."),
  key_format: keyFormat,
  claims: jsonTemplate.describe("The payload, a JSON object."),
  header: jsonTemplate.optional().describe("Further members of the header, such as kid."),
});
const rsaSign = z.strictObject({
  kind: z.literal("rsa_sign"),
  digest,
  padding: z.enum(["pkcs1", "pss"]).default("pkcs1"),
  text: template,
  key: pem,
  output: output.default("base64"),
});
const oauth1 = z.strictObject({
  kind: z.literal("oauth1"),
  consumer_key: template,
  consumer_secret: template,
  token: template.optional(),
  token_secret: template.optional(),
});
const basic = z.strictObject({ kind: z.literal("basic"), user: template, password: template });
const aes = z.strictObject({
  kind: z.literal("aes"),
  cipher: z.enum(["aes-128-cbc", "aes-192-cbc", "aes-256-cbc", "aes-128-gcm", "aes-256-gcm"]),
  text: template,
  key: template,
  key_format: keyFormat,
  iv: template.describe("`random` puts a new one in front of the ciphertext; otherwise a template."),
  iv_format: keyFormat,
  output: output.default("base64"),
});
const rsaEncrypt = z.strictObject({
  kind: z.literal("rsa_encrypt"),
  padding: z.enum(["oaep_sha1", "oaep_sha256", "pkcs1"]),
  text: template,
  text_format: keyFormat,
  key: pem,
  output: output.default("base64"),
});
const random = z.strictObject({
  kind: z.literal("random"),
  bytes: z.int().min(1).max(64),
  output: output.default("hex"),
});

/** A value that is computed anew for every call: a signature, a token, a ciphertext or a key of its own. */
export const computed = z
  .discriminatedUnion("kind", [hash, hmac, jwt, rsaSign, oauth1, basic, aes, rsaEncrypt, random], {
    error: "kind must be one of hash, hmac, jwt, rsa_sign, oauth1, basic, aes, rsa_encrypt and random.",
  })
  .describe("A value computed for every call, used as {computed.name}.");
export type ComputedDefinition = z.infer<typeof computed>;
export type Output = z.infer<typeof output>;

/** How an encrypted answer is opened before it is read. */
export const decrypt = z.strictObject({
  cipher: aes.shape.cipher,
  at: template.optional().describe("Where the ciphertext is in the answer. Without it, the whole answer is the ciphertext."),
  input: z.enum(["hex", "base64"]).default("base64"),
  key: template,
  key_format: keyFormat,
  iv: template.describe("`prefixed`: the first bytes of the ciphertext; otherwise a template."),
  iv_format: keyFormat,
});
export type DecryptDefinition = z.infer<typeof decrypt>;
