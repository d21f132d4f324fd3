import type { Log } from "../../../platform/observability/log.ts";
import type { Account } from "../../accounts/account.ts";
import { type Refusal, refused } from "../../shared/refusals.ts";
import { type Asked, askProvider, chooseDesk } from "../signed/desks.ts";
import { refuseArranged } from "../signed/refuse-shut.ts";
import { type BusContext, type CancelContext, SERVICE } from "./context.ts";
import type { BusDesk, Trip } from "./desk.ts";

export type ChosenDesk = { readonly desk: BusDesk; readonly provider: string };

// A trip is asked for before it is known who runs it, and always of the same provider: its ids are that provider's.
const ANY_OPERATOR = "*";

/** The desk of the provider that an account's trips come from. */
export function deskOf(ctx: BusContext, account: Account): ({ readonly kind: "desk" } & ChosenDesk) | Refusal {
  const reference = account.accountId;
  return chooseDesk(ctx, ctx.desks.bus, { service: SERVICE, operator: ANY_OPERATOR, account, reference });
}

/** The desk that a block, and the ticket made of it, was arranged at. */
export function arrangedDesk(
  ctx: CancelContext,
  { accountId, provider }: { readonly accountId: string; readonly provider: string },
): { readonly kind: "desk"; readonly desk: BusDesk } | Refusal {
  const against = refuseArranged(ctx, accountId, provider, "Bus booking");
  if (against) return against;
  const desk = ctx.desks.bus[provider];
  return desk ? { kind: "desk", desk } : refused("busy", "The provider does not answer at the moment: try again with the same details.");
}

/** A question to a provider of this service. */
export function askDesk<Value>(ctx: { readonly log: Log }, ask: () => Promise<Value>): Promise<Asked<Value>> {
  return askProvider(ctx, SERVICE, ask);
}

export type FoundTrip = ChosenDesk & { readonly kind: "trip"; readonly trip: Trip };

/** A trip that has not left yet. */
export async function findTrip(ctx: BusContext, account: Account, tripId: string): Promise<FoundTrip | Refusal> {
  const chosen = deskOf(ctx, account);
  if (chosen.kind === "refused") return chosen;
  const asked = await askDesk(ctx, () => chosen.desk.readTrip(tripId));
  if (asked.kind === "refused") return asked;
  if (!asked.value) return refused("trip_not_found", "There is no such trip.");
  if (asked.value.departureAt <= ctx.clock.now()) return refused("trip_not_found", "The bus of this trip has departed.");
  return { ...chosen, kind: "trip", trip: asked.value };
}
