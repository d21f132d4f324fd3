import type { ReactNode } from "react";
import { Badge, type Tone } from "../../ui/formats/badge.tsx";
import { Code } from "../../ui/formats/copy.tsx";
import { Money } from "../../ui/formats/money.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { Facts, Section } from "../../ui/page.tsx";
import { Exchanges, ExportEvidence } from "./exchanges.tsx";
import type { Attempt } from "./order.ts";

const OUTCOMES: Readonly<Record<string, { readonly tone: Tone; readonly label: string }>> = {
  succeeded: { tone: "good", label: "Succeeded" },
  declined: { tone: "bad", label: "Declined" },
  not_sent: { tone: "plain", label: "Not sent" },
};
const OPEN = { tone: "wait", label: "No final response" } as const;

/** The attempts to carry out an order, with the provider, the request and the response of each. */
export function Attempts({
  attempts,
  operatorRef,
  orderId,
}: {
  readonly attempts: readonly Attempt[];
  readonly operatorRef: string | null;
  readonly orderId: string;
}): ReactNode {
  return (
    <Section title="Provider attempts">
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
            <Exchanges exchanges={attempt.exchanges} />
          </li>
        ))}
      </ul>
      {attempts.some(({ exchanges }) => exchanges.length > 0) && <ExportEvidence orderId={orderId} />}
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
      "Request",
      <span key="asked">
        {asked.service}, {asked.operator}
        {asked.circle === null ? "" : ` in ${asked.circle}`}, {asked.account}, <Money value={asked.amount} />
      </span>,
    ],
    ["Response", responseText(attempt, operatorRef)],
    ...(attempt.provider_ref === null ? [] : [["Provider's id", <Code key="provider-ref" text={attempt.provider_ref} />] as const]),
    ...(attempt.cost === null ? [] : [["Provider's charge", <Money key="cost" value={attempt.cost} />] as const]),
    ...(attempt.balance === null ? [] : [["Balance at the provider", <Money key="balance" value={attempt.balance} />] as const]),
    ["Started", <Time key="started" value={startedAt} />],
    ["Ended", <Time key="ended" value={endedAt} none="Not yet" />],
  ];
}

// Only a successful attempt has an operator reference.
function responseText({ outcome, detail }: Attempt, operatorRef: string | null): string {
  if (detail !== null && detail !== "") return detail;
  return outcome === "succeeded" && operatorRef !== null ? `Operator reference ${operatorRef}` : "None";
}
