import { Link } from "@tanstack/react-router";
import { CircleArrowRight, CircleCheck, CircleDashed } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { classes } from "../../ui/classes.ts";
import { Card } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { type Group, useMay } from "../session.ts";
import type { Step } from "./data.ts";

type Words = { readonly title: string; readonly does: string; readonly to: string; readonly hash?: string; readonly who: Group };

const STEPS: Readonly<Record<Step["step"], Words>> = {
  token: { title: "Hold an API token", does: "Every call carries it.", to: "/credentials", who: "builders" },
  address: { title: "Allow your server's address", does: "Calls from any other are refused.", to: "/allowlist", who: "builders" },
  first_call: { title: "Make a first call", does: "A recharge, for example.", to: "/logs", who: "everybody" },
  signing_secret: { title: "Create a signing secret", does: "Sign what moves money.", to: "/credentials", who: "builders" },
  callback_2xx: { title: "Answer a callback with 2xx", does: "Give a callback URL that answers.", to: "/api-access", who: "builders" },
  version_3: {
    title: "Switch callbacks to version 3",
    does: "Signed callbacks that nobody can forge.",
    to: "/allowlist",
    hash: "callback-security",
    who: "builders",
  },
};

type Props = { readonly steps: readonly Step[]; readonly accountId: string };

/**
 * The way from a token to signed callbacks. It can be put away, as an account may well stay where it is; who walked it
 * in this browser sees its end as well.
 */
export function Checklist({ steps, accountId }: Props): ReactNode {
  const [kept, keep] = useKept(`corprail-checklist-${accountId}`);
  const done = steps.filter((step) => step.done).length;
  const next = steps.find((step) => !step.done);
  const finished = next === undefined;
  useEffect(() => {
    if (!finished && kept === null) keep("begun");
  }, [finished, kept, keep]);
  if (kept === "hidden" || (finished && kept === null)) return null;
  return (
    <Card
      title="Go live"
      hint={finished ? `All ${done} steps are done: you are live.` : `${done} of ${steps.length} steps ${done === 1 ? "is" : "are"} done.`}
      actions={
        <Button look="quiet" className="-mr-4" onClick={() => keep("hidden")}>
          Hide
        </Button>
      }
    >
      <progress className="bar" aria-label="Steps that are done" max={steps.length} value={done} />
      <ol className="mt-4 grid gap-x-8 gap-y-1 sm:grid-cols-2">
        {steps.map((step, place) => (
          <OneStep key={step.step} step={step} place={place + 1} isNext={step === next} />
        ))}
      </ol>
    </Card>
  );
}

function useKept(key: string): readonly [string | null, (state: "begun" | "hidden") => void] {
  const [kept, setKept] = useState(() => localStorage.getItem(key));
  const keep = useCallback(
    (state: string) => {
      localStorage.setItem(key, state);
      setKept(state);
    },
    [key],
  );
  return [kept, keep];
}

function OneStep({ step, place, isNext }: { readonly step: Step; readonly place: number; readonly isNext: boolean }): ReactNode {
  const words = STEPS[step.step];
  const may = useMay(words.who);
  const tone = step.done ? "text-good" : isNext ? "text-accent" : "text-soft";
  const Icon = step.done ? CircleCheck : isNext ? CircleArrowRight : CircleDashed;
  return (
    <li className="flex gap-3 py-2" aria-current={isNext ? "step" : undefined}>
      <Icon aria-hidden className={classes("mt-0.5 size-5 shrink-0", tone)} />
      <div className="min-w-0">
        <p className="font-medium">
          <span className="sr-only">{step.done ? "Done: " : "To do: "}</span>
          {place}.{" "}
          {may ? (
            <Link
              to={words.to}
              {...(words.hash === undefined ? {} : { hash: words.hash })}
              className={step.done ? "hover:underline" : "link"}
            >
              {words.title}
            </Link>
          ) : (
            words.title
          )}
        </p>
        <p className="text-soft text-xs">{step.done && step.at !== null ? <Time value={step.at} /> : words.does}</p>
      </div>
    </li>
  );
}
