import type { Transaction } from "../../../platform/db/connection.ts";
import type { Order } from "../../orders/order.ts";
import { type Refusal, refused } from "../../shared/refusals.ts";
import type { Person } from "./aadhaar.ts";
import { isDailyAuthentication, useAuthentication } from "./authentication-store.ts";
import type { AepsContext } from "./context.ts";
import type { Outlet } from "./outlet.ts";
import type { Bank } from "./provider-service.ts";

type Question = {
  readonly order: Order;
  readonly outlet: Outlet;
  readonly bank: Bank;
  readonly customer: Person;
  /** Whether the transaction moves money. Enquiries never need a separate authentication. */
  readonly moves: boolean;
  readonly authRef: string | null;
};

/** Uses the given TXN authentication. Refuses when the bank requires one and it is missing, or when the given one is not valid. */
export async function refuseAuthentication(ctx: AepsContext, tx: Transaction, question: Question): Promise<Refusal | null> {
  const { order, outlet, bank, customer, authRef } = question;
  const wanted = question.moves && bank.perTransaction;
  if (authRef === null) return wanted ? refused("txn_auth_required", `${bank.name} wants a TXN authentication: POST /aeps/auth.`) : null;
  const { accountId, outletId, ownerDigest } = outlet;
  const at = new Date(ctx.clock.now());
  const use = { accountId, outletId, authRef, orderId: order.orderId, bankIin: bank.iin, at };
  if (await useAuthentication(tx, { ...use, persons: [ownerDigest, customer.digest] })) return null;
  // A DAILY authentication is accepted where no TXN authentication is required.
  if (!wanted && (await isDailyAuthentication(tx, use))) return null;
  return refused("txn_auth_required", "auth_ref is not an unused TXN authentication of this outlet and bank, at most 5 minutes old.");
}
