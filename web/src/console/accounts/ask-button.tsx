import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { ReasonDialog } from "../reason-dialog.tsx";

type AskButtonProps = {
  readonly label: string;
  readonly title: string;
  readonly action: string;
  readonly danger?: boolean;
  /** What it will do. */
  readonly children: ReactNode;
  readonly run: (reason: string | undefined) => Promise<unknown>;
};

/** A button that says what it will do and asks for a reason before it does it. */
export function AskButton(props: AskButtonProps): ReactNode {
  // As it was asked: once it is done, and before the dialog is gone, the button may already offer the opposite.
  const [asked, setAsked] = useState<AskButtonProps | null>(null);
  return (
    <>
      <Button {...(props.danger ? { look: "danger" as const } : {})} onClick={() => setAsked(props)}>
        {props.label}
      </Button>
      {asked && (
        <ReasonDialog
          title={asked.title}
          action={asked.action}
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
