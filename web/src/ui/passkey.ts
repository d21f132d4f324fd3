import { startAuthentication } from "@simplewebauthn/browser";
import { ApiError, postOpen } from "./api.ts";

type Options = Parameters<typeof startAuthentication>[0]["optionsJSON"];

/** Asks the service for a challenge, the passkey for its answer, and hands the answer in. */
export async function provePasskey(path: string): Promise<void> {
  const { options } = await postOpen<{ options: Options }>(`${path}/options`);
  const response = await startAuthentication({ optionsJSON: options }).catch((error: unknown) => {
    throw passkeyError(error);
  });
  await postOpen(path, { response });
}

/** What a browser throws when no passkey answered, in words. */
export function passkeyError(error: unknown): ApiError {
  const name = error instanceof Error ? error.name : "";
  if (name === "InvalidStateError") return new ApiError(0, "passkey_known", "This device already has a passkey for you.");
  return new ApiError(0, "no_passkey", "No passkey was used: it was cancelled, took too long, or there is none for this site.");
}
