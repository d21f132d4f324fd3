import type { ReactNode } from "react";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Code } from "../../ui/copy.tsx";
import { Money } from "../../ui/money.tsx";
import { Facts, Section } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import type { Attempt } from "./order.ts";

const OUTCOMES: Readonly<Record<string, { readonly tone: Tone; readonly label: string }>> = {
  succeeded: { tone: "good", label: "Succeeded" },
  declined: { tone: "bad", label: "Declined" },
  not_sent: { tone: "plain", label: "Not sent" },
};
const OPEN = { tone: "wait", label: "No definite answer" } as const;

/** Whom it went to, what was asked and what came back. */
export function Attempts({
  attempts,
  operatorRef,
}: {
  readonly attempts: readonly Attempt[];
  readonly operatorRef: string | null;
}): ReactNode {
  return (
    <Section title="Attempts at providers">
      <ul className="space-y-3">
        {attempts.map((attempt) => (
          <li key={attempt.attempt} className="space-y-3 rounded-lg border border-line p-3">
            <div className="flex flex-wrap items-center justify-between gap-2">
              <p className="font-medium">
                {attempt.attempt}. {attempt.provider}
              </p>
              <Outcome outcome={attempt.outcome} />
            </div>
            <Facts facts={factsOf(attempt, operatorRef)} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Outcome({ outcome }: { readonly outcome: string | null }): ReactNode {
  const { tone, label } = outcome === null ? OPEN : (OUTCOMES[outcome] ?? { tone: "plain" as const, label: outcome });
  return <Badge tone={tone}>{label}</Badge>;
}

function factsOf(attempt: Attempt, operatorRef: string | null): readonly (readonly [string, ReactNode])[] {
  const { asked, started_at: startedAt, ended_at: endedAt } = attempt;
  return [
    ["Our reference", <Code key="reference" text={asked.reference} />],
    [
      "Asked for",
      <span key="asked">
        {asked.service}, {asked.operator}
        {asked.circle === null ? "" : ` in ${asked.circle}`}, {asked.account}, <Money value={asked.amount} />
      </span>,
    ],
    ["Answered", responseText(attempt, operatorRef)],
    ["Sent", <Time key="started" value={startedAt} />],
    ["Ended", <Time key="ended" value={endedAt} none="not yet" />],
  ];
}

// Only the attempt that succeeded gave its order a reference.
function responseText({ outcome, detail }: Attempt, operatorRef: string | null): string {
  if (detail !== null && detail !== "") return detail;
  return outcome === "succeeded" && operatorRef !== null ? `Operator reference ${operatorRef}` : "Nothing that counts";
}
