import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { post } from "../common-api.ts";
import { callbacksText } from "../messages/en/callbacks.ts";
import { fill } from "../messages/fill.ts";
import { Button } from "../ui/button.tsx";
import { Status } from "../ui/formats/badge.tsx";
import { toast, toastError } from "../ui/overlays/toast.tsx";
import { Section } from "../ui/page.tsx";
import type { TransactionCallback } from "./callback.ts";

type Props<Row> = {
  readonly callbacks: readonly Row[];
  readonly mayResend: boolean;
  /** Query of the transaction, read again after a resend. */
  readonly transaction: QueryKey;
  /** What the site says about the attempts. */
  readonly children: (callback: Row) => ReactNode;
};

/** The callbacks of a transaction, each with a button to resend it. */
export function TransactionCallbacks<Row extends TransactionCallback>({ callbacks, children, ...rest }: Props<Row>): ReactNode {
  if (callbacks.length === 0) return null;
  return (
    <Section title={callbacksText.callbacks}>
      <ul className="space-y-3">
        {callbacks.map((callback) => (
          <Item key={callback.callback_id} callback={callback} {...rest}>
            {children(callback)}
          </Item>
        ))}
      </ul>
    </Section>
  );
}

type ItemProps = Pick<Props<never>, "mayResend" | "transaction"> & { readonly callback: TransactionCallback; readonly children: ReactNode };

function Item({ callback, mayResend, transaction, children }: ItemProps): ReactNode {
  const { callback_id: callbackId } = callback;
  const queries = useQueryClient();
  const resend = useMutation({
    mutationFn: () => post("/callbacks/:callback_id/resend", { callback_id: callbackId }),
    onSuccess: () => toast(callbacksText.theCallbackIsBeingSentAgain),
    onError: toastError,
    onSettled: () => queries.invalidateQueries({ queryKey: transaction }),
  });
  const name =
    callback.kind === "status"
      ? fill(callbacksText.namedCallback, { status: callback.status })
      : fill(callbacksText.complaintCallback, { status: callback.status });
  return (
    <li className="rounded-lg border border-line p-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Link to="/callbacks/$callbackId" params={{ callbackId }} className="link font-medium">
          {name}
        </Link>
        <div className="flex items-center gap-2">
          <Status value={callback.state} />
          {mayResend && (
            <Button busy={resend.isPending} aria-label={fill(callbacksText.resendNamed, { name })} onClick={() => resend.mutate()}>
              {callbacksText.resend}
            </Button>
          )}
        </div>
      </div>
      {children}
    </li>
  );
}
