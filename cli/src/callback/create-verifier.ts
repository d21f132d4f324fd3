import { CallbackVerifier, type NonceStore, systemClock } from "@corprail/sdk";
import type { Credentials } from "../client/credentials.ts";
import { UsageFault } from "../shared/outcome.ts";

/** For both versions as far as there are keys; at a time that is given, or now. */
export function createVerifier({ token, callbackSecret, source }: Credentials, nonces?: NonceStore, atSeconds?: number): CallbackVerifier {
  if (token === null && callbackSecret === null)
    throw new UsageFault(`${source} has nothing to verify with: set CORPRAIL_TOKEN (version 2) or CORPRAIL_CALLBACK_SECRET (version 3).`);
  return new CallbackVerifier({
    ...(token === null ? {} : { token }),
    ...(callbackSecret === null ? {} : { callbackSecret }),
    ...(nonces === undefined ? {} : { nonces }),
    ...(atSeconds === undefined ? {} : { clock: { ...systemClock, now: () => atSeconds * 1000 } }),
  });
}
