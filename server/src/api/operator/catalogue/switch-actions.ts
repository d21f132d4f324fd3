import { switchOperator } from "../../../domain/catalog/switch-operator.ts";
import { switchService } from "../../../domain/catalog/switch-service.ts";
import { OPERATIONS } from "../access.ts";
import { type Action, action } from "../action.ts";
import { operatorBody, operatorParams, serviceBody, serviceParams } from "../fields.ts";
import { noSuch } from "../refusal.ts";
import { operatorOutput, serviceOutput } from "./outputs.ts";
import { operatorView, serviceView } from "./views.ts";

const changeOperator = action({
  path: "POST /operators/:operator",
  summary: "Switches an operator on or off for the whole installation.",
  roles: OPERATIONS,
  params: operatorParams,
  body: operatorBody,
  output: operatorOutput,
  handler: async ({ deps, actor, params: { operator }, body }) => {
    const result = await switchOperator(deps, actor, { operator, ...body });
    const switched = result.kind === "done" ? deps.catalogue.operator(operator) : null;
    return switched ? operatorView(switched) : noSuch("operator");
  },
});

const changeService = action({
  path: "POST /services/:service",
  summary: "Switches a service on or off, or changes its opening hours, for the whole installation.",
  roles: OPERATIONS,
  params: serviceParams,
  body: serviceBody,
  output: serviceOutput,
  handler: async ({ deps, actor, params: { service }, body: { enabled, opens_at: opensAt, closes_at: closesAt, reason } }) => {
    const result = await switchService(deps, actor, { service, enabled, opensAt, closesAt, reason });
    return result.kind === "done" ? serviceView(deps.catalogue.service(service)) : noSuch("service");
  },
});

/** Installation-wide switches of operators and services. */
export const switchActions: readonly Action[] = [changeOperator, changeService];
