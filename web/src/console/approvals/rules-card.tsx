import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { type UseFormReturn, useForm } from "react-hook-form";
import type { OperatorApi } from "../../operator-api.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Checkbox, Field, showFieldErrors } from "../../ui/forms/field.tsx";
import { AMOUNT } from "../../ui/forms/typed-money.ts";
import { Dialog, FormEnd } from "../../ui/overlays/dialog.tsx";
import { toast } from "../../ui/overlays/toast.tsx";
import { Card, Facts } from "../../ui/page.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { get } from "../api.ts";
import { ReasonField } from "../reason-dialog.tsx";
import { ADMINS, useMay } from "../session.ts";
import { type Approval, type Rules, useApprovalPost } from "./approval.ts";
import { ruleName, ruleText } from "./rules.ts";
import { WaitingApproval } from "./waiting-approval.tsx";

/** The rules that say when a second person must approve. */
export function RulesCard(): ReactNode {
  const query = useQuery({ queryKey: ["/approval-rules"], queryFn: ({ signal }) => get("/approval-rules", {}, signal) });
  const isAllowed = useMay(ADMINS);
  const [changing, setChanging] = useState(false);
  const change = <Button onClick={() => setChanging(true)}>Change rules</Button>;
  return (
    <Card
      title="When a second person must approve"
      hint="Stricter rules apply immediately. Looser rules need approval. Without a threshold, no change needs approval."
      {...(isAllowed && query.data ? { actions: change } : {})}
    >
      <QueryView query={query} skeleton={<SkeletonCard />}>
        {(rules) => (
          <>
            <Facts
              facts={Object.entries(rules).map(([name, value]) => [
                ruleName(name),
                <span key={name} className="whitespace-nowrap">
                  {ruleText(name, value)}
                </span>,
              ])}
            />
            {changing && <ChangeRules rules={rules} onClose={() => setChanging(false)} />}
          </>
        )}
      </QueryView>
    </Card>
  );
}

type Values = {
  wallet_threshold: string;
  order_threshold: string;
  keys_included: boolean;
  pricing_included: boolean;
  providers_included: boolean;
  expire_hours: string;
  new_person_hours: string;
  reason: string;
};
const NAMES = ["wallet_threshold", "order_threshold", "expire_hours", "new_person_hours"] as const;

function ChangeRules({ rules, onClose }: { readonly rules: Rules; readonly onClose: () => void }): ReactNode {
  const send = useApprovalPost();
  const form = useForm<Values>({
    defaultValues: {
      wallet_threshold: rules.wallet_threshold ?? "",
      order_threshold: rules.order_threshold ?? "",
      keys_included: rules.keys_included,
      pricing_included: rules.pricing_included,
      providers_included: rules.providers_included,
      expire_hours: String(rules.expire_hours),
      new_person_hours: String(rules.new_person_hours),
      reason: "",
    },
  });
  const [waitingApproval, setWaitingApproval] = useState<Approval | null>(null);
  const { busy, error, attempt } = useAttempt();
  const save = form.handleSubmit((values) =>
    attempt(async () => {
      try {
        const answer = await send("/approval-rules", bodyOf(values));
        if ("approval" in answer) return setWaitingApproval(answer.approval);
        toast("The rules were saved and are in force.");
        onClose();
      } catch (refused) {
        if (!showFieldErrors<Values>(refused, NAMES, form.setError)) throw refused;
      }
    }),
  );
  return (
    <Dialog title="Change rules" onClose={onClose}>
      {waitingApproval !== null ? (
        <WaitingApproval approval={waitingApproval} onClose={onClose} />
      ) : (
        <form onSubmit={(event) => void save(event)} className="space-y-4" noValidate>
          <Fields form={form} />
          {error !== null && <ErrorCard error={error} />}
          <FormEnd onClose={onClose} busy={busy}>
            Save
          </FormEnd>
        </form>
      )}
    </Dialog>
  );
}

function bodyOf(values: Values): OperatorApi["POST /approval-rules"]["input"] {
  const amount = (text: string) => (text.trim() === "" ? null : text.trim());
  const reason = values.reason.trim();
  return {
    wallet_threshold: amount(values.wallet_threshold),
    order_threshold: amount(values.order_threshold),
    keys_included: values.keys_included,
    pricing_included: values.pricing_included,
    providers_included: values.providers_included,
    expire_hours: Number(values.expire_hours),
    new_person_hours: Number(values.new_person_hours),
    ...(reason === "" ? {} : { reason }),
  };
}

function Fields({ form }: { readonly form: UseFormReturn<Values> }): ReactNode {
  const { register, formState, setValue, watch } = form;
  const { errors } = formState;
  const amount = { inputMode: "decimal", autoComplete: "off", placeholder: "off" } as const;
  return (
    <>
      <Field
        {...amount}
        label="Top-ups and debits of at least"
        hint="In rupees, per person and account within 24 hours. Leave empty to require no approval."
        error={errors.wallet_threshold?.message}
        {...register("wallet_threshold", AMOUNT)}
      />
      <Field
        {...amount}
        label="Order changes of at least"
        hint="Settling, reversing, refunding and cancelling orders, and refunding complaints, added up in the same way."
        error={errors.order_threshold?.message}
        {...register("order_threshold", AMOUNT)}
      />
      <Field
        label="Requests expire after, in hours"
        type="number"
        min={1}
        max={720}
        error={errors.expire_hours?.message}
        {...register("expire_hours", { required: "Enter a number of hours." })}
      />
      <Field
        label="Waiting period for new staff, in hours"
        hint="For this long, a person who was invited, given a role or enabled and the person who did it cannot approve each other's requests."
        type="number"
        min={0}
        max={8760}
        error={errors.new_person_hours?.message}
        {...register("new_person_hours", { required: "Enter a number of hours." })}
      />
      <p className="font-medium">While a threshold is set:</p>
      <Checkbox
        label="Changes made with operator keys need approval. A key counts as the person who created it."
        {...register("keys_included")}
      />
      <Checkbox label="Fee and commission rules need approval." {...register("pricing_included")} />
      <Checkbox label="New providers, their descriptions and secrets need approval." {...register("providers_included")} />
      <p className="text-soft text-xs">New operator keys and looser approval rules always need approval.</p>
      <ReasonField value={watch("reason")} onChange={(text) => setValue("reason", text)} />
    </>
  );
}
