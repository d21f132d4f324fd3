import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useDeferredValue, useId, useState } from "react";
import { get } from "../ui/api.ts";
import { Field } from "../ui/field.tsx";

type Account = { readonly account_id: string; readonly name: string };

type AccountFieldProps = {
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | undefined;
  readonly className?: string;
  /** An account's id, or "" for none. */
  readonly value: string;
  /** Told when an id is whole, and when the field is emptied. */
  readonly onChange: (accountId: string) => void;
};

const ACCOUNT_ID = /^A[0-9A-Z]{11}$/;
const SUGGESTED = 20;

/** An account by its id, found by its name. */
export function AccountField({ value, onChange, ...around }: AccountFieldProps): ReactNode {
  const list = useId();
  const [text, setText] = useState(value);
  const search = useDeferredValue(text.trim());
  const { data } = useQuery({
    queryKey: ["/accounts", "suggested", search],
    queryFn: ({ signal }) => get<{ items: readonly Account[] }>("/accounts", { search, limit: SUGGESTED }, signal),
    placeholderData: (before) => before,
  });
  const change = (typed: string) => {
    setText(typed);
    const named = data?.items.find((one) => one.name.toLowerCase() === typed.trim().toLowerCase());
    const accountId = ACCOUNT_ID.test(typed.trim()) ? typed.trim() : (named?.account_id ?? "");
    if (accountId !== value) onChange(accountId);
  };
  return (
    <>
      <Field
        {...around}
        list={list}
        value={text}
        placeholder="Name or id"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => change(event.target.value)}
      />
      <datalist id={list}>
        {(data?.items ?? []).map((one) => (
          <option key={one.account_id} value={one.account_id}>
            {one.name}
          </option>
        ))}
      </datalist>
    </>
  );
}
