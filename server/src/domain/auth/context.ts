import type { Sql } from "../../platform/db/connection.ts";
import type { AccountsContext } from "../accounts/context.ts";

/** Clients at the portal and staff at the console are separate: an email address of one realm is unknown in the other. */
export type Realm = "portal" | "console";

export type AuthContext = Pick<AccountsContext, "sql" | "vault" | "clock" | "ids"> & {
  readonly realm: Realm;
  /** With several cells: the database that holds an account. Users are at home. */
  readonly sqlOf?: (accountId: string) => Sql;
};

/** The user's browser. */
export type Browser = {
  readonly address: string;
  readonly userAgent: string;
  /** Tokens of earlier sign-ins from this browser. */
  readonly devices: readonly string[];
};
