import { ArrowUp, Trash2 } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { IconButton } from "../../../ui/button.tsx";
import { Around } from "../../../ui/forms/field.tsx";

export type ButtonsProps = {
  readonly label: string;
  readonly onRemove?: (() => void) | undefined;
  readonly onMoveUp?: (() => void) | undefined;
};

/** A field with the buttons that move and remove it. */
export function FieldFrame({ children, ...buttons }: ButtonsProps & { readonly children: ReactNode }): ReactNode {
  return (
    <div className="flex items-start gap-1">
      <div className="min-w-0 flex-1 space-y-2">{children}</div>
      <FieldButtons {...buttons} />
    </div>
  );
}

type BoxProps = ButtonsProps & {
  readonly title: string;
  readonly help: string;
  /** Whether it is open at first. Later the user decides, but a part with errors opens. */
  readonly isOpen: boolean;
  readonly hasFaults: boolean;
  readonly children: ReactNode;
};

/** A part with fields of its own, which can be folded. Its buttons are above it, so that nested parts keep their width. */
export function FieldBox({ title, help, isOpen, hasFaults, children, ...buttons }: BoxProps): ReactNode {
  const [open, setOpen] = useState(isOpen);
  useEffect(() => {
    if (hasFaults) setOpen(true);
  }, [hasFaults]);
  return (
    <div className="relative">
      <details
        open={open}
        onToggle={(event) => setOpen(event.currentTarget.open)}
        aria-label={buttons.label}
        className="border-line-strong/60 border-l-2 pl-3"
      >
        <summary className="min-h-9 break-words py-1.5 pr-20 font-semibold">{title}</summary>
        <div className="space-y-3 pb-1">
          {help !== "" && <p className="text-soft text-xs">{help}</p>}
          {children}
        </div>
      </details>
      <div className="absolute top-0 right-0 flex">
        <FieldButtons {...buttons} />
      </div>
    </div>
  );
}

function FieldButtons({ label, onRemove, onMoveUp }: ButtonsProps): ReactNode {
  return (
    <>
      {onMoveUp && <IconButton icon={ArrowUp} label={`Move up: ${label}`} onClick={onMoveUp} className="shrink-0" />}
      {onRemove && <IconButton icon={Trash2} label={`Remove: ${label}`} onClick={onRemove} className="shrink-0" />}
    </>
  );
}

type LabelledProps = {
  readonly label: string;
  readonly help: string | undefined;
  readonly error: string | undefined;
  /** In a row the label is only spoken, because the name beside the value says it. */
  readonly isInRow: boolean;
  readonly children: (wired: { readonly "aria-invalid": boolean }) => ReactNode;
};

/** The label, the help and the error of an input. */
export function Labelled({ label, help, error, isInRow, children }: LabelledProps): ReactNode {
  if (!isInRow)
    return (
      <Around label={label} hint={help} error={error}>
        {children}
      </Around>
    );
  return (
    <>
      {children({ "aria-invalid": error !== undefined, ...{ "aria-label": label } })}
      <PartFaults messages={error === undefined ? [] : [error]} />
    </>
  );
}

/** Errors of a part as a whole. */
export function PartFaults({ messages }: { readonly messages: readonly string[] }): ReactNode {
  return messages.map((message) => (
    <p key={message} className="break-words font-medium text-bad text-xs">
      {message}
    </p>
  ));
}
