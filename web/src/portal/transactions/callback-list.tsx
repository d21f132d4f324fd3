import type { ReactNode } from "react";
import { OrderCallbackItem } from "../../callbacks/order-callback.tsx";
import { Section } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { useMay } from "../session.ts";
import { type Attempt, type OrderCallback, transactionQuery } from "./data.ts";

type Props = { readonly callbacks: readonly OrderCallback[]; readonly orderId: string };

/** The callbacks of a transaction with their delivery attempts and a resend button. */
export function CallbackList({ callbacks, orderId }: Props): ReactNode {
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
  const mayResend = useMay("workers");
  return (
    <OrderCallbackItem callback={callback} mayResend={mayResend} order={transactionQuery(orderId).queryKey}>
      <p className="mt-1 text-soft text-xs">
        Version {callback.version}
        {callback.state === "waiting" && callback.next_at !== null && (
          <>
            , next attempt <Time value={callback.next_at} />
          </>
        )}
      </p>
      {callback.attempts.length > 0 && (
        <ol className="mt-2 space-y-1 border-line border-t pt-2 text-xs">
          {callback.attempts.map((attempt) => (
            <li key={attempt.attempt} className="flex flex-wrap justify-between gap-x-4">
              <span className="min-w-0 break-all">{attemptText(attempt)}</span>
              <span className="text-soft">
                <Time value={attempt.at} />
              </span>
            </li>
          ))}
        </ol>
      )}
    </OrderCallbackItem>
  );
}

function attemptText({ attempt, http_status: status, error, milliseconds }: Attempt): string {
  const response = status === null ? "no response" : `HTTP ${status}`;
  return `Attempt ${attempt}: ${response} in ${milliseconds} ms${error === null ? "" : ` (${error})`}`;
}
