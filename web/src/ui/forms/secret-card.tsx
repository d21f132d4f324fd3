import { type ReactNode, useState } from "react";
import { uiText } from "../../messages/en/ui.ts";
import { Button } from "../button.tsx";
import { CodeBlock } from "../formats/code-block.tsx";
import { Dialog } from "../overlays/dialog.tsx";
import { Checkbox } from "./field.tsx";

type SecretCardProps = {
  readonly title: string;
  /** What the secret is for and what to do when it is lost. */
  readonly children: ReactNode;
  readonly secret: string;
  /** Such as "API token" or "Recovery codes". */
  readonly name: string;
  /** Called when the user has stored the secret; the page then discards it. */
  readonly onStored: () => void;
};

/** A secret that is shown once. The dialog closes only after "I have stored it" is ticked. */
export function SecretCard({ title, children, secret, name, onStored }: SecretCardProps): ReactNode {
  const [stored, setStored] = useState(false);
  return (
    <Dialog
      title={title}
      locked
      wide
      onClose={onStored}
      footer={
        <Button look="primary" disabled={!stored} onClick={onStored}>
          {uiText.close}
        </Button>
      }
    >
      <div className="space-y-4">
        <div className="text-soft">{children}</div>
        <CodeBlock code={secret} title={name} />
        <p className="font-medium">{uiText.itIsShownOnlyOnce}</p>
        <Checkbox label={uiText.iHaveStoredIt} checked={stored} onChange={(event) => setStored(event.target.checked)} />
      </div>
    </Dialog>
  );
}
