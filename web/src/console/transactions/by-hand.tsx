import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useForm } from "react-hook-form";
import { post } from "../../ui/api.ts";
import { useAttempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Field, Select, showFieldErrors, TextArea } from "../../ui/field.tsx";
import { moneyText } from "../../ui/format.ts";
import { toast } from "../../ui/toast.tsx";
import type { Held } from "../approvals/approval.ts";
import { Waits } from "../approvals/waits.tsx";
import { type OrderDetail, orderQuery } from "./order.ts";

export type Deed = {
  readonly path: "settle" | "reverse" | "refund" | "cancel";
  readonly action: string;
  readonly title: string;
  /** What it does to whom. */
  readonly effect: (order: OrderDetail["order"]) => string;
  readonly done: string;
  readonly danger: boolean;
};

const SETTLE: Deed = {
  path: "settle",
  action: "Settle by hand",
  title: "Settle by hand",
  effect: () =>
    "For what the provider will not tell by itself. Look it up there first: what is settled here is final, and the client is told.",
  done: "The transaction is settled.",
  danger: false,
};
const REVERSE: Deed = {
  path: "reverse",
  action: "Reverse",
  title: "Reverse this transaction?",
  effect: (order) =>
    order.credit
      ? `${moneyText(order.amount_exact)} are taken from the client's wallet again, and the client is told FAILED.`
      : "What it cost goes back to the client's wallet, and the client is told FAILED.",
  done: "The transaction is reversed.",
  danger: true,
};
const REFUND: Deed = {
  path: "refund",
  action: "Refund",
  title: "Refund this transfer?",
  effect: () => "Amount and fee go back to the client's wallet. Clients of version 3 are told FAILED.",
  done: "The transfer is refunded.",
  danger: true,
};
const CANCEL: Deed = {
  path: "cancel",
  action: "Cancel the ticket",
  title: "Cancel this ticket?",
  effect: () => "Every seat that is left is cancelled, at what the trip's rules ask for now; the rest goes back to the client's wallet.",
  done: "The ticket is cancelled.",
  danger: true,
};

export function deedsFor({ order }: OrderDetail): readonly Deed[] {
  if (order.status === "pending") return [SETTLE];
  if (order.status !== "SUCCESS") return [];
  if (order.service === "transfers" && order.call === "") return [REFUND, REVERSE];
  return order.service === "bus" ? [CANCEL, REVERSE] : [REVERSE];
}

type Values = { status: string; operator_ref: string; reason: string };
type Props = { readonly deed: Deed; readonly order: OrderDetail["order"]; readonly onClose: () => void };

/** Takes down why, does it, and shows where it waits when somebody else has to agree. */
export function ByHand({ deed, order, onClose }: Props): ReactNode {
  const [held, setHeld] = useState<Held | null>(null);
  return (
    <Dialog title={deed.title} onClose={onClose}>
      {held === null ? (
        <DeedForm deed={deed} order={order} onClose={onClose} onHeld={setHeld} />
      ) : (
        <Waits approval={held.approval} onClose={onClose} />
      )}
    </Dialog>
  );
}

function DeedForm({ deed, order, onClose, onHeld }: Props & { readonly onHeld: (held: Held) => void }): ReactNode {
  const queries = useQueryClient();
  const { busy, error, attempt } = useAttempt();
  const { register, handleSubmit, setError, watch, formState } = useForm<Values>({
    defaultValues: { status: "SUCCESS", operator_ref: "", reason: "" },
  });
  const settles = deed.path === "settle";
  const send = async (values: Values) => {
    try {
      const answer = await post<Held | OrderDetail>(`/orders/${order.order_id}/${deed.path}`, bodyOf(deed, values));
      if ("approval" in answer) return onHeld(answer);
      queries.setQueryData(orderQuery(order.order_id).queryKey, answer);
      await queries.invalidateQueries({ queryKey: ["/orders", "list"] });
      toast(deed.done);
      onClose();
    } catch (refused) {
      if (!showFieldErrors<Values>(refused, ["status", "operator_ref", "reason"], setError)) throw refused;
    }
  };
  const { errors } = formState;
  return (
    <form className="space-y-4" noValidate onSubmit={handleSubmit((values) => attempt(() => send(values)))}>
      <p className="text-soft">{deed.effect(order)}</p>
      {settles && (
        <Select
          label="It has"
          options={[
            { value: "SUCCESS", label: "Succeeded" },
            { value: "FAILED", label: "Failed" },
          ]}
          error={errors.status?.message}
          {...register("status")}
        />
      )}
      {settles && watch("status") === "SUCCESS" && (
        <Field
          label="Operator reference"
          hint="As the provider shows it. The client gets it too."
          maxLength={64}
          error={errors.operator_ref?.message}
          {...register("operator_ref")}
        />
      )}
      <TextArea
        label={settles ? "Evidence" : "Reason"}
        hint={settles ? "Where you saw it, in a sentence. Kept in the audit trail." : "Kept in the audit trail."}
        rows={2}
        maxLength={500}
        error={errors.reason?.message}
        {...register("reason", { validate: (text) => text.trim() !== "" || "Say why." })}
      />
      {error !== null && <ErrorCard error={error} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Leave it</Button>
        <Button type="submit" look={deed.danger ? "danger" : "primary"} busy={busy}>
          {deed.action}
        </Button>
      </div>
    </form>
  );
}

function bodyOf(deed: Deed, { status, operator_ref: operatorRef, reason }: Values): object {
  if (deed.path !== "settle") return { reason };
  return { status, reason, ...(status === "SUCCESS" && operatorRef.trim() !== "" ? { operator_ref: operatorRef } : {}) };
}
