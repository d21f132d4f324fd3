import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { Connector, ProviderRequest } from "../providers/connector.ts";
import type { OrdersContext } from "./context.ts";
import type { Order } from "./order.ts";

type RequestedOrder = Pick<Order, "orderId" | "service" | "call" | "operator" | "target" | "amount" | "circle" | "createdAt">;

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

/** An order as its providers see it, with our own reference. */
export function providerRequest(order: RequestedOrder): ProviderRequest {
  return {
    reference: order.orderId,
    service: order.service,
    call: order.call,
    operator: order.operator,
    target: order.target,
    amount: order.amount,
    circle: order.circle,
    createdAt: order.createdAt,
  };
}

/** The request that is sent. A reference of the provider's form is stored before, so that its callback finds the order. */
export async function requestToSend(
  ctx: OrdersContext,
  connector: Connector,
  order: Order,
  details: JsonObject | undefined,
): Promise<ProviderRequest> {
  const request = await withReference(ctx, connector, order);
  return details ? { ...request, details } : request;
}

/** The request of a status query: by our reference, the provider's own id, or both, with what the service has stored. */
export async function requestToAsk(
  ctx: OrdersContext,
  connector: Connector,
  order: Order,
  providerRef: string | null,
): Promise<ProviderRequest> {
  const [request, details] = await Promise.all([withReference(ctx, connector, order), ctx.readStoredDetails(order)]);
  return {
    ...request,
    ...(details === null ? {} : { details }),
    ...(providerRef === null ? {} : { providerRef }),
  };
}

async function withReference(ctx: OrdersContext, { referenceForm }: Connector, order: Order): Promise<ProviderRequest> {
  const request = providerRequest(order);
  if (!referenceForm) return request;
  return { ...request, reference: await ctx.references.allocate(order.provider, referenceForm, order.orderId) };
}
