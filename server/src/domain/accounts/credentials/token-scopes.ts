/** What a limited token can be allowed to use: a service, the complaints, or the account's balance and lists. */
export const TOKEN_SCOPES = ["recharge", "bills", "transfers", "bus", "aeps", "complaints", "account"] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];
