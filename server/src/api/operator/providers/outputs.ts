import { z } from "zod";
import { CALLBACK_REFUSALS, type CallbackRefusalReason } from "../../../domain/providers/callbacks/refused-callback.ts";
import { LIST_NAMES } from "../../../domain/providers/lists/list.ts";
import { CONNECTORS } from "../../../domain/providers/store.ts";
import { anyObject, moneyText, pageOf, timeText } from "../../sites/outputs/output-fields.ts";
import { routeOutput } from "./route-outputs.ts";

export const REFUSAL_REASONS = Object.keys(CALLBACK_REFUSALS) as [CallbackRefusalReason, ...CallbackRefusalReason[]];

/** A circuit breaker of the process that answers. */
export const breakerOutput = z
  .strictObject({
    provider: z.string(),
    operator: z.string(),
    state: z.enum(["closed", "open", "half_open"]),
    failures: z.int().describe("Consecutive requests without an answer."),
    since: timeText.nullable().describe("When it opened; null while it is closed."),
    next_try_at: timeText.nullable(),
  })
  .meta({ id: "Breaker" });

export const breakersOutput = pageOf(breakerOutput).extend({ process_id: z.string() });

/** A provider with its health. Its secrets are never shown. */
export const providerOutput = z
  .strictObject({
    provider: z.string(),
    connector: z.enum(CONNECTORS),
    enabled: z.boolean(),
    fault: z.string().nullable().describe("Why it cannot be used; null if it can."),
    addresses: z.array(z.string()).readonly(),
    secrets: z.array(z.strictObject({ name: z.string(), set: z.boolean() })).readonly(),
    callback_path: z.string().nullable(),
    status: z
      .enum(["up", "slow", "down", "idle", "off", "incomplete"])
      .describe("idle: nothing was sent to it in the last hour, so its state is not known."),
    success_rate_1h: z.number().nullable().describe("From 0 to 1; null if no order was decided in the last hour."),
    last_hour: z.strictObject({
      succeeded: z.int(),
      declined: z.int(),
      pending: z.int(),
      unheard: z.int().describe("Requests without an answer."),
      ours: z.int().describe("Requests that failed through a fault on our side."),
      average_ms: z.number().nullable(),
    }),
    balance: z
      .strictObject({ amount: moneyText, at: timeText })
      .nullable()
      .describe("The latest known balance at the provider, and when it told it; null if it never did."),
    routes: z.int().describe("The number of its routes."),
    breakers_open: z.int(),
    created_at: timeText,
  })
  .meta({ id: "Provider" });

/** A list that a provider has: billers, banks, cities, or the plans of an operator and circle. */
const providerListOutput = z
  .strictObject({
    name: z.enum(LIST_NAMES),
    key: z.string().describe("The operator and circle of plans; empty for other lists."),
    items: z.int().describe("The number of entries of the list that is used."),
    refreshed_at: timeText.nullable().describe("When the provider gave the list that is used; null if it never did."),
    checked_at: timeText.nullable().describe("When the provider was last asked."),
    failure: z.string().nullable().describe("Why the last answer was not taken over; null if it was."),
    failing_since: timeText.nullable(),
    next_refresh_at: timeText,
  })
  .meta({ id: "ProviderList" });

export const providerListsOutput = z
  .strictObject({ provider: z.string(), lists: z.array(providerListOutput).readonly() })
  .meta({ id: "ProviderLists" });

export const providerDetailOutput = providerOutput
  .extend({ route_list: z.array(routeOutput).readonly(), breakers: z.array(breakerOutput).readonly() })
  .meta({ id: "ProviderDetail" });

/** See docs/providers.md. */
export const providerDefinitionOutput = z
  .strictObject({ provider: z.string(), definition: anyObject.describe("Its fields depend on the connector.") })
  .meta({ id: "ProviderDefinition" });

const shipped = {
  provider: z.string(),
  services: z.array(z.string()).readonly().describe("The services that it can carry out."),
  documentation: z.string().describe("Its page in the documentation, such as docs/providers/name.md."),
};

