import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Badge } from "../../ui/formats/badge.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { Notice } from "../../ui/page.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { type RoutingPlan, type RoutingStep, SKIP_REASONS, useRoutingPlan } from "./routing-plan.ts";

/** The providers in the order they are tried now, and why a provider is skipped. */
export function RoutingPlanCard({
  service,
  operator,
  without,
}: {
  readonly service: string;
  readonly operator: string;
  readonly without?: string;
}): ReactNode {
  const { data, error, refetch } = useRoutingPlan(service, operator, without);
  if (data === undefined) return error === null ? <SkeletonCard /> : <ErrorCard error={error} onRetry={() => void refetch()} />;
  return <RoutingPlanSteps plan={data} />;
}

/** The steps of a plan that was read already. */
export function RoutingPlanSteps({ plan }: { readonly plan: RoutingPlan }): ReactNode {
  const tried = plan.steps.filter((step) => step.passed_over === null);
  return (
    <div className="space-y-3">
      {tried.length === 0 && <Notice tone="bad">No provider is available. Orders are refused before anything is charged.</Notice>}
      {tried.some((step) => step.provider === "simulator") && <Notice>These orders go to the simulator. No real recharge is made.</Notice>}
      <ol className="space-y-2">
        {plan.steps.map((step) => (
          <Step key={step.provider} step={step} alone={tried.filter(({ priority }) => priority === step.priority).length < 2} />
        ))}
      </ol>
      {plan.level !== null && (
        <p className="text-soft text-xs">{levelText(plan.level)} Orders of sandbox accounts always go to the simulator.</p>
      )}
    </div>
  );
}

function Step({ step, alone }: { readonly step: RoutingStep; readonly alone: boolean }): ReactNode {
  const passed = step.passed_over === null ? null : SKIP_REASONS[step.passed_over];
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-lg border border-line px-3 py-2">
      <span className="flex flex-wrap items-center gap-2">
        <Link to="/providers/$provider" params={{ provider: step.provider }} className="link font-medium">
          {step.provider}
        </Link>
        {passed === null ? <Badge tone="good">Used</Badge> : <Badge tone={passed.tone}>{passed.label}</Badge>}
      </span>
      <span className="text-soft text-xs tabular-nums">
        priority {step.priority}
        {passed === null && !alone && ` · ${Math.round(step.share * 100)} % first`}
      </span>
      {passed !== null && (
        <p className="w-full text-soft text-xs">
          {passed.why}
          {step.next_try_at !== null && (
            <>
              {" "}
              It is tried again from <Time value={step.next_try_at} />.
            </>
          )}
        </p>
      )}
    </li>
  );
}

function levelText({ service, operator }: NonNullable<RoutingPlan["level"]>): string {
  const what = `${service === "*" ? "all services" : service} and ${operator === "*" ? "all operators" : operator}`;
  if (service === "*" && operator === "*") return "No more specific route exists, so the routes for all services and operators apply.";
  return `The routes for ${what} apply. More general routes are not used.`;
}
