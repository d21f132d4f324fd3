import { X } from "lucide-react";
import { type MouseEvent, type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { uiText } from "../../messages/en/ui.ts";
import { Button, IconButton } from "../button.tsx";
import { classes } from "../classes.ts";
import { enterModal } from "./modal-stack.ts";

type ModalProps = {
  readonly onClose: () => void;
  /** Cannot be closed by Escape or by a click outside. */
  readonly locked?: boolean;
  /** Focuses the first field instead of the close button. */
  readonly atField?: boolean;
  readonly className: string;
  readonly labelledBy?: string;
  readonly label?: string;
  readonly children: ReactNode;
};

/** The browser's modal dialog, which traps and restores the focus. It is open while it is rendered. */
export function Modal({ onClose, locked = false, atField = false, className, labelledBy, label, children }: ModalProps): ReactNode {
  const element = useRef<HTMLDialogElement>(null);
  const begun = useRef(false);
  useLayoutEffect(() => {
    const dialog = element.current;
    if (dialog === null) return undefined;
    dialog.showModal();
    const leave = enterModal(dialog);
    return () => {
      leave();
      dialog.close();
    };
  }, []);
  // Runs after every render, because a form that loads its options appears later than its dialog.
  useLayoutEffect(() => {
    if (!atField || begun.current) return;
    const field = element.current?.querySelector<HTMLElement>("input:not([type=checkbox]), select, textarea");
    field?.focus();
    begun.current = field instanceof HTMLElement;
  });
  const onOutsideClick = (event: MouseEvent) => {
    if (event.target === element.current && !locked) onClose();
  };
  return (
    <dialog
      ref={element}
      aria-label={label}
      aria-labelledby={labelledBy}
      onMouseDown={onOutsideClick}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        if (!locked) onClose();
      }}
      onCancel={(event) => {
        event.preventDefault();
        if (!locked) onClose();
      }}
      className={classes("bg-raised text-ink", className)}
    >
      {children}
    </dialog>
  );
}

type DialogProps = {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly footer?: ReactNode;
  readonly locked?: boolean;
  readonly wide?: boolean;
};

/** A dialog that is open while it is rendered: `{open && <Dialog …/>}`. */
export function Dialog({ title, onClose, children, footer, locked = false, wide = false }: DialogProps): ReactNode {
  const id = useId();
  const width = wide ? "max-w-2xl" : "max-w-md";
  return (
    <Modal
      onClose={onClose}
      locked={locked}
      atField
      labelledBy={id}
      className={classes("enter-up m-auto w-[calc(100%-2rem)] overflow-hidden rounded-xl border border-line shadow-2xl", width)}
    >
      {/* The content scrolls inside, so that a scroll bar does not cut the rounded corners off. */}
      <div className="relative max-h-[calc(100dvh-3rem)] overflow-y-auto">
        <div className="flex items-start justify-between gap-4 px-5 pt-4">
          <h2 id={id} className="pt-1.5 text-base font-semibold">
            {title}
          </h2>
          {!locked && <IconButton icon={X} label={uiText.close} onClick={onClose} className="-mr-2" />}
        </div>
        <div className="px-5 pt-2 pb-5">{children}</div>
        {footer !== undefined && <div className="flex flex-wrap justify-end gap-2 border-line border-t px-5 py-3">{footer}</div>}
      </div>
    </Modal>
  );
}

type FormEndProps = {
  readonly onClose: () => void;
  readonly busy: boolean;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  /** Label of the submit button. */
  readonly children: ReactNode;
};

/** The cancel and submit buttons of a form in a dialog. */
export function FormEnd({ onClose, busy, danger = false, disabled = false, children }: FormEndProps): ReactNode {
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <Button onClick={onClose}>{uiText.cancel}</Button>
      <Button type="submit" look={danger ? "danger" : "primary"} busy={busy} disabled={disabled}>
        {children}
      </Button>
    </div>
  );
}

type ConfirmProps = {
  readonly title: string;
  readonly children: ReactNode;
  readonly action: string;
  readonly danger?: boolean;
  readonly busy?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
};

/** Asks for confirmation before an action that cannot be undone. */
export function ConfirmDialog({ title, children, action, danger = false, busy = false, onConfirm, onClose }: ConfirmProps): ReactNode {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{uiText.cancel}</Button>
          <Button look={danger ? "danger" : "primary"} busy={busy} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      <div className="text-soft">{children}</div>
    </Dialog>
  );
}
