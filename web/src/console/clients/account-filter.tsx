import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useId, useState } from "react";
import type { Filter, OwnInputProps } from "../../ui/lists/filter-bar.tsx";
import { usePaused } from "../../ui/lists/paused.ts";
import { get } from "../api.ts";
import { type Account, chosenOf, UNMATCHED } from "./account-choice.ts";

const SUGGESTED = "20";
const PAUSE_MILLISECONDS = 150;
const NONE: readonly Account[] = [];

/** Narrows a list to one client, who is chosen by name or id. */
export const ACCOUNT_FILTER: Filter = {
  kind: "own",
  name: "account_id",
  label: "Client",
  input: (props) => <AccountFilter {...props} />,
};

/** Text that matches no client is an error, and the list stays as it was. */
function AccountFilter({ id, value, onChange }: OwnInputProps): ReactNode {
  const list = useId();
  // Null while the text is not being edited; then the name of the chosen client is shown.
  const [text, setText] = useState<string | null>(null);
  const [isLeft, setLeft] = useState(true);
  const search = usePaused((text ?? value).trim(), PAUSE_MILLISECONDS);
  const { data, isPlaceholderData } = useQuery({
    queryKey: ["/accounts", "suggested", search],
    queryFn: ({ signal }) => get("/accounts", { search, limit: SUGGESTED }, signal),
    placeholderData: (before) => before,
  });
  const items: readonly Account[] = data?.items ?? NONE;
  const choice = text === null ? value : chosenOf(text, items);
  const isSettled = text !== null && search === text.trim() && !isPlaceholderData;
  useEffect(() => {
    if (choice === UNMATCHED || choice === value || !isSettled) return;
    setText(null);
    onChange(choice);
  }, [choice, value, isSettled, onChange]);
  const isUnmatched = choice === UNMATCHED && isLeft && isSettled;
  return (
    <>
      <input
        id={id}
        type="text"
        className="input"
        list={list}
        placeholder="Name or id"
        autoComplete="off"
        spellCheck={false}
        value={text ?? items.find((account) => account.account_id === value)?.name ?? value}
        aria-invalid={isUnmatched}
        aria-describedby={`${id}-note`}
        onFocus={() => setLeft(false)}
        onBlur={() => setLeft(true)}
        onChange={(event) => setText(event.target.value)}
      />
      <datalist id={list}>
        {items.map((account) => (
          <option key={account.account_id} value={isOnly(account, items) ? account.name : account.account_id}>
            {isOnly(account, items) ? account.account_id : account.name}
          </option>
        ))}
      </datalist>
      <p id={`${id}-note`} className="mt-1 text-bad text-xs font-medium empty:hidden">
        {isUnmatched && "Choose a client from the list, or clear the field."}
      </p>
    </>
  );
}

/** Clients of the same name are told apart by their ids. */
function isOnly(account: Account, items: readonly Account[]): boolean {
  return items.filter((one) => one.name === account.name).length === 1;
}
