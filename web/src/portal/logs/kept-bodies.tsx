import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { tokensText } from "../../messages/en/tokens.ts";
import { ErrorCard } from "../../ui/error-card.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Select } from "../../ui/forms/field.tsx";
import { get, post } from "../api.ts";
import { useMay } from "../session.ts";

const CHOICES = [
  { value: "none", label: tokensText.noCalls },
  { value: "failures", label: tokensText.failures },
  { value: "all", label: tokensText.allCalls },
] as const;

/** Which calls are kept with their masked bodies. */
export function KeptBodies(): ReactNode {
  const isAllowed = useMay("builders");
  const queries = useQueryClient();
  const { busy, error, attempt } = useAttempt();
  const query = useQuery({ queryKey: ["/logs/bodies"], queryFn: ({ signal }) => get("/logs/bodies", {}, signal) });
  const change = (value: string) => {
    const keep = CHOICES.find((choice) => choice.value === value)?.value;
    if (keep !== undefined) void attempt(async () => queries.setQueryData(["/logs/bodies"], await post("/logs/bodies", { keep })));
  };
  if (query.data === undefined) return null;
  return (
    <div className="mb-4 max-w-md space-y-3">
      <Select
        label={tokensText.keepBodiesOf}
        hint={tokensText.secretsAreHidden}
        options={CHOICES}
        value={query.data.keep}
        disabled={!isAllowed || busy}
        onChange={(event) => change(event.target.value)}
      />
      {error !== null && <ErrorCard error={error} />}
    </div>
  );
}
