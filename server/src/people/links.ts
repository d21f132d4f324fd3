// After the #, which browsers keep to themselves: no access log on the way holds a token.
export function invitationLink(origin: string, token: string): string {
  return `${origin}/portal/invite#${token}`;
}

export function resetLink(origin: string, token: string): string {
  return `${origin}/portal/password-reset#${token}`;
}
