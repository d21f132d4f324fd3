import type { ReactNode } from "react";
import { responseText } from "../../callbacks/callback.ts";
import { transactionsText } from "../../messages/en/transactions.ts";
import { fill } from "../../messages/fill.ts";
import { rich } from "../../messages/rich.tsx";
import { Time } from "../../ui/formats/time.tsx";
import type { OrderCallback } from "./data.ts";

/** The version of a callback and its delivery attempts. */
export function CallbackAttempts({ callback }: { readonly callback: OrderCallback }): ReactNode {
  return (
    <>
      <p className="mt-1 text-soft text-xs">
        {callback.state === "waiting" && callback.next_at !== null
          ? rich(transactionsText.versionAndNextAttempt, { version: callback.version, time: <Time value={callback.next_at} /> })
          : fill(transactionsText.version, { version: callback.version })}
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
  const facts = { attempt, status: responseText(status), milliseconds };
  return error === null ? fill(transactionsText.attemptInMs, facts) : fill(transactionsText.attemptInMsWithError, { ...facts, error });
}
