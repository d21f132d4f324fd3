import { modeOf } from "../mode/mode.ts";
import type { Provider, ProviderDirectory } from "../provider-directory.ts";
import { hasOperator, isSimulated } from "../settings/capabilities.ts";
import { eligibleRoutes, isServed, type Network, routesInForce } from "./eligibility.ts";
import { ANY, type Route, sortRoutes } from "./routing.ts";

/** Without an operator the question is about the service as a whole. */
export type ServiceQuery = { readonly service: string; readonly operator?: string; readonly sandbox: boolean };

export type Usable = {
  readonly routes: readonly Route[];
  /** Set when there is at most one provider, so that orders need not compute a choice. */
  readonly only: readonly string[] | null;
};

export type Reach = {
  /** Codes with routes of their own, each with its providers, best first. Other routes do not count for them. */
  readonly own: ReadonlyMap<string, readonly string[]>;
  /** Whether a provider has a code for a biller or bank. */
  readonly takes: (provider: string, code: string) => boolean;
};

/** Decides in memory which providers may serve which accounts, because every order asks. */
export type ProviderNetwork = {
  readonly now: () => Network;
  /** The routes that an order of a live account can take. */
  readonly usable: (service: string, operator: string) => Usable;
  /** Which providers the routes of a service lead to for single codes. */
  readonly reach: (question: Omit<ServiceQuery, "operator">) => Reach;
  readonly serves: (question: ServiceQuery) => boolean;
  readonly mayServe: (provider: string, sandbox: boolean) => boolean;
  readonly isBarred: (provider: string, sandbox: boolean) => boolean;
  readonly isSimulator: (provider: string) => boolean;
  /** Applies what the directory has loaded. */
  readonly refresh: () => void;
};

const SIMULATOR_ONLY: Reach = { own: new Map(), takes: () => true };
const MAX_CACHED = 10_000;

export function createNetwork(directory: ProviderDirectory): ProviderNetwork {
  const read = (): Network => ({ mode: modeOf(directory.modeFacts()), routes: directory.routes(), provider: directory.provider });
  let network = read();
  const usable = remember((key: string) => {
    const slash = key.indexOf("/");
    const routes = eligibleRoutes(network, key.slice(0, slash), key.slice(slash + 1));
    return { routes, only: routes.length > 1 ? null : routes.map((route) => route.provider) };
  });
  const served = remember((service: string) => isServed(network, service));
  const reached = remember((service: string): Reach => {
    const codes = routesInForce(network).filter((route) => [service, ANY].includes(route.service) && route.operator !== ANY);
    const own = codes.map(({ operator }) => [operator, sortRoutes(eligibleRoutes(network, service, operator), "")] as const);
    return { own: new Map(own), takes: (name, code) => hasCode(directory.provider(name), service, code) };
  });
  const isSimulator = (name: string) => {
    const provider = directory.provider(name);
    return provider !== undefined && isSimulated(provider.row);
  };
  const isBarred = (provider: string, sandbox: boolean) => !sandbox && network.mode === "live" && isSimulator(provider);
  const isOpen = (name: string) => {
    const provider = directory.provider(name);
    return provider?.row.enabled === true && provider.connector !== null;
  };
  return {
    now: () => network,
    usable: (service, operator) => usable.of(`${service}/${operator}`),
    reach: ({ service, sandbox }) => (sandbox ? SIMULATOR_ONLY : reached.of(service)),
    serves: ({ service, operator, sandbox }) => {
      if (sandbox) return true;
      return operator === undefined ? served.of(service) : usable.of(`${service}/${operator}`).routes.length > 0;
    },
    mayServe: (provider, sandbox) => sandbox || (!isBarred(provider, sandbox) && isOpen(provider)),
    isBarred,
    isSimulator,
    refresh: () => {
      network = read();
      usable.forget();
      served.forget();
      reached.forget();
    },
  };
}

function hasCode(provider: Provider | undefined, service: string, code: string): boolean {
  return provider !== undefined && hasOperator(provider.row, service, code);
}

type Remembered<Value> = { readonly of: (key: string) => Value; readonly forget: () => void };

function remember<Value>(find: (key: string) => Value): Remembered<Value> {
  const values = new Map<string, Value>();
  return {
    of: (key) => {
      const known = values.get(key);
      if (known !== undefined) return known;
      const found = find(key);
      // Codes of billers and banks come from requests, so the cache is bounded.
      if (values.size >= MAX_CACHED) values.clear();
      values.set(key, found);
      return found;
    },
    forget: () => values.clear(),
  };
}
