import type { OrdersContext } from "../../orders/context.ts";
import type { SignedContext } from "../signed/context.ts";
import type { Desks } from "../signed/desks.ts";
import type { BusDesk } from "./desk.ts";

type WithDesks = { readonly desks: { readonly bus: Desks<BusDesk> } };

export type BusContext = SignedContext & WithDesks;
/** What cancelling needs, whoever asks for it. */
export type CancelContext = OrdersContext & WithDesks;

export const SERVICE = "bus";
