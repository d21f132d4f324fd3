import { type LinkProps, useNavigate } from "@tanstack/react-router";
import { ArrowRight, type LucideIcon, Search } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { uiText } from "../../messages/en/ui.ts";
import { classes } from "../classes.ts";
import { Modal } from "./dialog.tsx";

export type Command = { readonly name: string; readonly icon: LucideIcon; readonly run: () => void };

/** Something that was found by the typed text, and where it opens. */
export type Found = { readonly name: string; readonly link: LinkProps };

type PaletteProps = {
  readonly commands: readonly Command[];
  /** Commands made from the typed text, such as "Find the transaction …". */
  readonly typed?: (text: string) => readonly Command[];
  /** A hook that gives the records that match the typed text. */
  readonly useFound: (text: string) => readonly Found[];
  readonly onClose: () => void;
};

function matching(commands: readonly Command[], text: string): readonly Command[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return commands.filter((command) => words.every((word) => command.name.toLowerCase().includes(word)));
}

/** The command palette (Ctrl K): finds pages and actions by name, and records by what the site searches. */
export function Palette({ commands, typed, useFound, onClose }: PaletteProps): ReactNode {
  const id = useId();
  const [text, setText] = useState("");
  const [selected, setSelected] = useState(0);
  const navigate = useNavigate();
  const records = useFound(text.trim()).map(({ name, link }) => ({ name, icon: ArrowRight, run: () => void navigate(link as never) }));
  const found = [...matching(commands, text), ...records, ...(text.trim() === "" ? [] : (typed?.(text.trim()) ?? []))];
  const at = Math.min(selected, Math.max(found.length - 1, 0));
  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    onClose();
    command.run();
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      setSelected((at + step + found.length) % found.length);
    }
    if (event.key === "Enter") run(found[at]);
  };
  return (
    <Modal
      label={uiText.quickNavigation}
      onClose={onClose}
      className="enter-up mx-auto mt-[12vh] w-[calc(100%-2rem)] max-w-xl rounded-xl border border-line shadow-2xl"
    >
      <div className="flex items-center gap-3 border-line border-b px-4">
        <Search aria-hidden className="size-4 text-soft" />
        <input
          role="combobox"
          aria-label={uiText.pageOrAction}
          aria-expanded
          aria-controls={id}
          aria-activedescendant={found.length > 0 ? `${id}-${at}` : undefined}
          className="min-h-12 w-full bg-transparent outline-none"
          placeholder={uiText.pageActionOrAnOrder}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setSelected(0);
          }}
          onKeyDown={press}
        />
      </div>
      <Choices id={id} found={found} at={at} onRun={run} />
    </Modal>
  );
}

type ChoicesProps = {
  readonly id: string;
  readonly found: readonly Command[];
  readonly at: number;
  readonly onRun: (command: Command) => void;
};

function Choices({ id, found, at, onRun }: ChoicesProps): ReactNode {
  if (found.length === 0) return <p className="p-4 text-soft">{uiText.noPageOrActionHas}</p>;
  return (
    <div id={id} role="listbox" aria-label={uiText.found} tabIndex={-1} className="max-h-80 overflow-y-auto p-2">
      {found.map((command, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox keeps the focus and handles the keys.
        <div
          key={command.name}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          ref={(element) => {
            if (index === at) element?.scrollIntoView({ block: "nearest" });
          }}
          onClick={() => onRun(command)}
          className={classes(
            "flex min-h-10 cursor-pointer items-center gap-3 rounded-md px-3",
            index === at && "bg-accent-tint text-accent-strong",
          )}
        >
          <command.icon aria-hidden className="size-4 shrink-0" />
          <span className="min-w-0 truncate">{command.name}</span>
        </div>
      ))}
    </div>
  );
}
