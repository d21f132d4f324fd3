import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { type UseFormReturn, useForm } from "react-hook-form";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { moneyText } from "../../ui/formats/format.ts";
import { Money } from "../../ui/formats/money.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Field, Select, showFieldErrors, TextArea } from "../../ui/forms/field.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { toast } from "../../ui/overlays/toast.tsx";
import { Facts } from "../../ui/page.tsx";
import { post } from "../api.ts";
import { isWaitingAction, type WaitingAction } from "../approvals/approval.ts";
import { WaitingApproval } from "../approvals/waiting-approval.tsx";
import { type OrderDetail, orderQuery } from "./order.ts";

/** An action that staff take on an order manually. */
export type ManualAction = {
  readonly path: "settle" | "reverse" | "refund" | "cancel" | "settle-cancellation";
  /** The cancellation that is decided. */
  readonly cancelId?: string;
  readonly label: string;
  readonly title: string;
  /** The effect on the order and the client. */
  readonly effect: (order: OrderDetail["order"]) => string;
  readonly done: string;
  readonly danger: boolean;
};

const SETTLE: ManualAction = {
  path: "settle",
  label: "Settle manually",
  title: "Settle manually",
  effect: () =>
    "Use this when the provider does not report the result. Check the result with the provider first. This is final, and the client is notified.",
  done: "The transaction was settled.",
  danger: false,
};
const REVERSE: ManualAction = {
  path: "reverse",
  label: "Reverse",
  title: "Reverse this transaction?",
  effect: (order) =>
    order.credit
      ? `${moneyText(order.amount_exact)} is debited from the client's wallet, and the client is notified of FAILED.`
      : "Its cost is returned to the client's wallet, and the client is notified of FAILED.",
  done: "The transaction was reversed.",
  danger: true,
};
const REFUND: ManualAction = {
  path: "refund",
  label: "Refund",
  title: "Refund this transfer?",
  effect: () => "The amount and fee are returned to the client's wallet. Clients with version 3 callbacks are notified of FAILED.",
  done: "The transfer was refunded.",
  danger: true,
};
const CANCEL: ManualAction = {
  path: "cancel",
  label: "Cancel ticket",
  title: "Cancel this ticket?",
  effect: () =>
    "All remaining seats are cancelled at the trip's current cancellation charges. The rest is returned to the client's wallet.",
  done: "The ticket was cancelled.",
  danger: true,
};

/** Decides a cancellation whose provider gives no clear answer. */
function settleCancellation({ cancel_id: cancelId, seats, refund_amount: refund }: OrderDetail["cancellations"][number]): ManualAction {
  return {
    path: "settle-cancellation",
    cancelId,
    label: `Decide cancellation of ${seats.join(", ")}`,
    title: "Decide this cancellation",
    effect: () =>
      `Use this when the provider does not say whether it has cancelled ${seats.join(", ")}. Check it with the provider first. If it has, ${moneyText(refund)} is returned to the client's wallet. This is final.`,
    done: "The cancellation was decided.",
    danger: false,
  };
}

export function manualActionsFor({ order, cancellations }: OrderDetail): readonly ManualAction[] {
  if (order.status === "pending") return [SETTLE];
  if (order.status !== "SUCCESS") return [];
  if (order.service === "transfers" && order.call === "") return [REFUND, REVERSE];
  return order.service === "bus" ? [...cancellations.map(settleCancellation), CANCEL, REVERSE] : [REVERSE];
}

/** No result is preselected: the wrong one would pay out or return money. */
type Values = {
  status: "" | "SUCCESS" | "FAILED";
  outcome: "" | "cancelled" | "not_cancelled";
  operator_ref: string;
  reason: string;
};
type Props = { readonly action: ManualAction; readonly order: OrderDetail["order"]; readonly onClose: () => void };

/** Asks for a reason, carries out the action, and shows the approval when one is needed. */
export function ManualActionDialog({ action, order, onClose }: Props): ReactNode {
  const [waiting, setWaiting] = useState<WaitingAction | null>(null);
  return (
    <Dialog title={action.title} onClose={onClose}>
      {waiting === null ? (
        <ManualActionForm action={action} order={order} onClose={onClose} onWaiting={setWaiting} />
      ) : (
        <WaitingApproval approval={waiting.approval} onClose={onClose} />
      )}
    </Dialog>
  );
}

