import { type ReactNode, useState } from "react";
import type { Schemas } from "../../operator-api.ts";
import { Button } from "../../ui/button.tsx";
import { Badge } from "../../ui/formats/badge.tsx";
import { countText } from "../../ui/formats/format.ts";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { toastError } from "../../ui/overlays/toast.tsx";
import { post } from "../api.ts";

type Step = Schemas["ProviderCheck"]["steps"][number];

const NAMES: Readonly<Record<Step["step"], string>> = { address: "Address", login: "Login", balance: "Balance query" };

/** Logs in at the provider and asks for the balance, on request, and shows how each step went. */
export function ConnectionCheck({ provider }: { readonly provider: string }): ReactNode {
  const [steps, setSteps] = useState<readonly Step[]>([]);
  const { busy, attempt } = useAttempt();
  const check = () =>
    attempt(async () => {
      try {
        setSteps((await post("/providers/:provider/check", { provider })).steps);
      } catch (error) {
        toastError(error);
      }
    });
  return (
    <section aria-labelledby="connection" className="space-y-3">
      <h3 id="connection" className="font-semibold">
        Connection
      </h3>
      <p className="text-soft text-sm">The check logs in and asks for the balance. It orders nothing and changes nothing.</p>
      {steps.length > 0 && (
        <ul aria-label="Steps of the check" className="space-y-2">
          {steps.map((step) => (
            <StepLine key={step.step} step={step} />
          ))}
        </ul>
      )}
      <Button disabled={busy} onClick={() => void check()}>
        {busy ? "Checking…" : "Check connection"}
      </Button>
    </section>
  );
}

function StepLine({ step }: { readonly step: Step }): ReactNode {
  return (
    <li className="rounded-lg border border-line px-3 py-2">
      <p className="flex flex-wrap items-center justify-between gap-3">
        <span>
          {NAMES[step.step]}
          {step.milliseconds !== null && <span className="text-soft text-xs"> {countText(step.milliseconds)} ms</span>}
        </span>
        {step.ok ? <Badge tone="good">OK</Badge> : <Badge tone="bad">Failed</Badge>}
      </p>
      <p className="break-words text-soft text-sm">{step.detail}</p>
    </li>
  );
}
