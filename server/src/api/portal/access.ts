import type { Role } from "../../domain/auth/user.ts";

export const EVERYBODY: readonly Role[] = ["owner", "developer", "operations", "read_only"];
/** Roles that manage the integration: credentials, addresses, callbacks. */
export const BUILDERS: readonly Role[] = ["owner", "developer"];
/** Roles that raise complaints, resend callbacks and export. */
export const WORKERS: readonly Role[] = ["owner", "developer", "operations"];
export const OWNERS: readonly Role[] = ["owner"];
