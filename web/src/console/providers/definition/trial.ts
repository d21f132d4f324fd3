import { useEffect, useRef, useState } from "react";
import type { OperatorApi, Schemas } from "../../../operator-api.ts";
import { useAttempt } from "../../../ui/forms/attempt.ts";
import { post } from "../../api.ts";
import { type Faults, faultsIn, nameIn, type Parsed } from "./definition.ts";

export type Trial = Schemas["ProviderTest"];
export type TrialInput = Pick<OperatorApi["POST /providers/:provider/test"]["input"], "operation" | "sample" | "answer">;

type TrialParts = {
  readonly text: string;
  readonly parsed: Parsed;
  /** Null for a new provider, whose name is in the definition. */
  readonly provider: string | null;
  readonly input: TrialInput;
  /** Whether this text was sent to be saved, which checks more and shows its own errors. */
  readonly isSent: (text: string) => boolean;
  readonly onPlaces: (places: Faults["places"]) => void;
};

type Trying = {
  /** The latest result; it stays while a newer text is written. */
  readonly trial: Trial | null;
  /** Whether the result is about an earlier text. */
  readonly isOutdated: boolean;
  readonly busy: boolean;
  readonly error: unknown;
  readonly run: () => void;
};

// Checking a large description costs the service a fraction of a second, so a short pause in typing does not count.
const PAUSE_MILLISECONDS = 1_000;
const NAMELESS: Faults["places"] = [["name", "Use 1 to 32 lowercase letters, digits or -, starting with a letter."]];

/** Tries a definition when it is asked to, and by itself after each change that leaves valid JSON. */
export function useTrial({ text, parsed, provider, input, isSent, onPlaces }: TrialParts): Trying {
  const [result, setResult] = useState<{ readonly trial: Trial; readonly key: string } | null>(null);
  const { busy, error, attempt } = useAttempt();
  const newest = useRef(0);
  const key = JSON.stringify([text, input]);
  const run = () => {
    if (!parsed.ok) return;
    const showPlaces = (places: Faults["places"]) => {
      if (!isSent(text)) onPlaces(places);
    };
    const name = provider ?? nameIn(parsed.definition);
    if (name === null) return showPlaces(NAMELESS);
    newest.current += 1;
    const own = newest.current;
    void attempt(async () => {
      try {
        const trial = await post("/providers/:provider/test", { provider: name, definition: parsed.definition, ...input });
        if (own !== newest.current) return;
        setResult({ trial, key });
        showPlaces([]);
      } catch (refused) {
        if (own !== newest.current) return;
        setResult(null);
        const found = faultsIn(refused);
        if (found === null) throw refused;
        showPlaces(found.places);
      }
    });
  };
  const latest = useRef(run);
  latest.current = run;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new key is what makes a new run necessary.
  useEffect(() => {
    const timer = setTimeout(() => latest.current(), PAUSE_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [key]);
  return { trial: result?.trial ?? null, isOutdated: result !== null && result.key !== key, busy, error, run };
}
