import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { get } from "../ui/api.ts";
import { Field } from "../ui/field.tsx";
import { type Account, type AccountChoice, chosenOf, UNMATCHED, UNMATCHED_WORDS } from "./account-choice.ts";

type AccountFieldProps = {
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | undefined;
  readonly className?: string;
  readonly value: AccountChoice;
  /** Told of an account's id, of "" when the field is empty, and of UNMATCHED while its text is no account. */
  readonly onChange: (choice: AccountChoice) => void;
};

const SUGGESTED = 20;
const PAUSE_MILLISECONDS = 150;

/** One account, found by its name or id. It holds a choice or nothing: text that is no account is shown as an error. */
export function AccountField({ value, onChange, error, ...around }: AccountFieldProps): ReactNode {
  const list = useId();
  const [text, setText] = useState(value === UNMATCHED ? "" : value);
  const [isLeft, setLeft] = useState(false);
  const search = usePaused(text.trim());
  const { data, isPlaceholderData } = useQuery({
    queryKey: ["/accounts", "suggested", search],
    queryFn: ({ signal }) => get<{ items: readonly Account[] }>("/accounts", { search, limit: SUGGESTED }, signal),
    placeholderData: (before) => before,
  });
  const items = data?.items ?? [];
  const choice = chosenOf(text, items, value);
  // Suggestions arrive after the text they are for: the choice is looked at again with them.
  const tell = useRef(onChange);
  tell.current = onChange;
  useEffect(() => {
    if (choice !== value) tell.current(choice);
  }, [choice, value]);
  const isSettled = search === text.trim() && !isPlaceholderData;
  const own = choice === UNMATCHED && isLeft && isSettled ? UNMATCHED_WORDS : undefined;
  const shown = own ?? error;
  return (
    <>
      <Field
        {...around}
        {...(shown === undefined ? {} : { error: shown })}
        list={list}
        value={text}
        placeholder="Name or id"
        autoComplete="off"
        spellCheck={false}
        onFocus={() => setLeft(false)}
        onBlur={() => setLeft(true)}
        onChange={(event) => setText(event.target.value)}
      />
      <datalist id={list}>
        {items.map((one) => (
          <option key={one.account_id} value={one.account_id}>
            {one.name}
          </option>
        ))}
      </datalist>
    </>
  );
}

/** The text when typing pauses. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
