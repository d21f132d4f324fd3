import type { Transaction } from "../../../platform/db/connection.ts";
import { readServices } from "../../catalog/store.ts";
import { isSimulated, servicesOf } from "../settings/capabilities.ts";
import type { DescribedProvider } from "../settings/described-provider.ts";
import type { Fault } from "../settings/faults.ts";
import { type ProviderRow, readRoutes } from "../store.ts";
import { ANY, type Route } from "./routing.ts";

/** Reports routes to the provider that it could no longer serve with its new description. */
export async function refuseBreakingRoutes(tx: Transaction, before: ProviderRow, after: DescribedProvider): Promise<readonly Fault[]> {
  const routes = (await readRoutes(tx)).filter((route) => route.enabled && route.provider === before.provider);
  if (routes.length === 0) return [];
  if (isSimulated(before) !== isSimulated(after))
    return [{ path: "connector", message: `Routes lead to this provider: ${listed(routes)}. ${ADVICE} before you change its connector.` }];
  const services = (await readServices(tx)).map((one) => one.service);
  const lost = routes.filter(({ service, operator }) => {
    const asked = service === ANY ? services : [service];
    return servicesOf(before, asked, operator).some((one) => !servicesOf(after, asked, operator).includes(one));
  });
  if (lost.length === 0) return [];
  const path = before.connector === after.connector ? "operators" : "connector";
  return [{ path, message: `The provider could no longer serve the routes ${listed(lost)}. ${ADVICE} first.` }];
}

const ADVICE = "Delete those routes or switch them off";

function listed(routes: readonly Route[]): string {
  return routes.map(({ service, operator }) => `${service} ${operator}`).join(", ");
}
