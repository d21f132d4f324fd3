import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useForm } from "react-hook-form";
import { Button, LinkButton } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Code } from "../../ui/formats/copy.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Field } from "../../ui/forms/field.tsx";
import { Dialog, FormEnd } from "../../ui/overlays/dialog.tsx";
import { Drawer } from "../../ui/overlays/drawer.tsx";
import { toast } from "../../ui/overlays/toast.tsx";
import { Facts } from "../../ui/page.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { post } from "../api.ts";
import { type Approval, isWaitingAction } from "../approvals/approval.ts";
import { WaitingApproval } from "../approvals/waiting-approval.tsx";
import { useActorNames } from "../audit/entry.ts";
import { MONEY, useMay } from "../session.ts";
import { RuleState } from "./page.tsx";
import { type Rule, rateText, ruleQuery, serviceNamesQuery, useRuleChange, whatText, whoseText } from "./rule.ts";
import { SetRule } from "./set-rule.tsx";

export function RuleDrawer(): ReactNode {
  const { ruleId } = useParams({ from: "/console/pricing/$ruleId" });
  const navigate = useNavigate();
  const query = useQuery(ruleQuery(ruleId));
  const close = () => void navigate({ to: "/pricing", search: true, resetScroll: false });
  return (
    <Drawer title={query.data === undefined ? "Rule" : whoseText(query.data)} onClose={close}>
      <QueryView query={query} skeleton={<SkeletonCard lines={7} />}>
        {(rule) => <RuleDetails rule={rule} />}
      </QueryView>
    </Drawer>
  );
}

function RuleDetails({ rule }: { readonly rule: Rule }): ReactNode {
  const services = useQuery(serviceNamesQuery).data ?? new Map<string, string>();
  const nameOf = useActorNames();
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-base font-semibold">{whatText(rule, services)}</p>
        <RuleState rule={rule} />
      </div>
      <Facts
        facts={[
          ...(rule.account_id === null ? [] : [["Account", <Code key="account" text={rule.account_id} />] as const]),
          ["Fee", rateText(rule.fee) || "None"],
          ["Commission", rateText(rule.commission) || "None"],
          ["From", <Time key="from" value={rule.valid_from} />],
          [rule.state === "ended" ? "Ended" : "Until", <Time key="until" value={rule.ended_at} none="Replaced by another rule" />],
          ["Set by", nameOf(rule.created_by)],
          ["Set at", <Time key="set" value={rule.created_at} />],
          ...(rule.ended_by === null ? [] : [["Ended by", nameOf(rule.ended_by)] as const]),
          ...(rule.reason === "" ? [] : [["Reason", rule.reason] as const]),
          ["Rule id", <Code key="id" text={rule.rule_id} />],
        ]}
      />
      <Actions rule={rule} />
    </>
  );
}

function Actions({ rule }: { readonly rule: Rule }): ReactNode {
  const [asking, setAsking] = useState<"end" | "replace" | null>(null);
  const isAllowed = useMay(MONEY) && rule.state !== "ended";
  const done = () => setAsking(null);
  return (
    <section className="flex flex-wrap gap-2 border-line border-t pt-5">
      <LinkButton to="/audit" search={{ subject_kind: "commercial", subject_id: rule.rule_id }}>
        Show audit log
      </LinkButton>
      {isAllowed && <Button onClick={() => setAsking("replace")}>Replace rule</Button>}
      {isAllowed && (
        <Button look="danger" onClick={() => setAsking("end")}>
          {rule.state === "scheduled" ? "Discard rule" : "End rule"}
        </Button>
      )}
      {asking === "end" && <EndRule rule={rule} onClose={done} />}
      {asking === "replace" && <SetRule like={rule} onClose={done} />}
    </section>
  );
}

function EndRule({ rule, onClose }: { readonly rule: Rule; readonly onClose: () => void }): ReactNode {
  const { register, handleSubmit } = useForm({ defaultValues: { reason: "" } });
  const { busy, error, attempt } = useAttempt();
  const end = useRuleChange((values: { reason: string }) => post("/pricing/:rule_id/end", { rule_id: rule.rule_id, ...values }));
  const [waitingApproval, setWaitingApproval] = useState<Approval | null>(null);
  const scheduled = rule.state === "scheduled";
  const send = handleSubmit((values) =>
    attempt(async () => {
      const answer = await end.mutateAsync(values);
      if (isWaitingAction(answer)) return setWaitingApproval(answer.approval);
      toast(scheduled ? "The rule was discarded and will not start." : "The rule has ended.");
      onClose();
    }),
  );
  const title = scheduled ? "Discard this rule?" : "End this rule now?";
  if (waitingApproval !== null)
    return (
      <Dialog title={title} onClose={onClose}>
        <WaitingApproval approval={waitingApproval} onClose={onClose} />
      </Dialog>
    );
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={send} className="space-y-4" noValidate>
        <p className="text-soft">
          {scheduled
            ? "The rule will not start. The current rule stays in force."
            : "New orders use the next most specific rule, or have no fee and commission when there is none. Accepted orders keep their terms."}
        </p>
        <Field label="Reason" hint="Recorded in the audit log." maxLength={500} {...register("reason")} />
        {error !== null && <ErrorCard error={error} />}
        <FormEnd onClose={onClose} busy={busy} danger>
          {scheduled ? "Discard rule" : "End now"}
        </FormEnd>
      </form>
    </Dialog>
  );
}
