import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Badge } from "../../ui/badge.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Notice } from "../../ui/page.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { Time } from "../../ui/time.tsx";
import { PASSED_OVER, useWay, type Way, type WayStep } from "./way.ts";

/** The providers in the order they would be tried in now, and why one is passed over. */
export function WayCard({
  service,
  operator,
  without,
}: {
  readonly service: string;
  readonly operator: string;
  readonly without?: string;
}): ReactNode {
  const { data, error, refetch } = useWay(service, operator, without);
  if (data === undefined) return error === null ? <SkeletonCard /> : <ErrorCard error={error} onRetry={() => void refetch()} />;
  return <WaySteps way={data} />;
}

function WaySteps({ way }: { readonly way: Way }): ReactNode {
  const tried = way.steps.filter((step) => step.passed_over === null);
  return (
    <div className="space-y-3">
      {tried.length === 0 && <Notice tone="bad">No provider is tried: such orders are refused before anything is charged.</Notice>}
      {tried.some((step) => step.provider === "simulator") && (
        <Notice>These orders go to the simulator: nothing leaves this installation, and no real recharge is made.</Notice>
      )}
      <ol className="space-y-2">
        {way.steps.map((step) => (
          <Step key={step.provider} step={step} alone={tried.filter((one) => one.priority === step.priority).length < 2} />
        ))}
      </ol>
      {way.level !== null && (
        <p className="text-soft text-xs">{levelText(way.level)} Orders of sandbox accounts always go to the simulator.</p>
      )}
    </div>
  );
}

function Step({ step, alone }: { readonly step: WayStep; readonly alone: boolean }): ReactNode {
  const passed = step.passed_over === null ? null : PASSED_OVER[step.passed_over];
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-lg border border-line px-3 py-2">
      <span className="flex flex-wrap items-center gap-2">
        <Link to="/providers/$provider" params={{ provider: step.provider }} className="link font-medium">
          {step.provider}
        </Link>
        {passed === null ? <Badge tone="good">Tried</Badge> : <Badge tone={passed.tone}>{passed.label}</Badge>}
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
              Tried again from <Time value={step.next_try_at} />.
            </>
          )}
        </p>
      )}
    </li>
  );
}

function levelText({ service, operator }: NonNullable<Way["level"]>): string {
  const what = `${service === "*" ? "every service" : service} and ${operator === "*" ? "every operator" : operator}`;
  if (service === "*" && operator === "*") return "There is no more specific route, so the routes for every service and operator apply.";
  return `The routes for ${what} apply; more general ones are not used.`;
}
