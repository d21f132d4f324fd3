import { accountWith } from "../../../../api/client/gate/testing/account.ts";
import { providersNamed } from "../../signed/provider-services.ts";
import type { Client, Json } from "../../testing/service-fixture.ts";
import { createCancellation } from "../cancellations/create-cancellation.ts";
import type { BusContext } from "../context.ts";
import type { BusProviderService } from "../provider-service.ts";
import { simulatedBus } from "../simulator/simulated-bus.ts";
import { type Booked, type BusFixture, newReference, quote } from "./travel.ts";

/** The service with another provider behind it. */
export function contextWith(fixture: BusFixture, change: Partial<BusProviderService>): BusContext {
  const providerServices = { bus: providersNamed({ simulator: { ...simulatedBus(), ...change } }) };
  return { ...fixture.cancelContext, providerServices, catalogue: fixture.catalogue } as unknown as BusContext;
}

export const silent = async (): Promise<never> => {
  throw new Error("no answer");
};

/** A client's request to cancel the whole ticket, with a new quote unless `more` has one. */
export async function cancelWith(ctx: BusContext, client: Client, ticket: Booked, more: Json = {}): Promise<Json> {
  const { body } = await quote(client, ticket.ticketNo, ticket.seats);
  const input = { request_id: newReference(), ticket_no: ticket.ticketNo, seats: ticket.seats, quote_ref: body["quote_ref"], ...more };
  const account = accountWith({ accountId: client.accountId });
  return (await createCancellation(ctx).handle({ account, input, requestId: "R" })) as Json;
}
