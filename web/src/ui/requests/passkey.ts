import { startAuthentication } from "@simplewebauthn/browser";
import { uiText } from "../../messages/en/ui.ts";
import { ApiError } from "./api.ts";
import { authApi } from "./auth-api.ts";

type Options = Parameters<typeof startAuthentication>[0]["optionsJSON"];

/** Requests a challenge, has the passkey sign it, and sends the result. */
export async function provePasskey(path: "/sign-in/passkey" | "/step-up/passkey"): Promise<void> {
  const { options } = await authApi.postWithoutRedirect(`${path}/options`);
  const response = await startAuthentication({ optionsJSON: options as Options }).catch((error: unknown) => {
    throw passkeyError(error);
  });
  await authApi.postWithoutRedirect(path, { response });
}

/** Turns a WebAuthn error of the browser into an error message. */
export function passkeyError(error: unknown): ApiError {
  const name = error instanceof Error ? error.name : "";
  if (name === "InvalidStateError") return new ApiError(0, "passkey_known", uiText.thisDeviceAlreadyHasA);
  return new ApiError(0, "no_passkey", uiText.noPasskeyWasUsedThe);
}
