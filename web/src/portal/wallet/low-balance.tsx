import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import { ApiError } from "../../ui/api.ts";
import { useAttempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Field, TextArea } from "../../ui/field.tsx";
import { moneyText } from "../../ui/format.ts";
import { Card, Facts } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { toast } from "../../ui/toast.tsx";
import { post } from "../api.ts";
import { useMay } from "../session.ts";
import { type Wallet, walletQuery } from "./data.ts";

const HINT = "Sends one e-mail each time the balance falls below the threshold.";

export function LowBalance({ wallet }: { readonly wallet: Wallet | undefined }): ReactNode {
  const isAllowed = useMay("builders");
  return (
    <Card title="Low balance" hint={HINT}>
      {wallet === undefined && <Skeleton className="h-56" />}
      {wallet !== undefined &&
        (isAllowed ? <ThresholdForm key={wallet.threshold ?? ""} wallet={wallet} /> : <ThresholdFacts wallet={wallet} />)}
    </Card>
  );
}

function ThresholdFacts({ wallet }: { readonly wallet: Wallet }): ReactNode {
  return (
    <Facts
      facts={[
        ["Threshold", wallet.threshold === null ? "None" : moneyText(wallet.threshold)],
        ["E-mail to", wallet.mail_to.length === 0 ? "None" : wallet.mail_to.join(", ")],
      ]}
    />
  );
}

type Values = { threshold: string; emails: string };

function ThresholdForm({ wallet }: { readonly wallet: Wallet }): ReactNode {
  const queries = useQueryClient();
  const { busy, error, attempt, forget } = useAttempt();
  const { register, handleSubmit, setError, formState } = useForm<Values>({
    defaultValues: { threshold: wallet.threshold ?? "", emails: wallet.mail_to.join("\n") },
  });
  const { errors } = formState;
  const save = async (threshold: string | null, emails: readonly string[]) => {
    try {
      await post("/wallet/low-balance", { threshold, emails });
      toast(threshold === null ? "The low-balance threshold was removed." : `The low-balance threshold is now ${moneyText(threshold)}.`);
      await queries.invalidateQueries({ queryKey: walletQuery.queryKey });
    } catch (refused) {
      if (!(refused instanceof ApiError) || Object.keys(refused.fields).length === 0) throw refused;
      // The error of an invalid address is named after its position, such as emails.0.
      for (const [name, message] of Object.entries(refused.fields)) setError(name === "threshold" ? "threshold" : "emails", { message });
    }
  };
  const submit = handleSubmit(({ threshold, emails }) => attempt(() => save(threshold.trim(), emails.split(/[\s,;]+/).filter(Boolean))));
  return (
    <form onSubmit={submit} onChange={forget} className="space-y-4" noValidate>
      <Field
        label="Threshold in ₹"
        inputMode="decimal"
        autoComplete="off"
        placeholder="5000"
        error={errors.threshold?.message}
        {...register("threshold", { required: "Enter an amount such as 5000." })}
      />
      <TextArea
        label="E-mail addresses"
        hint="One per line, at most ten."
        spellCheck={false}
        error={errors.emails?.message}
        {...register("emails")}
      />
      {error !== null && <ErrorCard error={error} />}
      <div className="flex flex-wrap justify-end gap-2">
        {wallet.threshold !== null && (
          <Button disabled={busy} onClick={() => void attempt(() => save(null, []))}>
            Remove threshold
          </Button>
        )}
        <Button type="submit" look="primary" busy={busy}>
          Save
        </Button>
      </div>
    </form>
  );
}
