import type { ReactNode } from "react";
import { responseText } from "../../callbacks/callback.ts";
import { Time } from "../../ui/time.tsx";
import type { OrderCallback } from "./data.ts";

/** The version of a callback and its delivery attempts. */
export function CallbackAttempts({ callback }: { readonly callback: OrderCallback }): ReactNode {
  return (
    <>
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
    </>
  );
}

function attemptText({ attempt, http_status: status, error, milliseconds }: OrderCallback["attempts"][number]): string {
  return `Attempt ${attempt}: ${responseText(status)} in ${milliseconds} ms${error === null ? "" : ` (${error})`}`;
}
