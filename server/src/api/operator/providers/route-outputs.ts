import { z } from "zod";
import { moneyText, timeText } from "../../sites/outputs/output-fields.ts";

const route = {
  service: z.string().describe("A service's name, or * for any."),
  operator: z.string().describe("An operator's code, or * for any."),
  provider: z.string(),
};

/** A route: which provider gets an operator's orders. */
export const routeOutput = z
  .strictObject({
    ...route,
    priority: z.int().describe("Lower priorities are tried first."),
    weight: z.int().describe("How often it is tried first, relative to other routes of the same priority."),
    enabled: z.boolean(),
  })
  .meta({ id: "Route" });

/** A provider's position in a routing plan. */
export const routingStepOutput = z
  .strictObject({
    provider: z.string(),
    priority: z.int(),
    weight: z.int(),
    share: z.number().describe("How often it is tried first among the routes of its priority, from 0 to 1."),
    passed_over: z
      .enum(["route_off", "provider_off", "incomplete", "unable", "simulator", "breaker_open"])
      .nullable()
      .describe("Why it is skipped; null if it is tried."),
    next_try_at: timeText.nullable().describe("When its breaker allows the next order; null while it is closed."),
  })
  .meta({ id: "RoutingStep" });

/** The providers of a service and operator in the order of trying. */
export const routingPlanOutput = z
  .strictObject({
    service: z.string(),
    operator: z.string(),
    level: z
      .strictObject({ service: z.string(), operator: z.string() })
      .nullable()
      .describe("The routes that apply; null if there are none."),
    steps: z.array(routingStepOutput).readonly(),
  })
  .meta({ id: "RoutingPlan" });

/** How many clients an impact names. */
export const SHOWN_CLIENTS = 5;

/** The orders that a route would have affected, and the routing plans without and with it. */
export const routeImpactOutput = z
  .strictObject({
    since: timeText.describe("The start of the counted period: an hour ago, or later if there were too many orders."),
    orders: z.int().describe("Orders of the period to which the route would have applied, without those of sandbox accounts."),
    amount: moneyText,
    accounts: z.int(),
    clients: z
      .array(z.string().meta({ examples: ["Asha Stores"] }))
      .max(SHOWN_CLIENTS)
      .readonly()
      .describe("The names of the clients with the most of these orders."),
    before: routingPlanOutput,
    after: routingPlanOutput,
  })
  .meta({ id: "RouteImpact" });

/** A saved route, and the routing plan with it. */
export const savedRouteOutput = routeOutput
  .extend({
    warning: z.string().nullable(),
    mode: z.enum(["trial", "live"]),
    went_live: z.boolean().describe("Whether this route made the installation live."),
    notice: z.string().nullable(),
    plan: routingPlanOutput,
  })
  .meta({ id: "SavedRoute" });

export const deletedRouteOutput = z.strictObject({ ...route, plan: routingPlanOutput }).meta({ id: "DeletedRoute" });
