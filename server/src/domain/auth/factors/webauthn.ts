/** Loaded at the first use of a passkey, because it makes up a fifth of all files that a start would read. */
export function webauthn(): Promise<typeof import("@simplewebauthn/server")> {
  return import("@simplewebauthn/server");
}
