/** Loaded when a passkey is used, not before: it is a fifth of all files that a start would read. */
export function webauthn(): Promise<typeof import("@simplewebauthn/server")> {
  return import("@simplewebauthn/server");
}
