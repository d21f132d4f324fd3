import type { SignedContext } from "../signed/context.ts";
import type { Desks } from "../signed/desks.ts";
import type { BusDesk } from "./desk.ts";

export type BusContext = SignedContext & { readonly desks: { readonly bus: Desks<BusDesk> } };

export const SERVICE = "bus";
