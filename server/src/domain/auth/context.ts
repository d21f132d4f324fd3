import type { AccountsContext } from "../accounts/context.ts";

/** Clients at the portal and staff at the console never meet: an e-mail of one is unknown to the other. */
export type Realm = "portal" | "console";

export type AuthContext = Pick<AccountsContext, "sql" | "vault" | "clock" | "ids"> & { readonly realm: Realm };

/** The browser somebody uses. */
export type Browser = {
  readonly address: string;
  readonly userAgent: string;
  /** Tokens by which it is known from earlier sign-ins. */
  readonly devices: readonly string[];
};
