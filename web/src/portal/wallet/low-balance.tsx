import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import { walletText } from "../../messages/en/wallet.ts";
import { fill } from "../../messages/fill.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { moneyText } from "../../ui/formats/format.ts";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Field, TextArea } from "../../ui/forms/field.tsx";
import { AMOUNT } from "../../ui/forms/typed-money.ts";
import { toast } from "../../ui/overlays/toast.tsx";
import { Card, Facts } from "../../ui/page.tsx";
import { ApiError } from "../../ui/requests/api.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { post } from "../api.ts";
import { useMay } from "../session.ts";
import { type Wallet, walletQuery } from "./data.ts";

const HINT = walletText.sendsAnEmailWhen;

export function LowBalance({ wallet }: { readonly wallet: Wallet | undefined }): ReactNode {
  const isAllowed = useMay("builders");
  return (
    <Card title={walletText.lowBalance} hint={HINT}>
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
        [walletText.threshold, wallet.threshold === null ? walletText.none : moneyText(wallet.threshold)],
        [walletText.emailTo, wallet.mail_to.length === 0 ? walletText.none : wallet.mail_to.join(", ")],
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
      toast(
        threshold === null
          ? walletText.theLowBalanceThresholdWas
          : fill(walletText.theLowBalanceThresholdIs, { threshold: moneyText(threshold) }),
      );
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
        label={walletText.thresholdIn}
        inputMode="decimal"
        autoComplete="off"
        placeholder="5000"
        error={errors.threshold?.message}
        {...register("threshold", { ...AMOUNT, required: walletText.enterAnAmountSuchAs })}
      />
      <TextArea
        label={walletText.emailAddresses}
        hint={walletText.onePerLineAtMost}
        spellCheck={false}
        error={errors.emails?.message}
        {...register("emails")}
      />
      {error !== null && <ErrorCard error={error} />}
      <div className="flex flex-wrap justify-end gap-2">
        {wallet.threshold !== null && (
          <Button disabled={busy} onClick={() => void attempt(() => save(null, []))}>
            {walletText.removeThreshold}
          </Button>
        )}
        <Button type="submit" look="primary" busy={busy}>
          {walletText.save}
        </Button>
      </div>
    </form>
  );
}
