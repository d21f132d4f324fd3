import { sealedTable } from "../../accounts/master-key/sealed-table.ts";
import { totpContext } from "./totp.ts";

/** The table of authenticator secrets, for key rotation. */
export const TOTP_SECRETS = sealedTable({ table: "user_totps", id: "user_id", keyId: "key_id", sealed: "sealed", contextOf: totpContext });
