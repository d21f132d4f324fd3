import { CalendarDays } from "lucide-react";
import { type InputHTMLAttributes, type ReactNode, useEffect, useRef, useState } from "react";
import { uiText } from "../../messages/en/ui.ts";
import { fill } from "../../messages/fill.ts";
import { Around, type AroundProps } from "./field.tsx";
import { DAY, type TimeKind } from "./typed-time.ts";

type TimeInputProps = {
  readonly kind: TimeKind;
  /** The value of the kind, "" for none, or the text that could not be read. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly input: InputHTMLAttributes<HTMLInputElement>;
};

/** A text field for a day or a time, in one form for everybody. Days can also be chosen from the browser's calendar. */
export function TimeInput({ kind, value, onChange, input }: TimeInputProps): ReactNode {
  const [text, setText] = useState(() => kind.show(value));
  const read = kind.read(text) ?? text.trim();
  const isOther = value !== read;
  // A value from elsewhere, such as the address or the calendar, replaces the text.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a changed value does.
  useEffect(() => {
    if (isOther) setText(kind.show(value));
  }, [value]);
  return (
    <div className="relative">
      <input
        type="text"
        autoComplete="off"
        placeholder={fill(uiText.suchAs, { example: kind.example })}
        {...input}
        className={kind === DAY ? "input pr-10" : "input"}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          onChange(kind.read(event.target.value) ?? event.target.value.trim());
        }}
        onBlur={() => setText(kind.show(read))}
      />
      {kind === DAY && <Calendar value={kind.read(text) ?? ""} onChange={onChange} />}
    </div>
  );
}

function Calendar({ value, onChange }: Pick<TimeInputProps, "value" | "onChange">): ReactNode {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={picker}
        type="date"
        tabIndex={-1}
        aria-hidden
        className="pointer-events-none absolute inset-x-0 bottom-0 h-0 opacity-0"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <button
        type="button"
        aria-label={uiText.openCalendar}
        title={uiText.openCalendar}
        className="absolute inset-y-0 right-0 inline-flex w-10 items-center justify-center rounded-md text-soft hover:text-ink"
        onClick={() => picker.current?.showPicker()}
      >
        <CalendarDays aria-hidden className="size-4" />
      </button>
    </>
  );
}

type TimeFieldProps = AroundProps & Omit<TimeInputProps, "input">;

/** A labelled day or time. Text that is none is an error at the field once it is left. */
export function TimeField({ kind, value, onChange, error, ...around }: TimeFieldProps): ReactNode {
  const [isLeft, setLeft] = useState(false);
  const unread = isLeft && value !== "" && kind.read(value) === null ? fill(uiText.typeItAs, { example: kind.example }) : undefined;
  return (
    <Around {...around} error={unread ?? error}>
      {(wired) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: only notes that the focus has left.
        <div onFocus={() => setLeft(false)} onBlur={() => setLeft(true)}>
          <TimeInput kind={kind} value={value} onChange={onChange} input={wired} />
        </div>
      )}
    </Around>
  );
}
