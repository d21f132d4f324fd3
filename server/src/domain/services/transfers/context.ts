import type { SignedContext } from "../signed/context.ts";
import type { Desks } from "../signed/desks.ts";
import type { TransfersDesk } from "./desk.ts";

export type TransfersContext = SignedContext & { readonly desks: { readonly transfers: Desks<TransfersDesk> } };

export const SERVICE = "transfers";
