import type { SignedContext } from "../signed/context.ts";
import type { Desks } from "../signed/desks.ts";
import type { AepsDesk } from "./desk.ts";

export type AepsContext = SignedContext & { readonly desks: { readonly aeps: Desks<AepsDesk> } };

export const SERVICE = "aeps";

/** Contract, section 1: a PID block needs more room than other bodies. */
export const BODY_LIMIT_BYTES = 256 * 1024;
