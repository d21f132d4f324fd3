import { X } from "lucide-react";
import { type ReactNode, useId } from "react";
import { uiText } from "../../messages/en/ui.ts";
import { IconButton } from "../button.tsx";
import { Modal } from "./dialog.tsx";

type DrawerProps = {
  readonly title: ReactNode;
  /** Goes back to the list: `navigate({ to: "..", search: true })`. */
  readonly onClose: () => void;
  /** Previous and next of a queue. */
  readonly nav?: ReactNode;
  readonly children: ReactNode;
  readonly footer?: ReactNode;
};

/** A detail view over its list. It is the component of a child route, so it has its own URL. */
export function Drawer({ title, onClose, nav, children, footer }: DrawerProps): ReactNode {
  const id = useId();
  return (
    <Modal
      onClose={onClose}
      labelledBy={id}
      className="enter-side m-0 ml-auto h-dvh max-h-dvh w-full max-w-full overflow-hidden border-line sm:max-w-xl sm:border-l lg:max-w-2xl"
    >
      <div className="flex h-full flex-col">
        <header className="flex items-center justify-between gap-2 border-line border-b px-5 py-3">
          <h2 id={id} className="min-w-0 grow truncate text-base font-semibold">
            {title}
          </h2>
          {nav}
          <IconButton icon={X} label={uiText.close} onClick={onClose} className="-mr-2" />
        </header>
        {/* The only scroller. It is positioned, so that hidden text inside it cannot make the dialog scroll too. */}
        <div className="relative min-h-0 grow space-y-6 overflow-y-auto px-5 py-5">{children}</div>
        {footer !== undefined && <footer className="flex flex-wrap justify-end gap-2 border-line border-t px-5 py-3">{footer}</footer>}
      </div>
    </Modal>
  );
}
