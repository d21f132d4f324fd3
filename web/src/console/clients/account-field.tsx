import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Field } from "../../ui/forms/field.tsx";
import { usePaused } from "../../ui/lists/paused.ts";
import { get } from "../api.ts";
import { type AccountChoice, chosenOf, UNMATCHED, UNMATCHED_MESSAGE } from "./account-choice.ts";

type AccountFieldProps = {
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | undefined;
  readonly className?: string;
  readonly value: AccountChoice;
  /** Receives an account's id, "" when the field is empty, or UNMATCHED while the text matches no account. */
  readonly onChange: (choice: AccountChoice) => void;
};

const SUGGESTED = "20";
const PAUSE_MILLISECONDS = 150;

/** Chooses an account by name or id. Text that matches no account is an error. */
export function AccountField({ value, onChange, error, ...around }: AccountFieldProps): ReactNode {
  const list = useId();
  const [text, setText] = useState(value === UNMATCHED ? "" : value);
  const [isLeft, setLeft] = useState(false);
  const search = usePaused(text.trim(), PAUSE_MILLISECONDS);
  const { data, isPlaceholderData } = useQuery({
    queryKey: ["/accounts", "suggested", search],
    queryFn: ({ signal }) => get("/accounts", { search, limit: SUGGESTED }, signal),
    placeholderData: (before) => before,
  });
  const items = data?.items ?? [];
  const choice = chosenOf(text, items, value);
  // Suggestions arrive after the text, so the choice is computed again when they do.
  const notify = useRef(onChange);
  notify.current = onChange;
  useEffect(() => {
    if (choice !== value) notify.current(choice);
  }, [choice, value]);
  const isSettled = search === text.trim() && !isPlaceholderData;
  const unmatched = choice === UNMATCHED && isLeft && isSettled ? UNMATCHED_MESSAGE : undefined;
  const shown = unmatched ?? error;
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
        {items.map((account) => (
          <option key={account.account_id} value={account.account_id}>
            {account.name}
          </option>
        ))}
      </datalist>
    </>
  );
}
