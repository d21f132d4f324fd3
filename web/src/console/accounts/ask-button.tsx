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
export function AskButton({ label, title, action, danger = false, children, run }: AskButtonProps): ReactNode {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button {...(danger ? { look: "danger" as const } : {})} onClick={() => setAsking(true)}>
        {label}
      </Button>
      {asking && (
        <ReasonDialog title={title} action={action} danger={danger} onClose={() => setAsking(false)} run={run}>
          {children}
        </ReasonDialog>
      )}
    </>
  );
}
