import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { uiText } from "../messages/en/ui.ts";
import { fill } from "../messages/fill.ts";
import { rich } from "../messages/rich.tsx";
import { Button } from "./button.tsx";
import { Copy } from "./formats/copy.tsx";
import { ApiError } from "./requests/api.ts";
import { DATA_MODE, thisPageInMode } from "./requests/data-mode.ts";

/** A refusal of what was typed, such as a wrong password: one sentence, and no code that nobody can use. */
export function RefusedEntry({ error }: { readonly error: unknown }): ReactNode {
  if (!(error instanceof ApiError) || error.error !== "unauthorized") return <ErrorCard error={error} />;
  return (
    <p role="alert" className="rounded-lg border border-bad/40 bg-bad-tint px-4 py-3 font-medium">
      {error.message}
    </p>
  );
}

/** An error with its code and request id, which support asks for. */
export function ErrorCard({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }): ReactNode {
  const known = error instanceof ApiError ? error : null;
  return (
    <div role="alert" className="flex gap-3 rounded-xl border border-bad/40 bg-bad-tint p-4">
      <CircleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-bad" />
      <div className="min-w-0 space-y-2">
        <p className="font-medium">{known?.message ?? uiText.thisPageCouldNotBe}</p>
        <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-soft text-xs">
          <span>{rich(uiText.code, { code: <code className="font-mono text-ink">{known?.error ?? "page_error"}</code> })}</span>
          {known?.requestId && (
            <span className="inline-flex items-center gap-1">
              {rich(uiText.requestId, { code: <code className="font-mono text-ink">{known.requestId}</code> })}
              <Copy text={known.requestId} label={uiText.copyTheRequestId} />
            </span>
          )}
        </p>
        {known?.fields["mode"] !== undefined && <OtherMode />}
        {onRetry && <Button onClick={onRetry}>{uiText.tryAgain}</Button>}
      </div>
    </div>
  );
}

/** The same page in the mode that its data belong to. */
function OtherMode(): ReactNode {
  const other = DATA_MODE === "live" ? "test" : "live";
  return (
    <a className="link" href={thisPageInMode(other)}>
      {fill(uiText.openThisPageInMode, { other: other === "test" ? uiText.testMode : uiText.liveMode })}
    </a>
  );
}
