import { Link } from "@tanstack/react-router";
import { CircleArrowRight, CircleCheck, CircleDashed } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { homeText } from "../../messages/en/home.ts";
import { fill, plural } from "../../messages/fill.ts";
import { Button } from "../../ui/button.tsx";
import { classes } from "../../ui/classes.ts";
import { Time } from "../../ui/formats/time.tsx";
import { Card } from "../../ui/page.tsx";
import { type Group, useMay } from "../session.ts";
import type { Step } from "./data.ts";

type StepText = { readonly title: string; readonly description: string; readonly to: string; readonly hash?: string; readonly who: Group };

const STEPS: Readonly<Record<Step["step"], StepText>> = {
  token: { title: homeText.getAnApiToken, description: homeText.everyRequestCarriesIt, to: "/credentials", who: "builders" },
  address: {
    title: homeText.allowYourServersAddress,
    description: homeText.callsFromOtherAddressesAre,
    to: "/allowlist",
    who: "builders",
  },
  first_call: { title: homeText.makeAFirstCall, description: homeText.forExampleARecharge, to: "/logs", who: "everybody" },
  signing_secret: {
    title: homeText.createASigningSecret,
    description: homeText.signRequestsThatMoveMoney,
    to: "/credentials",
    who: "builders",
  },
  callback_2xx: {
    title: homeText.receiveACallback,
    description: homeText.setACallbackUrlThat,
    to: "/api-access",
    who: "builders",
  },
  version_3: {
    title: homeText.switchCallbacksToVersion3,
    description: homeText.signedCallbacksThatCannotBe,
    to: "/allowlist",
    hash: "callback-security",
    who: "builders",
  },
};

type Props = { readonly steps: readonly Step[]; readonly accountId: string };

/**
 * * The go-live steps, from an API token to signed callbacks. It can be hidden, because an account may not need every
 * * step. A browser that showed it unfinished also shows it finished.
 */
export function Checklist({ steps, accountId }: Props): ReactNode {
  const [stored, store] = useStoredState(`corprail-checklist-${accountId}`);
  const done = steps.filter((step) => step.done).length;
  const next = steps.find((step) => !step.done);
  const finished = next === undefined;
  useEffect(() => {
    if (!finished && stored === null) store("begun");
  }, [finished, stored, store]);
  if (stored === "hidden" || (finished && stored === null)) return null;
  return (
    <Card
      title={homeText.goLive}
      hint={finished ? fill(homeText.allStepsAreDoneYour, { done }) : plural(homeText.ofStepsAreDone, done, { done, length: steps.length })}
      actions={
        <Button look="quiet" className="-mr-4" onClick={() => store("hidden")}>
          {homeText.hide}
        </Button>
      }
    >
      <progress className="bar" aria-label={homeText.completedSteps} max={steps.length} value={done} />
      <ol className="mt-4 grid gap-x-8 gap-y-1 sm:grid-cols-2">
        {steps.map((step, index) => (
          <StepItem key={step.step} step={step} number={index + 1} isNext={step === next} />
        ))}
      </ol>
    </Card>
  );
}

function useStoredState(key: string): readonly [string | null, (state: "begun" | "hidden") => void] {
  const [stored, setStored] = useState(() => localStorage.getItem(key));
  const store = useCallback(
    (state: string) => {
      localStorage.setItem(key, state);
      setStored(state);
    },
    [key],
  );
  return [stored, store];
}

function StepItem({ step, number, isNext }: { readonly step: Step; readonly number: number; readonly isNext: boolean }): ReactNode {
  const text = STEPS[step.step];
  const isAllowed = useMay(text.who);
  const tone = step.done ? "text-good" : isNext ? "text-accent" : "text-soft";
  const Icon = step.done ? CircleCheck : isNext ? CircleArrowRight : CircleDashed;
  return (
    <li className="flex gap-3 py-2" aria-current={isNext ? "step" : undefined}>
      <Icon aria-hidden className={classes("mt-0.5 size-5 shrink-0", tone)} />
      <div className="min-w-0">
        <p className="font-medium">
          <span className="sr-only">{step.done ? homeText.done : homeText.toDo}</span>
          {number}.{" "}
          {isAllowed ? (
            <Link to={text.to} {...(text.hash === undefined ? {} : { hash: text.hash })} className={step.done ? "hover:underline" : "link"}>
              {text.title}
            </Link>
          ) : (
            text.title
          )}
        </p>
        <p className="text-soft text-xs">{step.done && step.at !== null ? <Time value={step.at} /> : text.description}</p>
      </div>
    </li>
  );
}
