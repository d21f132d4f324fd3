import type { Description } from "../description/definition.ts";
import type { Secrets } from "../description/request/scope.ts";
import { answerScope, sampleFor } from "./answers.ts";
import type { TwinOrder, TwinOrders } from "./orders.ts";
import { buildCallback, sendCallback } from "./send-callback.ts";

export type ReportOptions = {
  /** Null: no callbacks are sent. */
  readonly callbackUrl: string | null;
  readonly secrets: Secrets;
  readonly delayMilliseconds: number;
  readonly now: () => number;
  /** `answered` is the HTTP status of the receiver, or why the callback was not sent. */
  readonly onCallback: (callback: { readonly reference: string; readonly result: string; readonly answered: string }) => void;
};

export type Reports = { readonly report: (order: TwinOrder) => void; readonly close: () => void };

/** Sends callbacks about orders: the result that is final at once, and the later one after the delay. */
export function createReports(definition: Description, orders: TwinOrders, options: ReportOptions): Reports {
  const timers = new Set<NodeJS.Timeout>();
  return {
    report: (order) => {
      const { now: first, later } = order.behaviour;
      if (first !== "pending") callBack(definition, orders, options, order, first);
      if (later === undefined) return;
      const timer = setTimeout(() => {
        timers.delete(timer);
        callBack(definition, orders, options, order, later);
      }, options.delayMilliseconds);
      timers.add(timer);
    },
    close: () => {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

function callBack(definition: Description, orders: TwinOrders, options: ReportOptions, order: TwinOrder, result: string): void {
  const { callbackUrl, secrets, now, onCallback } = options;
  const [kind = result] = result.split(".");
  const tell = (answered: string) => onCallback({ reference: order.reference, result: kind, answered });
  const chosen = definition.callbacks
    .map((callback) => ({ callback, sample: sampleFor(callback.samples ?? {}, [kind, "ask"]) }))
    .find(({ sample }) => sample !== null);
  const { callback, sample = null } = chosen ?? {};
  if (callbackUrl === null || callback === undefined || sample === null) return;
  const scope = answerScope({
    definition,
    operation: order.operation,
    found: order.found,
    order,
    own: { balance: orders.balance(now()) },
    now: now(),
  });
  const isForged = order.behaviour.callbacks === "wrong-signature";
  const deliver = async () => {
    const message = buildCallback({ definition, callback, sample, scope, secrets, now: now(), isForged });
    const times = order.behaviour.callbacks === "duplicate" ? 2 : 1;
    for (let time = 0; time < times; time++) tell(String(await sendCallback(callbackUrl, message)));
  };
  // The receiver may be down; a rehearsal shows that and goes on.
  deliver().catch((error: unknown) => tell(`not sent: ${error instanceof Error ? error.message : String(error)}`));
}
