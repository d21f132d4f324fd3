import { constants, createPublicKey, type KeyObject, publicEncrypt } from "node:crypto";
import { z } from "zod";
import type { Clock } from "../../../platform/core/clock.ts";
import { type Read, read, unavailable } from "./ask.ts";
import type { Session } from "./client.ts";

/** Encrypts Aadhaar numbers for the other installation. */
export type AadhaarCipher = {
  readonly encrypt: (session: Session, digits: string) => Promise<Read<string>>;
  /** Fetches the key anew next time, because the other side could not read a number. */
  readonly forget: () => void;
};

const KEPT_MILLISECONDS = 60 * 60 * 1000;
const MAX_PEM = 5000;
const keyReply = z.object({ public_key_pem: z.string().max(MAX_PEM), algorithm: z.literal("RSA-OAEP-SHA256").optional() });

export function createAadhaarCipher(clock: Clock): AadhaarCipher {
  let kept: { readonly key: KeyObject; readonly until: number } | null = null;
  return {
    forget: () => {
      kept = null;
    },
    encrypt: async (session, digits) => {
      if (kept === null || clock.now() >= kept.until) {
        const reply = await read(session.get("/aeps/key"), keyReply);
        if (reply.kind !== "answered") return reply;
        const key = publicKey(reply.value.public_key_pem);
        if (key === null) return unavailable("the provider's AEPS key is not an RSA key");
        kept = { key, until: clock.now() + KEPT_MILLISECONDS };
      }
      const options = { key: kept.key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha256" };
      return { kind: "answered", value: publicEncrypt(options, Buffer.from(digits)).toString("base64") };
    },
  };
}

function publicKey(pem: string): KeyObject | null {
  try {
    const key = createPublicKey(pem);
    return key.asymmetricKeyType === "rsa" ? key : null;
  } catch {
    return null;
  }
}
