import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { Connector, ProviderRequest } from "../providers/connector.ts";
import type { OrdersContext } from "./context.ts";
import type { Order } from "./order.ts";

type Requested = Pick<Order, "service" | "operation" | "operator" | "target" | "amount" | "circle">;

/** The connector of the version that the order was sent with, so that its answers are read as its request was meant. */
export function connectorOf(
  { providerRegistry }: { readonly providerRegistry: Pick<OrdersContext["providerRegistry"], "connector"> },
  { provider, providerVersion }: Pick<Order, "provider" | "providerVersion">,
): Connector | null {
  return providerRegistry.connector(provider, providerVersion);
}

/** Why there is no connector for an order, for staff. */
export function notRunning({ provider, providerVersion }: Pick<Order, "provider" | "providerVersion">): string {
  if (providerVersion === null) return `the provider ${provider} is not running`;
  return `version ${providerVersion} of the provider ${provider}, with which the order was sent, is not running`;
}

/** An order as its providers see it, with this reference. */
export function providerRequest(reference: string, requested: Requested, createdAt: number): ProviderRequest {
  return {
    reference,
    service: requested.service,
    operation: requested.operation,
    operator: requested.operator,
    target: requested.target,
    amount: requested.amount,
    circle: requested.circle,
    createdAt,
  };
}

/**
 * The request that is sent. A reference of the provider's form is stored before, so that its callback finds the order. Most
 * providers take ours, and their request is returned without a promise.
 */
export function requestToSend(
  ctx: OrdersContext,
  connector: Connector,
  order: Order,
  details: JsonObject | undefined,
): ProviderRequest | Promise<ProviderRequest> {
  if (connector.referenceForm) return withAllocatedReference(ctx, connector.referenceForm, order, details);
  return withDetails(providerRequest(order.orderId, order, order.createdAt), details);
}

/** The request of a status query: by our reference, the provider's own id, or both, with what the service has stored. */
export async function requestToAsk(
  ctx: OrdersContext,
  connector: Connector,
  order: Order,
  providerRef: string | null,
): Promise<ProviderRequest> {
  const [request, details] = await Promise.all([requestToSend(ctx, connector, order, undefined), ctx.readStoredDetails(order)]);
  return {
    ...request,
    ...(details === null ? {} : { details }),
    ...(providerRef === null ? {} : { providerRef }),
  };
}

async function withAllocatedReference(
  ctx: OrdersContext,
  form: NonNullable<Connector["referenceForm"]>,
  order: Order,
  details: JsonObject | undefined,
): Promise<ProviderRequest> {
  const reference = await ctx.references.allocate(order.provider, form, order.orderId);
  return withDetails(providerRequest(reference, order, order.createdAt), details);
}

function withDetails(request: ProviderRequest, details: JsonObject | undefined): ProviderRequest {
  return details ? { ...request, details } : request;
}
