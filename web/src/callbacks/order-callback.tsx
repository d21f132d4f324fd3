import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { post } from "../ui/api.ts";
import { Status } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { toast, toastError } from "../ui/toast.tsx";

type Props = {
  readonly callback: {
    readonly callback_id: string;
    readonly kind: string;
    readonly status: string;
    readonly state: string;
  };
  readonly mayResend: boolean;
  /** Query of the order, read again after a resend. */
  readonly order: QueryKey;
  readonly children: ReactNode;
};

/** A callback of an order, with a button to resend it. */
export function OrderCallbackItem({ callback, mayResend, order, children }: Props): ReactNode {
  const queries = useQueryClient();
  const resend = useMutation({
    mutationFn: () => post(`/callbacks/${callback.callback_id}/resend`),
    onSuccess: () => toast("The callback is being sent again."),
    onError: toastError,
    onSettled: () => queries.invalidateQueries({ queryKey: order }),
  });
  const name = callback.kind === "status" ? `Callback ${callback.status}` : `Complaint callback ${callback.status}`;
  return (
    <li className="rounded-lg border border-line p-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Link to={"/callbacks/$callbackId" as string} params={{ callbackId: callback.callback_id } as never} className="link font-medium">
          {name}
        </Link>
        <div className="flex items-center gap-2">
          <Status value={callback.state} />
          {mayResend && (
            <Button busy={resend.isPending} aria-label={`Resend ${name}`} onClick={() => resend.mutate()}>
              Resend
            </Button>
          )}
        </div>
      </div>
      {children}
    </li>
  );
}
