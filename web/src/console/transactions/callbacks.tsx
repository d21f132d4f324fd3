import type { ReactNode } from "react";
import { OrderCallbackItem } from "../../callbacks/order-callback.tsx";
import { Section } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { SUPPORT, useMay } from "../session.ts";
import { type OrderCallback, orderQuery } from "./order.ts";

type Props = { readonly callbacks: readonly OrderCallback[]; readonly orderId: string };

/** The callbacks of an order. */
export function OrderCallbacks({ callbacks, orderId }: Props): ReactNode {
  if (callbacks.length === 0) return null;
  return (
    <Section title="Callbacks">
      <ul className="space-y-3">
        {callbacks.map((callback) => (
          <CallbackItem key={callback.callback_id} callback={callback} orderId={orderId} />
        ))}
      </ul>
    </Section>
  );
}

function CallbackItem({ callback, orderId }: { readonly callback: OrderCallback; readonly orderId: string }): ReactNode {
  const mayResend = useMay(SUPPORT);
  return (
    <OrderCallbackItem callback={callback} mayResend={mayResend} order={orderQuery(orderId).queryKey}>
      <p className="mt-1 break-words text-soft text-xs">{attemptsText(callback)}</p>
      {callback.state === "waiting" && callback.next_at !== null && (
        <p className="text-soft text-xs">
          Next attempt <Time value={callback.next_at} />
        </p>
      )}
    </OrderCallbackItem>
  );
}

function attemptsText({ version, attempts, last_http_status: status, last_error: error }: OrderCallback): string {
  const response = status === null ? "no response" : `HTTP ${status}`;
  const last = attempts === 0 ? "not sent yet" : `${attempts === 1 ? "one attempt" : `${attempts} attempts`}, last ${response}`;
  return `Version ${version}, ${last}${error === null ? "" : ` (${error})`}`;
}