/** A description that comes with Corprail. */
export const shippedDescriptionOutput = z.strictObject(shipped).meta({ id: "ShippedDescription" });
export const shippedDescriptionDetailOutput = z
  .strictObject({ ...shipped, definition: anyObject })
  .meta({ id: "ShippedDescriptionDetail" });

const shownCall = z
  .union([
    z.strictObject({
      method: z.string(),
      url: z.string(),
      headers: z.record(z.string(), z.string()).readonly(),
      body: z.string().nullable(),
    }),
    z.strictObject({ not_sent: z.string().describe("Why no request would be sent.") }),
  ])
  .nullable();

const reading = {
  outcome: z.string().describe("An outcome of a transaction, or answered, refused, unavailable, continue or ask."),
  because: z.string(),
  decline: z.enum(["final", "provider", "float", "busy"]).nullable().describe("The class of a decline; null if it is none."),
  client_message: z.string().nullable(),
  fields: z.record(z.string(), z.string().nullable()).readonly().describe("What the description finds in it."),
  value: z.string().nullable().describe("The data of a query, or what a success adds to the reply, as JSON text; null without it."),
};

/** The requests that a provider would get, with masked secrets, and how a sample answer is read. */
export const providerTestOutput = z
  .strictObject({
    provider: z.string(),
    connector: z.enum(CONNECTORS),
    operation: z.string().nullable(),
    warnings: z
      .array(z.strictObject({ path: z.string(), message: z.string() }))
      .readonly()
      .describe("What is allowed and may still be a mistake, each with its place in the description."),
    steps: z
      .array(z.strictObject({ step: z.string(), call: shownCall }))
      .readonly()
      .describe("All calls in their order: the login, the steps, and the status query."),
    request: shownCall.describe("The call that moves the money, or the only one."),
    status: shownCall.describe("The request that queries the order's status; null for a query."),
    reading: z.strictObject(reading).nullable().describe("How the sample answer is read; null without one."),
    samples: z
      .array(
        z.strictObject({
          path: z.string().describe("Where the sample is in the description."),
          name: z.string().describe("What it is filed under, such as declined.float."),
          ...reading,
        }),
      )
      .readonly()
      .describe("How the description's own samples of the operation, the login and the callbacks are read."),
    sample_changes: z
      .array(
        z.strictObject({
          path: z.string().describe("Where the sample is in the stored description."),
          name: z.string(),
          before: z.strictObject(reading),
          after: z.strictObject(reading).nullable().describe("Null if the call that it answers is gone."),
        }),
      )
      .readonly()
      .describe("With compare_samples: the samples of the stored description that this one reads otherwise."),
    missing: z.array(z.string()).readonly().describe("The names of missing secrets."),
  })
  .meta({ id: "ProviderTest" });

export const providerCheckOutput = z
  .strictObject({
    provider: z.string(),
    ok: z.boolean(),
    steps: z
      .array(
        z.strictObject({
          step: z.enum(["address", "login", "balance"]),
          ok: z.boolean(),
          detail: z.string().describe("What was found, or what is wrong."),
          milliseconds: z.int().nullable().describe("How long the provider took; null if nothing was sent."),
        }),
      )
      .readonly()
      .describe("They end with the first one that fails."),
  })
  .meta({ id: "ProviderCheck" });

/** A refused request to /upstream/{provider}/callback. */
export const refusedCallbackOutput = z
  .strictObject({
    refusal_id: z.string(),
    provider: z.string().nullable().describe("Null if the path names no known provider."),
    at: timeText,
    reason: z.enum(REFUSAL_REASONS),
    message: z.string(),
    authentic: z.boolean().describe("Whether it was authenticated with the provider's secret."),
    method: z.string(),
    source: z.string().describe("The sender's address."),
    reference: z.string().nullable(),
    excerpt: z.string(),
  })
  .meta({ id: "RefusedProviderCallback" });
