import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import { ApiError, post } from "../../ui/api.ts";
import { useAttempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Field, TextArea } from "../../ui/field.tsx";
import { moneyText } from "../../ui/format.ts";
import { Card, Facts } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { toast } from "../../ui/toast.tsx";
import { useMay } from "../session.ts";
import { type Wallet, walletQuery } from "./data.ts";

const HINT = "Who is told when the balance falls below a line; one mail each time.";

export function LowBalance({ wallet }: { readonly wallet: Wallet | undefined }): ReactNode {
  const may = useMay("builders");
  return (
    <Card title="Low balance" hint={HINT}>
      {wallet === undefined && <Skeleton className="h-56" />}
      {wallet !== undefined && (may ? <LineForm key={wallet.threshold ?? ""} wallet={wallet} /> : <LineFacts wallet={wallet} />)}
    </Card>
  );
}

function LineFacts({ wallet }: { readonly wallet: Wallet }): ReactNode {
  return (
    <Facts
      facts={[
        ["Line", wallet.threshold === null ? "None" : moneyText(wallet.threshold)],
        ["Mail to", wallet.mail_to.length === 0 ? "Nobody" : wallet.mail_to.join(", ")],
      ]}
    />
  );
}

type Values = { threshold: string; emails: string };

function LineForm({ wallet }: { readonly wallet: Wallet }): ReactNode {
  const queries = useQueryClient();
  const { busy, error, attempt, forget } = useAttempt();
  const { register, handleSubmit, setError, formState } = useForm<Values>({
    defaultValues: { threshold: wallet.threshold ?? "", emails: wallet.mail_to.join("\n") },
  });
  const { errors } = formState;
  const save = async (threshold: string | null, emails: readonly string[]) => {
    try {
      await post("/wallet/low-balance", { threshold, emails });
      toast(threshold === null ? "There is no low-balance line any more." : `The low-balance line is ${moneyText(threshold)}.`);
      await queries.invalidateQueries({ queryKey: walletQuery.queryKey });
    } catch (refused) {
      if (!(refused instanceof ApiError) || Object.keys(refused.fields).length === 0) throw refused;
      // The name of a faulty address carries its place, as in emails.0.
      for (const [name, message] of Object.entries(refused.fields)) setError(name === "threshold" ? "threshold" : "emails", { message });
    }
  };
  const submit = handleSubmit(({ threshold, emails }) => attempt(() => save(threshold.trim(), emails.split(/[\s,;]+/).filter(Boolean))));
  return (
    <form onSubmit={submit} onChange={forget} className="space-y-4" noValidate>
      <Field
        label="Line in ₹"
        inputMode="decimal"
        autoComplete="off"
        placeholder="5000"
        error={errors.threshold?.message}
        {...register("threshold", { required: "Enter an amount such as 5000." })}
      />
      <TextArea
        label="Mail addresses"
        hint="One a line; ten at most."
        spellCheck={false}
        error={errors.emails?.message}
        {...register("emails")}
      />
      {error !== null && <ErrorCard error={error} />}
      <div className="flex flex-wrap justify-end gap-2">
        {wallet.threshold !== null && (
          <Button disabled={busy} onClick={() => void attempt(() => save(null, []))}>
            Remove the line
          </Button>
        )}
        <Button type="submit" look="primary" busy={busy}>
          Save
        </Button>
      </div>
    </form>
  );
}
