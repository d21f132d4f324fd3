import type { ReactNode } from "react";
import { callbacksText } from "../messages/en/callbacks.ts";
import { fill } from "../messages/fill.ts";
import { Status } from "../ui/formats/badge.tsx";
import { countText } from "../ui/formats/format.ts";
import { Time } from "../ui/formats/time.tsx";
import { WireRequestBlock } from "../ui/formats/wire-request.tsx";
import { type Attempt, type Callback, type CallbackDetail, isFailing, stateLabel } from "./callback.ts";

export function DeliveryState({ callback }: { readonly callback: Callback }): ReactNode {
  const label = stateLabel(callback);
  return <Status value={isFailing(callback) ? "failed" : callback.state} {...(label === undefined ? {} : { label })} />;
}

/** HTTP status of the last attempt, or the error when there was no response. */
export function LastResponse({ row }: { readonly row: Pick<Callback, "last_http_status" | "last_error"> }): ReactNode {
  const text = row.last_http_status ?? row.last_error;
  if (text === null) return <span className="text-soft">{callbacksText.noneYet}</span>;
  return (
    <span className="block max-w-48 truncate" title={row.last_error ?? undefined}>
      {text}
    </span>
  );
}

export function ExactRequest({ callback }: { readonly callback: CallbackDetail }): ReactNode {
  return (
    <section aria-label={callbacksText.request} className="space-y-2">
      <h3 className="font-semibold">{callbacksText.exactRequest}</h3>
      <p className="text-soft">{callbacksText.theRequestAsItWould}</p>
      {callback.request === null ? (
        <p>{callback.request_missing}</p>
      ) : (
        <WireRequestBlock title={fill(callbacksText.version, { version: callback.version })} request={callback.request} />
      )}
    </section>
  );
}

export function Attempts({ attempts }: { readonly attempts: readonly Attempt[] }): ReactNode {
  return (
    <section aria-label={callbacksText.attempts} className="space-y-2">
      <h3 className="font-semibold">{callbacksText.attempts}</h3>
      {attempts.length === 0 ? (
        <p className="text-soft">{callbacksText.noAttemptsYetEachDelivery}</p>
      ) : (
        <ol className="space-y-2">
          {attempts.map((attempt) => (
            <li key={attempt.attempt} className="space-y-1 rounded-lg border border-line p-3">
              <div className="flex flex-wrap items-center justify-between gap-2">
                <span className="flex flex-wrap items-center gap-2">
                  <span className="font-medium">{fill(callbacksText.attempt, { attempt: attempt.attempt })}</span>
                  <Status
                    value={attempt.error === null ? "delivered" : "failed"}
                    label={
                      attempt.http_status === null
                        ? callbacksText.noResponse
                        : fill(callbacksText.attemptStatus, { httpStatus: attempt.http_status })
                    }
                  />
                </span>
                <Time value={attempt.at} />
              </div>
              {attempt.error !== null && <p className="break-words text-bad">{attempt.error}</p>}
              {attempt.reply !== null && (
                <figure>
                  <figcaption className="text-soft text-xs">{callbacksText.responseBody}</figcaption>
                  <pre className="rounded-md bg-sunken p-3 text-xs whitespace-pre-wrap break-all">{attempt.reply}</pre>
                </figure>
              )}
              <p className="break-all text-soft text-xs">
                {fill(callbacksText.versionMs, {
                  url: attempt.url,
                  version: attempt.version,
                  milliseconds: countText(attempt.milliseconds),
                })}
              </p>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
