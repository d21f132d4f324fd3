import { z } from "zod";
import { type Route, route } from "../../../client-api/route.ts";
import { SERVICE } from "../context.ts";
import { okReply } from "../fields.ts";
import type { KeyHolder } from "./key.ts";

const ALGORITHM = "RSA-OAEP-SHA256";

export function getKey(unsealKey: KeyHolder): Route {
  return route({
    method: "GET",
    path: "/aeps/key",
    service: SERVICE,
    kind: "plain",
    summary: "Returns the public key for encrypting Aadhaar numbers",
    input: z.object({}),
    reply: okReply.extend({ key_id: z.string(), public_key_pem: z.string(), algorithm: z.literal(ALGORITHM) }),
    handle: async () => {
      const key = await unsealKey();
      return { kind: "record", fields: { ok: true, key_id: key.keyId, public_key_pem: key.publicKeyPem, algorithm: ALGORITHM } };
    },
  });
}
