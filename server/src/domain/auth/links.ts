import type { Realm } from "./context.ts";

// After the #, which browsers keep to themselves: no access log on the way holds a token.
export function invitationLink(realm: Realm, origin: string, token: string): string {
  return `${origin}/${realm}/invite#${token}`;
}

export function resetLink(realm: Realm, origin: string, token: string): string {
  return `${origin}/${realm}/password-reset#${token}`;
}
