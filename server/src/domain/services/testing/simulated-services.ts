import type { Clock } from "../../../platform/core/clock.ts";
import { createProviderServices, type ServicesContext } from "../registry.ts";
import { askedLists } from "../signed/provider-lists.ts";

/** The simulator's queries only. */
export function simulatedServices(clock: Clock, simulatorDelayMilliseconds = 20): ServicesContext["providerServices"] {
  return createProviderServices({
    clock,
    simulatorDelayMilliseconds,
    connectors: () => null,
    lists: askedLists,
    trips: { remember: async () => {}, find: async () => null },
    orders: { references: { allocate: async (_provider, _form, subject) => subject }, stopping: new AbortController().signal },
  });
}
