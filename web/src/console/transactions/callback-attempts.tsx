import type { ReactNode } from "react";
import { responseText } from "../../callbacks/callback.ts";
import { Time } from "../../ui/formats/time.tsx";
import type { OrderCallback } from "./order.ts";

/** The version of a callback, the number of its attempts and the last response. */
export function CallbackAttempts({ callback }: { readonly callback: OrderCallback }): ReactNode {
  return (
    <>
      <p className="mt-1 break-words text-soft text-xs">{attemptsText(callback)}</p>
      {callback.state === "waiting" && callback.next_at !== null && (
        <p className="text-soft text-xs">
          Next attempt <Time value={callback.next_at} />
        </p>
      )}
    </>
  );
}

function attemptsText({ version, attempts, last_http_status: status, last_error: error }: OrderCallback): string {
  const count = attempts === 1 ? "one attempt" : `${attempts} attempts`;
  const last = attempts === 0 ? "not sent yet" : `${count}, last ${responseText(status)}`;
  return `Version ${version}, ${last}${error === null ? "" : ` (${error})`}`;
}
