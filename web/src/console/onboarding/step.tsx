import type { ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import type { Account } from "../accounts/account.ts";
import type { Onboarding } from "./onboarding.ts";

export type StepProps = {
  readonly onboarding: Onboarding;
  readonly account: Account;
  /** Whether details and documents can be changed now, by this person. */
  readonly mayEdit: boolean;
  /** Goes to the next step. */
  readonly onNext: () => void;
};

/** The end of a step that has nothing to save. */
export function Continue({ onNext }: Pick<StepProps, "onNext">): ReactNode {
  return (
    <div className="flex justify-end">
      <Button look="primary" onClick={onNext}>
        Continue
      </Button>
    </div>
  );
}
