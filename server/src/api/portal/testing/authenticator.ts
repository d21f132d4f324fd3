import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";

// biome-ignore lint/suspicious/noExplicitAny: what the service sends a browser, read as a browser reads it
type Options = any;

export type Tricks = {
  readonly origin?: string;
  readonly host?: string;
  readonly verified?: boolean;
  readonly counter?: number;
};

const PRESENT = 0x01;
const VERIFIED = 0x04;
const WITH_CREDENTIAL = 0x40;

/** A software security key with one credential. It can also misbehave as a real one would not. */
export function softwareAuthenticator(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const credentialId = randomBytes(32);
  const id = credentialId.toString("base64url");
  let counter = 0;
  let userHandle = "";

  const head = (flags: number, tricks: Tricks) => {
    counter = tricks.counter ?? counter + 1;
    const host = tricks.host ?? new URL(origin).hostname;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const verified = tricks.verified === false ? 0 : VERIFIED;
    return Buffer.concat([createHash("sha256").update(host).digest(), Buffer.from([flags | PRESENT | verified]), count]);
  };
  const clientData = (type: string, challenge: string, tricks: Tricks) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: tricks.origin ?? origin, crossOrigin: false }));

  return {
    create: (options: Options, tricks: Tricks = {}) => {
      userHandle = options.user.id;
      const key = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, "base64url"))],
        [-3, new Uint8Array(Buffer.from(y, "base64url"))],
      ]);
      const length = Buffer.from([0, credentialId.length]);
      const authData = Buffer.concat([head(WITH_CREDENTIAL, tricks), Buffer.alloc(16), length, credentialId, isoCBOR.encode(key)]);
      const attestation = new Map<string, unknown>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", new Uint8Array(authData)],
      ]);
      return {
        id,
        rawId: id,
        type: "public-key",
        clientExtensionResults: {},
        response: {
          clientDataJSON: clientData("webauthn.create", options.challenge, tricks).toString("base64url"),
          attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString("base64url"),
          transports: ["internal"],
        },
      };
    },
    get: (options: Options, tricks: Tricks = {}) => {
      const authData = head(0, tricks);
      const data = clientData("webauthn.get", options.challenge, tricks);
      const signature = sign("sha256", Buffer.concat([authData, createHash("sha256").update(data).digest()]), privateKey);
      return {
        id,
        rawId: id,
        type: "public-key",
        clientExtensionResults: {},
        response: {
          clientDataJSON: data.toString("base64url"),
          authenticatorData: authData.toString("base64url"),
          signature: signature.toString("base64url"),
          userHandle,
        },
      };
    },
  };
}