function ManualActionForm({
  action,
  order,
  onClose,
  onWaiting,
}: Props & { readonly onWaiting: (waiting: WaitingAction) => void }): ReactNode {
  const queries = useQueryClient();
  const { busy, error, attempt } = useAttempt();
  const form = useForm<Values>({ defaultValues: { status: "", outcome: "", operator_ref: "", reason: "" } });
  const { register, handleSubmit, setError, formState } = form;
  const settles = action.path === "settle" || action.path === "settle-cancellation";
  const send = async (values: Values) => {
    try {
      const answer = await sendAction(action, order.order_id, values);
      if (isWaitingAction(answer)) return onWaiting(answer);
      queries.setQueryData(orderQuery(order.order_id).queryKey, answer);
      await queries.invalidateQueries({ queryKey: ["/orders", "list"] });
      toast(action.done);
      onClose();
    } catch (refused) {
      if (!showFieldErrors<Values>(refused, ["status", "outcome", "operator_ref", "reason"], setError)) throw refused;
    }
  };
  const { errors } = formState;
  return (
    <form className="space-y-4" noValidate onSubmit={handleSubmit((values) => attempt(() => send(values)))}>
      <p className="text-soft">{action.effect(order)}</p>
      <Subject order={order} />
      {action.path === "settle" && <OrderResult form={form} />}
      {action.path === "settle-cancellation" && <CancellationResult form={form} />}
      <TextArea
        label={settles ? "Evidence" : "Reason"}
        hint={settles ? "Where you checked the result, in one sentence. Recorded in the audit log." : "Recorded in the audit log."}
        rows={2}
        maxLength={500}
        error={errors.reason?.message}
        {...register("reason", { validate: (text) => text.trim() !== "" || "Enter a reason." })}
      />
      {error !== null && <ErrorCard error={error} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Go back</Button>
        <Button type="submit" look={action.danger ? "danger" : "primary"} busy={busy}>
          {action.label}
        </Button>
      </div>
    </form>
  );
}

type FormPart = { readonly form: UseFormReturn<Values> };

function OrderResult({ form: { register, watch, formState } }: FormPart): ReactNode {
  const { errors } = formState;
  return (
    <>
      <Select
        label="Result"
        options={[
          { value: "", label: "Choose the result" },
          { value: "SUCCESS", label: "Succeeded: the client pays" },
          { value: "FAILED", label: "Failed: the money is returned" },
        ]}
        error={errors.status?.message}
        {...register("status", { required: "Choose the result that the provider confirmed." })}
      />
      {watch("status") === "SUCCESS" && (
        <Field
          label="Operator reference"
          hint="As the provider shows it. The client receives it too."
          maxLength={64}
          error={errors.operator_ref?.message}
          {...register("operator_ref")}
        />
      )}
    </>
  );
}

function CancellationResult({ form: { register, formState } }: FormPart): ReactNode {
  return (
    <Select
      label="Result"
      options={[
        { value: "", label: "Choose the result" },
        { value: "cancelled", label: "Cancelled: the quoted refund is paid" },
        { value: "not_cancelled", label: "Not cancelled: the seats stay booked" },
      ]}
      error={formState.errors.outcome?.message}
      {...register("outcome", { required: "Choose the result that the provider confirmed." })}
    />
  );
}

function Subject({ order }: Pick<Props, "order">): ReactNode {
  return (
    <Facts
      facts={[
        ["Client", order.account_name],
        ["Order", <code key="order" className="font-mono">{`${order.order_id}`}</code>],
        ["Amount", <Money key="amount" value={order.amount_exact} className="font-semibold" />],
      ]}
    />
  );
}

function sendAction({ path, cancelId = "" }: ManualAction, orderId: string, values: Values) {
  const { status, outcome, operator_ref: operatorRef, reason } = values;
  if (path === "settle-cancellation") {
    if (outcome === "") throw new Error("The form requires a result.");
    return post("/orders/:order_id/settle-cancellation", { order_id: orderId, cancel_id: cancelId, outcome, reason });
  }
  if (path !== "settle" || status === "") return post(`/orders/:order_id/${path}`, { order_id: orderId, reason });
  const isReferenced = status === "SUCCESS" && operatorRef.trim() !== "";
  return post("/orders/:order_id/settle", { order_id: orderId, status, reason, operator_ref: isReferenced ? operatorRef : undefined });
}
