import type { SignedContext } from "../signed/context.ts";
import type { Desks } from "../signed/desks.ts";
import type { BillsDesk } from "./desk.ts";

export type BillsContext = SignedContext & { readonly desks: { readonly bills: Desks<BillsDesk> } };

export const SERVICE = "bills";
