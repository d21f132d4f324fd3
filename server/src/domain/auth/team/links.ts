import type { Realm } from "../context.ts";

// The token follows the #, which browsers do not send, so that no access log contains it.
export function invitationLink(realm: Realm, origin: string, token: string): string {
  return `${origin}/${realm}/invite#${token}`;
}

export function resetLink(realm: Realm, origin: string, token: string): string {
  return `${origin}/${realm}/password-reset#${token}`;
}
