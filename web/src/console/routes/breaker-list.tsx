import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Badge } from "../../ui/formats/badge.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { toast, toastError } from "../../ui/overlays/toast.tsx";
import { post } from "../api.ts";
import { type Breaker, useProvidersChanged } from "../providers/provider.ts";

/** Breakers of this process that have counted failures. */
export function BreakerList({ breakers, isAllowed }: { readonly breakers: readonly Breaker[]; readonly isAllowed: boolean }): ReactNode {
  return (
    <div className="space-y-3">
      {breakers.length === 0 ? (
        <p className="text-soft">All providers responded to their latest order. Providers that do not respond will appear here.</p>
      ) : (
        <ul className="space-y-2">
          {breakers.map((breaker) => (
            <BreakerItem key={`${breaker.provider} ${breaker.operator}`} breaker={breaker} isAllowed={isAllowed} />
          ))}
        </ul>
      )}
      <p className="text-soft text-xs">
        Each process has its own breakers; these belong to the process that served this page. A reset reaches all processes within a second.
        To stop sending orders to a provider, switch its route off.
      </p>
    </div>
  );
}

function BreakerItem({ breaker, isAllowed }: { readonly breaker: Breaker; readonly isAllowed: boolean }): ReactNode {
  const { provider, operator, failures } = breaker;
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 rounded-lg border border-line px-3 py-2">
      <div className="min-w-0 space-y-1">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium">
            {provider}, {operator}
          </span>
          <BreakerState breaker={breaker} />
        </p>
        <p className="text-soft text-xs">
          {failures} {failures === 1 ? "order" : "orders"} in a row without a response
          {breaker.since !== null && (
            <>
              , open since <Time value={breaker.since} />, next try <Time value={breaker.next_try_at} />
            </>
          )}
        </p>
      </div>
      {isAllowed && <ResetButton provider={provider} operator={operator} />}
    </li>
  );
}

function BreakerState({ breaker: { state } }: { readonly breaker: Breaker }): ReactNode {
  if (state === "open") return <Badge tone="bad">Open</Badge>;
  return state === "half_open" ? <Badge tone="wait">Half open</Badge> : <Badge>Closed, counting</Badge>;
}

function ResetButton({ provider, operator }: { readonly provider: string; readonly operator: string }): ReactNode {
  const changed = useProvidersChanged();
  const [busy, setBusy] = useState(false);
  const reset = async () => {
    setBusy(true);
    try {
      await post("/breakers/reset", { provider, operator });
      toast(`The breaker was reset. Orders for ${operator} go to ${provider} again.`);
    } catch (error) {
      toastError(error);
    }
    await changed();
    setBusy(false);
  };
  return (
    <Button busy={busy} aria-label={`Reset the breaker of ${provider} for ${operator}`} onClick={() => void reset()}>
      Reset
    </Button>
  );
}
