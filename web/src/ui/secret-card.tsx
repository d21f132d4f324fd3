import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { CodeBlock } from "./code-block.tsx";
import { Dialog } from "./dialog.tsx";
import { Checkbox } from "./field.tsx";

type SecretCardProps = {
  readonly title: string;
  /** What it is for and what happens when it is lost. */
  readonly children: ReactNode;
  readonly secret: string;
  /** "API token", "Recovery codes" … */
  readonly name: string;
  /** The secret may be forgotten by the page now. */
  readonly onStored: () => void;
};

/** A secret that is shown once: it cannot be left before "I have stored it" is ticked. */
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
          Close
        </Button>
      }
    >
      <div className="space-y-4">
        <div className="text-soft">{children}</div>
        <CodeBlock code={secret} title={name} />
        <p className="font-medium">It is shown this once and never again.</p>
        <Checkbox label="I have stored it" checked={stored} onChange={(event) => setStored(event.target.checked)} />
      </div>
    </Dialog>
  );
}
