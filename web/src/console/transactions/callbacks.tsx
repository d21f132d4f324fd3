import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { post } from "../../ui/api.ts";
import { Status } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Section } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import { DESK, useMay } from "../session.ts";
import { type OrderCallback, orderQuery } from "./order.ts";

type Props = { readonly callbacks: readonly OrderCallback[]; readonly orderId: string };

/** What the client was told of it. */
export function OrderCallbacks({ callbacks, orderId }: Props): ReactNode {
  if (callbacks.length === 0) return null;
  return (
    <Section title="Callbacks">
      <ul className="space-y-3">
        {callbacks.map((callback) => (
          <OneCallback key={callback.callback_id} callback={callback} orderId={orderId} />
        ))}
      </ul>
    </Section>
  );
}

function OneCallback({ callback, orderId }: { readonly callback: OrderCallback; readonly orderId: string }): ReactNode {
  const may = useMay(DESK);
  const queries = useQueryClient();
  const resend = useMutation({
    mutationFn: () => post(`/callbacks/${callback.callback_id}/resend`),
    onSuccess: () => toast("The callback is being sent again."),
    onError: toastError,
    onSettled: () => queries.invalidateQueries({ queryKey: orderQuery(orderId).queryKey }),
  });
  const name = callback.kind === "status" ? `Callback ${callback.status}` : `Complaint callback ${callback.status}`;
  return (
    <li className="rounded-lg border border-line p-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Link to="/callbacks/$callbackId" params={{ callbackId: callback.callback_id }} className="link font-medium">
          {name}
        </Link>
        <div className="flex items-center gap-2">
          <Status value={callback.state} />
          {may && (
            <Button busy={resend.isPending} aria-label={`Resend ${name}`} onClick={() => resend.mutate()}>
              Resend
            </Button>
          )}
        </div>
      </div>
      <p className="mt-1 break-words text-soft text-xs">{attemptsText(callback)}</p>
      {callback.state === "waiting" && callback.next_at !== null && (
        <p className="text-soft text-xs">
          Next attempt <Time value={callback.next_at} />
        </p>
      )}
    </li>
  );
}

function attemptsText({ version, attempts, last_http_status: status, last_error: error }: OrderCallback): string {
  const answer = status === null ? "no answer" : `HTTP ${status}`;
  const last = attempts === 0 ? "not tried yet" : `${attempts === 1 ? "one attempt" : `${attempts} attempts`}, last ${answer}`;
  return `Version ${version}, ${last}${error === null ? "" : ` (${error})`}`;
}
