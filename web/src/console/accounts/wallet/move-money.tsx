import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { type UseFormReturn, useForm } from "react-hook-form";
import { ErrorCard } from "../../../ui/error-card.tsx";
import { Money } from "../../../ui/formats/money.tsx";
import { useAttempt } from "../../../ui/forms/attempt.ts";
import { Field, showFieldErrors } from "../../../ui/forms/field.tsx";
import { AMOUNT } from "../../../ui/forms/typed-money.ts";
import { Dialog, FormEnd } from "../../../ui/overlays/dialog.tsx";
import { toast } from "../../../ui/overlays/toast.tsx";
import { Facts } from "../../../ui/page.tsx";
import type { WaitingAction } from "../../approvals/approval.ts";
import { WaitingApproval } from "../../approvals/waiting-approval.tsx";
import { clientFact } from "../../clients/client-fact.tsx";
import { type Account, useAccountPost } from "../account.ts";
import { addMoney } from "./add-money.ts";

type Values = { amount: string; note: string; reference: string };
type Movement = "topup" | "debit";
type MoveProps = { readonly account: Account; readonly movement: Movement; readonly onClose: () => void };

const TEXTS = {
  topup: { title: "Top up wallet", action: "Top up", done: "The wallet was topped up." },
  debit: { title: "Debit wallet", action: "Debit", done: "The wallet was debited." },
} as const;

/** Tops up or debits a wallet. The reference stays the same while the dialog is open, so a repeated request moves money once. */
export function MoveMoney({ account, movement, onClose }: MoveProps): ReactNode {
  const send = useAccountPost();
  const queries = useQueryClient();
  const form = useForm<Values>({ defaultValues: { amount: "", note: "", reference: newReference() } });
  const [waitingApproval, setWaitingApproval] = useState<WaitingAction["approval"] | null>(null);
  const { busy, error, attempt } = useAttempt();
  const move = form.handleSubmit((values) =>
    attempt(async () => {
      const amount = `${movement === "debit" ? "-" : ""}${values.amount.trim()}`;
      try {
        const answer = await send("/accounts/:account_id/wallet", {
          account_id: account.account_id,
          amount,
          reference: values.reference.trim(),
          note: values.note.trim(),
        });
        await queries.invalidateQueries({ queryKey: ["/approvals"] });
        if ("approval" in answer) return setWaitingApproval(answer.approval);
        toast(TEXTS[movement].done);
        onClose();
      } catch (refused) {
        if (!showFieldErrors<Values>(refused, ["amount", "note", "reference"], form.setError)) throw refused;
      }
    }),
  );
  return (
    <Dialog title={TEXTS[movement].title} onClose={onClose}>
      {waitingApproval !== null ? (
        <WaitingApproval approval={waitingApproval} onClose={onClose} />
      ) : (
        <form onSubmit={(event) => void move(event)} className="space-y-4" noValidate>
          <Fields account={account} movement={movement} form={form} />
          {error !== null && <ErrorCard error={error} />}
          <FormEnd onClose={onClose} busy={busy} danger={movement === "debit"}>
            {TEXTS[movement].action}
          </FormEnd>
        </form>
      )}
    </Dialog>
  );
}

function Fields({ account, movement, form }: Omit<MoveProps, "onClose"> & { readonly form: UseFormReturn<Values> }): ReactNode {
  const { register, watch, formState } = form;
  const { errors } = formState;
  const after = addMoney(account.balance, watch("amount").trim(), movement === "debit");
  return (
    <>
      <Facts facts={[clientFact(account)]} />
      <Field
        label="Amount in rupees"
        inputMode="decimal"
        autoComplete="off"
        placeholder="10000.00"
        error={errors.amount?.message}
        {...register("amount", {
          ...AMOUNT,
          required: "Enter an amount.",
          pattern: { value: /^\s*(0|[1-9][0-9]{0,9})(\.[0-9]{1,4})?\s*$/, message: "Enter an amount such as 2500.00 or ₹2,50,000." },
        })}
      />
      <Field
        label="Note"
        hint="The client sees this note in the statement."
        maxLength={500}
        autoComplete="off"
        error={errors.note?.message}
        {...register("note", { required: "Enter what it is for, such as “NEFT of 3 May”." })}
      />
      <Field
        label="Reference"
        hint="A reference can be used once. Keep the generated one, or enter the bank's reference."
        maxLength={64}
        autoComplete="off"
        spellCheck={false}
        error={errors.reference?.message}
        {...register("reference", { required: "Enter a reference." })}
      />
      <Facts
        facts={[
          ["Current balance", <Money key="now" value={account.balance} />],
          ["Balance after", after === null ? "…" : <Money key="after" value={after} />],
        ]}
      />
    </>
  );
}

/** A random reference that is short enough to read aloud. */
function newReference(): string {
  const day = new Date().toISOString().slice(0, 10).replaceAll("-", "");
  const letters = Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => (byte % 36).toString(36)).join("");
  return `console-${day}-${letters}`;
}
