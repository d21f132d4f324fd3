import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { clientFact } from "../clients/client-fact.tsx";
import { ReasonDialog } from "../reason-dialog.tsx";
import type { Account } from "./account.ts";

type ReasonButtonProps = {
  readonly account: Account;
  readonly label: string;
  readonly title: string;
  readonly action: string;
  readonly danger?: boolean;
  /** What the action does. */
  readonly children: ReactNode;
  readonly run: (reason: string | undefined) => Promise<unknown>;
};

/** A button that explains its action and asks for a reason before it runs. */
export function ReasonButton(props: ReasonButtonProps): ReactNode {
  // Keeps the props from the click: after the action, the button may already offer the opposite.
  const [asked, setAsked] = useState<ReasonButtonProps | null>(null);
  return (
    <>
      <Button {...(props.danger ? { look: "danger" as const } : {})} onClick={() => setAsked(props)}>
        {props.label}
      </Button>
      {asked && (
        <ReasonDialog
          title={asked.title}
          action={asked.action}
          facts={[clientFact(asked.account)]}
          danger={asked.danger ?? false}
          onClose={() => setAsked(null)}
          run={asked.run}
        >
          {asked.children}
        </ReasonDialog>
      )}
    </>
  );
}
