import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { type UseFormReturn, useForm } from "react-hook-form";
import { useAttempt } from "../../ui/attempt.ts";
import { Dialog, FormEnd } from "../../ui/dialog.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Field, showFieldErrors } from "../../ui/field.tsx";
import { Money } from "../../ui/money.tsx";
import { Facts } from "../../ui/page.tsx";
import { toast } from "../../ui/toast.tsx";
import type { Held } from "../approvals/approval.ts";
import { Waits } from "../approvals/waits.tsx";
import { type Account, useAccountPost } from "./account.ts";
import { addMoney } from "./add-money.ts";

type Values = { amount: string; note: string; reference: string };
type Moved = { readonly balance: string; readonly entry_id: string };
type Way = "topup" | "debit";
type MoveProps = { readonly account: Account; readonly way: Way; readonly onClose: () => void };

const WORDS = {
  topup: { title: "Top up the wallet", action: "Top up", done: "The wallet is topped up." },
  debit: { title: "Debit the wallet", action: "Debit", done: "The wallet is debited." },
} as const;

/** Puts money into a wallet or takes it out. The reference stays while the dialog is open: sent twice, it moves once. */
export function MoveMoney({ account, way, onClose }: MoveProps): ReactNode {
  const send = useAccountPost(account.account_id);
  const queries = useQueryClient();
  const form = useForm<Values>({ defaultValues: { amount: "", note: "", reference: newReference() } });
  const [held, setHeld] = useState<Held["approval"] | null>(null);
  const { busy, error, attempt } = useAttempt();
  const move = form.handleSubmit((values) =>
    attempt(async () => {
      const amount = `${way === "debit" ? "-" : ""}${values.amount.trim()}`;
      try {
        const answer = await send<Moved | Held>("/wallet", { amount, reference: values.reference.trim(), note: values.note.trim() });
        await queries.invalidateQueries({ queryKey: ["/approvals"] });
        if ("approval" in answer) return setHeld(answer.approval);
        toast(WORDS[way].done);
        onClose();
      } catch (refused) {
        if (!showFieldErrors<Values>(refused, ["amount", "note", "reference"], form.setError)) throw refused;
      }
    }),
  );
  return (
    <Dialog title={WORDS[way].title} onClose={onClose}>
      {held !== null ? (
        <Waits approval={held} onClose={onClose} />
      ) : (
        <form onSubmit={(event) => void move(event)} className="space-y-4" noValidate>
          <Fields account={account} way={way} form={form} />
          {error !== null && <ErrorCard error={error} />}
          <FormEnd onClose={onClose} busy={busy} danger={way === "debit"}>
            {WORDS[way].action}
          </FormEnd>
        </form>
      )}
    </Dialog>
  );
}

function Fields({ account, way, form }: Omit<MoveProps, "onClose"> & { readonly form: UseFormReturn<Values> }): ReactNode {
  const { register, watch, formState } = form;
  const { errors } = formState;
  const after = addMoney(account.balance, watch("amount").trim(), way === "debit");
  return (
    <>
      <Field
        label="Amount in rupees"
        inputMode="decimal"
        autoComplete="off"
        placeholder="10000.00"
        error={errors.amount?.message}
        {...register("amount", {
          required: "Enter an amount.",
          pattern: { value: /^\s*(0|[1-9][0-9]{0,9})(\.[0-9]{1,4})?\s*$/, message: "Write an amount such as 2500.00." },
        })}
      />
      <Field
        label="Note"
        hint="The client sees it in the statement."
        maxLength={500}
        autoComplete="off"
        error={errors.note?.message}
        {...register("note", { required: "Say what it is for, such as “NEFT of 3 May”." })}
      />
      <Field
        label="Reference"
        hint="One reference moves money once. Keep the one made for you, or write the bank's."
        maxLength={64}
        autoComplete="off"
        spellCheck={false}
        error={errors.reference?.message}
        {...register("reference", { required: "Enter a reference." })}
      />
      <Facts
        facts={[
          ["Balance now", <Money key="now" value={account.balance} />],
          ["Balance after", after === null ? "…" : <Money key="after" value={after} />],
        ]}
      />
    </>
  );
}

/** Unlike any other, and short enough to read out. */
function newReference(): string {
  const day = new Date().toISOString().slice(0, 10).replaceAll("-", "");
  const letters = Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => (byte % 36).toString(36)).join("");
  return `console-${day}-${letters}`;
}
