import { z } from "zod";
import { read, reader } from "./read.ts";
import { callbackRules } from "./rules.ts";
import { callbackSamples } from "./samples.ts";
import { ownName, path, seconds, template, text } from "./words.ts";

/** Where a callback carries its key or signature. */
const place = {
  header: text.optional().describe("The header that carries it."),
  query: text.optional().describe("The query parameter that carries it."),
  field: path.optional().describe("The field of the body that carries it."),
  inner: path.optional().describe("The field of the inner document that carries it; see read.inner."),
};
const prefix = z.string().max(40).default("").describe("Text before the signature, such as sha256=.");
const length = z
  .int()
  .min(16)
  .max(128)
  .optional()
  .describe("For a provider that sends only the beginning of the digest: how many characters of it.");
const keyFormat = z.enum(["text", "hex", "base64"]).default("text");
const time = z
  .strictObject({ ...place, unit: z.enum(["seconds", "milliseconds"]), within_seconds: seconds(1, 86_400).default(300) })
  .optional()
  .describe("The signed time. An older or newer message is refused.");
const signed = {
  ...place,
  digest: z.enum(["sha1", "sha256", "sha384", "sha512"]).default("sha256"),
  text: template
    .default("{body}")
    .describe("What is signed: {body}, {header.name}, {query.name}, {path}, {field.path}, {inner.path}, {secret.name}."),
  prefix,
  time,
  unsigned: z
    .array(path)
    .default([])
    .describe(
      "Fields that the signature does not cover and that are taken all the same, such as the operator's reference. Never the reference or the status.",
    ),
};

export const callbackAuth = z
  .discriminatedUnion(
    "kind",
    [
      z.strictObject({ kind: z.literal("key"), ...place, secret: ownName.describe("The secret that the message must carry.") }),
      z.strictObject({
        kind: z.literal("hmac"),
        ...signed,
        secret: ownName,
        key_format: keyFormat,
        output: z.enum(["hex", "base64"]).default("hex"),
        length,
      }),
      z.strictObject({
        kind: z.literal("hash"),
        ...signed,
        digest: z.enum(["md5", "sha1", "sha256", "sha512"]),
        text: template.describe("What is hashed. It must contain a {secret.name}."),
        output: z.enum(["hex", "base64"]).default("hex"),
        length,
      }),
      z.strictObject({
        kind: z.literal("rsa"),
        ...signed,
        secret: ownName.describe("The provider's public key or certificate, PEM."),
        output: z.enum(["hex", "base64"]).default("base64"),
      }),
      z.strictObject({
        kind: z.literal("jwt"),
        ...place,
        secret: ownName,
        algorithm: z.enum(["HS256", "HS384", "HS512", "RS256", "RS384", "RS512"]),
      }),
      z.strictObject({ kind: z.literal("addresses") }).describe("Only the source addresses prove it."),
      z.strictObject({ kind: z.literal("hint") }).describe("Nothing proves it: it only makes us ask for the status."),
    ],
    { error: "kind must be one of key, hmac, hash, rsa, jwt, addresses and hint." },
  )
  .describe("What proves that the message is the provider's.");
export type CallbackAuth = z.infer<typeof callbackAuth>;

export const callback = z.strictObject({
  path: z
    .string()
    .regex(/^(?:\/[A-Za-z0-9._-]+)*$/, "Must be a path such as /payment/status.")
    .default("")
    .describe("What follows /upstream/{name}/callback."),
  method: z.enum(["GET", "POST", "PUT"]).optional().describe("Any method by default."),
  auth: callbackAuth,
  addresses: z.array(text).optional().describe("Addresses or ranges such as 203.0.113.0/24 that messages may come from."),
  from: z
    .enum(["body", "query", "jwt"])
    .default("body")
    .describe("Where the values are: in the body, the query parameters, or the verified token."),
  read: read
    .optional()
    .describe("How the message is read: JSON unless it says otherwise. The description's own `read` is for answers only."),
  reference: reader.describe("Where the reference is."),
  reference_is: z.enum(["ours", "theirs"]).default("ours").describe("Whether that is our reference or the provider's own id."),
  outcome: callbackRules.default([]).describe("What the message says. Rules need no $http."),
  samples: callbackSamples,
});
export type CallbackDefinition = z.infer<typeof callback>;

export const callbackReply = z
  .strictObject({
    status: z.int().min(200).max(299).default(200),
    content_type: text.default("application/json"),
    body: z
      .string()
      .max(2000)
      .describe(
        "It may repeat values of the callback: {field.path}, {query.name}, {header.name} and {constant.name}, escaped for the content type.",
      ),
  })
  .describe("What an accepted callback is answered.");
export type CallbackReplyDefinition = z.infer<typeof callbackReply>;
