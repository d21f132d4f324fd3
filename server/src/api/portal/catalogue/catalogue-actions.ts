import { z } from "zod";
import { listOperatorsInput, operatorItem, readOperators } from "../../../domain/services/recharge/list-operators.ts";
import { listServicesInput, readServices, serviceItem } from "../../../domain/services/recharge/list-services.ts";
import { noSuch } from "../../sites/actions/refusal.ts";
import { listOf } from "../../sites/outputs/output-fields.ts";
import { EVERYBODY } from "../access.ts";
import { action, type PortalAction } from "../action.ts";
import { clientRefusal } from "../client-refusal.ts";

const listOperators = action({
  path: "GET /operators",
  summary: "Lists the recharge operators, with the accounts and amounts they take.",
  roles: EVERYBODY,
  input: listOperatorsInput,
  output: listOf(z.strictObject(operatorItem.shape).meta({ id: "Operator" })),
  handler: async ({ deps, session, input }) => {
    const account = deps.accountById(session.accountId);
    if (!account) return noSuch("account");
    const page = readOperators(deps, account, input);
    return page.kind === "refused" ? clientRefusal(page) : { items: page.items, next: page.next };
  },
});

const listServices = action({
  path: "GET /services",
  summary: "Lists every service of the installation, and whether the account may use it.",
  roles: EVERYBODY,
  input: listServicesInput,
  output: listOf(z.strictObject({ ...serviceItem.shape, limits: z.strictObject(serviceItem.shape.limits.shape) }).meta({ id: "Service" })),
  handler: async ({ deps, session, input }) => {
    const account = deps.accountById(session.accountId);
    if (!account) return noSuch("account");
    const page = await readServices({ ...deps, providerRegistry: deps.orders.providerRegistry }, account, input);
    return page.kind === "refused" ? clientRefusal(page) : { items: page.items, next: page.next };
  },
});

/** Operators and services with the fields of the client API. */
export const catalogueActions: readonly PortalAction[] = [listOperators, listServices];
