import { z } from "zod";
import type { ProviderBreaker } from "../../../domain/providers/health/breakers.ts";
import { resetBreaker } from "../../../domain/providers/health/reset-breaker.ts";
import { shortListQuery, shortPage } from "../../sites/lists.ts";
import { EVERYBODY, OPERATIONS } from "../access.ts";
import { type Action, action } from "../action.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { noSuch, pageOrRefusal, Refusal } from "../refusal.ts";
import { breakerBody } from "./fields.ts";
import { breakersOutput } from "./outputs.ts";
import { breakerView } from "./views.ts";

const listBreakers = action({
  path: "GET /breakers",
  summary: "Lists the breakers with recent failures in the process that answers. Each process has its own.",
  roles: EVERYBODY,
  query: shortListQuery.extend({ provider: z.string().max(64).optional() }),
  output: breakersOutput,
  handler: async ({ deps, query }) => {
    const view = (one: ProviderBreaker) => breakerView(one, deps.clock.now());
    const page = pageOrRefusal(shortPage(findBreakers(deps, query.provider), query, view, nameOf));
    return page instanceof Refusal ? page : { ...page, process_id: deps.orders.processId };
  },
});

const resetBreakers = action({
  path: "POST /breakers/reset",
  summary: "Closes a provider's breaker for one operator, or for all operators, in every process.",
  roles: OPERATIONS,
  body: breakerBody,
  output: breakersOutput,
  handler: async ({ deps, actor, body: { provider, operator = null, reason } }) => {
    const result = await resetBreaker(deps, actor, { provider, operator, reason });
    if (result.kind === "not_found") return noSuch("provider");
    const items = findBreakers(deps, provider).map((one) => breakerView(one, deps.clock.now()));
    return { ok: true as const, items, next: null, process_id: deps.orders.processId };
  },
});

function findBreakers(deps: OperatorApiDependencies, provider: string | undefined): readonly ProviderBreaker[] {
  const fitting = deps.providerRegistry.breakers().filter((one) => provider === undefined || one.provider === provider);
  return fitting.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

function nameOf({ provider, operator }: ProviderBreaker): string {
  return `${provider} ${operator}`;
}

/** Circuit breakers of providers. */
export const breakerActions: readonly Action[] = [listBreakers, resetBreakers];
