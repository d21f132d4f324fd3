import { z } from "zod";
import { moneyText, timeText } from "../../sites/outputs/output-fields.ts";
import { routingStepOutput } from "../providers/route-outputs.ts";

/** A recharge operator of the catalogue with its health and its providers in the order of trying. */
export const operatorStateOutput = z
  .strictObject({
    operator: z.string().describe("The operator's code."),
    name: z.string(),
    kind: z.string(),
    account_label: z.string().describe("What its account number is called, such as Mobile number."),
    account_pattern: z.string().describe("A regular expression that its account numbers match."),
    account_example: z.string(),
    min_amount: moneyText,
    max_amount: moneyText,
    denominations: z.array(moneyText).readonly().describe("The only possible amounts; empty if every amount in the range is possible."),
    enabled: z.boolean(),
    status: z.enum(["up", "slow", "down", "off"]),
    success_rate_1h: z.number().nullable().describe("From 0 to 1; null if no order was decided in the last hour."),
    providers: z.array(routingStepOutput).readonly(),
  })
  .meta({ id: "OperatorState" });

/** A service of the installation with its state. */
export const serviceStateOutput = z
  .strictObject({
    service: z.string(),
    name: z.string(),
    signing: z.enum(["optional", "required"]),
    enabled: z.boolean(),
    opens_at: z.string().nullable().describe("HH:MM in India; null if it is open all day."),
    closes_at: z.string().nullable(),
    state: z.enum(["open", "closed", "off", "no_provider"]),
  })
  .meta({ id: "ServiceState" });

/** The recent and pending orders that a switch would have affected. */
export const switchImpactOutput = z
  .strictObject({
    since: timeText.describe("The start of the counted period: an hour ago, or later if there were too many orders."),
    orders: z.int(),
    accounts: z.int(),
    amount: moneyText,
    pending: z.int().describe("Orders of any age that are not final."),
  })
  .meta({ id: "SwitchImpact" });

export const providerSwitchImpactOutput = switchImpactOutput
  .extend({
    afterwards: z
      .array(z.strictObject({ service: z.string(), operator: z.string(), providers: z.array(z.string()).readonly() }))
      .readonly()
      .describe("The providers that would be tried for each of its routes, in this order."),
  })
  .meta({ id: "ProviderSwitchImpact" });
