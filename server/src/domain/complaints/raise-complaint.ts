import type { Catalogue } from "../catalog/catalogue.ts";
import type { OrdersContext } from "../orders/context.ts";
import { findArchivedOrders } from "../orders/find-known.ts";
import type { Order } from "../orders/order.ts";
import { findById, findByReferenceInServices, findByReferences } from "../orders/store.ts";
import { invalidFields, type Refusal, refused } from "../shared/refusals.ts";
import { isSignedService } from "../shared/service-definition.ts";
import type { Complaint, ReasonCode } from "./complaint.ts";
import { dueBy, refuseRaising, windowClosed } from "./rules.ts";
import { findComplaint, findKnown, insertComplaint } from "./store.ts";

export type ComplaintsContext = Pick<OrdersContext, "sql" | "clock" | "ids"> & { readonly catalogue: Catalogue };

/** The order as the client names it. */
export type Subject =
  | { readonly kind: "order_id"; readonly orderId: string }
  /** For a recharge. */
  | { readonly kind: "urid"; readonly urid: string }
  | { readonly kind: "request_id"; readonly requestId: string; readonly service: string | null };

export type RaiseRequest = {
  readonly accountId: string;
  readonly subject: Subject;
  readonly reasonCode: ReasonCode;
  readonly description: string;
  readonly complaintRequestId: string | null;
};

export type Raised = { readonly kind: "raised" | "repeated"; readonly complaint: Complaint };

const ATTEMPTS = 10;

export async function raiseComplaint(ctx: ComplaintsContext, request: RaiseRequest): Promise<Raised | Refusal> {
  // Of two concurrent requests, the second retries and finds the first one's complaint.
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const order = await findSubject(ctx, request);
    if (order.kind === "refused") return (await answerArchived(ctx, request)) ?? order;
    const answer = (await answerExisting(ctx, request, order.order)) ?? (await raiseNew(ctx, request, order.order));
    if (answer) return answer;
  }
  throw new Error("A complaint could be neither created nor found.");
}

type FoundOrder = { readonly kind: "found"; readonly order: Order };

async function findSubject(ctx: ComplaintsContext, { accountId, subject }: RaiseRequest): Promise<FoundOrder | Refusal> {
  const [order, ...others] = await ordersOf(ctx, accountId, subject);
  if (!order) return refused("not_found", "There is no such transaction.");
  if (others.length === 0) return { kind: "found", order };
  return others.every((one) => one.service === order.service)
    ? invalidFields({ request_id: "several transactions of this service have it: give order_id instead" })
    : invalidFields({ service: "is required: transactions of several services have this request_id" });
}

async function ordersOf(ctx: ComplaintsContext, accountId: string, subject: Subject): Promise<readonly Order[]> {
  switch (subject.kind) {
    case "order_id": {
      const order = await findById(ctx.sql, subject.orderId, accountId);
      return order ? [order] : [];
    }
    case "urid":
      return await findByReferences(ctx.sql, [{ accountId, service: "recharge", reference: subject.urid, operation: "" }]);
    case "request_id": {
      return await findByReferenceInServices(ctx.sql, accountId, signedServices(ctx, subject.service), subject.requestId);
    }
  }
}

/** The answer about an order whose month was archived, which is older than any window. Null when there is none. */
async function answerArchived(
  ctx: ComplaintsContext,
  { accountId, subject, complaintRequestId }: RaiseRequest,
): Promise<Raised | Refusal | null> {
  for (const asked of archivedSubjects(ctx, accountId, subject))
    for (const orderId of await findArchivedOrders(ctx.sql, accountId, asked)) {
      const { ofRequest } = await findKnown(ctx.sql, { accountId, orderId }, complaintRequestId);
      if (!ofRequest) return windowClosed();
      return ofRequest.orderId === orderId ? { kind: "repeated", complaint: ofRequest } : otherOrder(ofRequest);
    }
  return null;
}

function archivedSubjects(ctx: ComplaintsContext, accountId: string, subject: Subject) {
  if (subject.kind === "order_id") return [{ orderId: subject.orderId }];
  if (subject.kind === "urid") return [{ accountId, service: "recharge", reference: subject.urid }];
  return signedServices(ctx, subject.service).map((service) => ({ accountId, service, reference: subject.requestId }));
}

function signedServices(ctx: ComplaintsContext, service: string | null): readonly string[] {
  const services = service === null ? ctx.catalogue.services().map((one) => one.service) : [service];
  return services.filter(isSignedService);
}

/** The answer when this request, or another on the same order, already has a complaint. */
async function answerExisting(ctx: ComplaintsContext, request: RaiseRequest, order: Order): Promise<Raised | Refusal | null> {
  const { ofRequest, open } = await findKnown(ctx.sql, order, request.complaintRequestId);
  if (ofRequest) return ofRequest.orderId === order.orderId ? { kind: "repeated", complaint: ofRequest } : otherOrder(ofRequest);
  if (!open) return null;
  return refused("complaint_exists", `This transaction has an open complaint: ${open.complaintRef}.`, {
    extra: { complaint_ref: open.complaintRef, order_id: order.orderId },
  });
}

function otherOrder(known: Complaint): Refusal {
  return refused("duplicate_reference", "This complaint_request_id was already used for another transaction.", {
    extra: { complaint_ref: known.complaintRef, order_id: known.orderId },
  });
}

/** Null when a concurrent request came first. */
async function raiseNew(ctx: ComplaintsContext, request: RaiseRequest, order: Order): Promise<Raised | Refusal | null> {
  const raisedAt = ctx.clock.now();
  const refusal = refuseRaising(order, raisedAt);
  if (refusal) return refusal;
  const key = { accountId: request.accountId, complaintRef: `CMP${ctx.ids.request().slice(0, 12)}` };
  const { reasonCode, description, complaintRequestId: requestId } = request;
  const complaint = { ...key, orderId: order.orderId, requestId, reasonCode, description, raisedAt, dueBy: dueBy(raisedAt) };
  if (!(await insertComplaint(ctx.sql, complaint))) return null;
  const written = await findComplaint(ctx.sql, key);
  if (!written) throw new Error(`The complaint ${key.complaintRef} is gone.`);
  return { kind: "raised", complaint: written };
}
