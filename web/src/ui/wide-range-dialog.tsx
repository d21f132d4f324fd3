import { type FormEvent, type ReactNode, useState } from "react";
import { widthOf } from "./address-range.ts";
import { Dialog, FormEnd } from "./dialog.tsx";
import { Field } from "./field.tsx";
import { Notice } from "./page.tsx";

const CONFIRMATION = "every address";

type Props = {
  readonly entry: string;
  /** Whose calls are let in: "your account", or the client's name. */
  readonly account: string;
  readonly busy: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
};

/** Asks before a range that lets in far more than a company's own servers. A range of everyone asks for the words. */
export function WideRangeDialog({ entry, account, busy, onClose, onConfirm }: Props): ReactNode {
  const { kind, addresses } = widthOf(entry);
  const [typed, setTyped] = useState("");
  const [isWrong, setWrong] = useState(false);
  const confirm = (event: FormEvent) => {
    event.preventDefault();
    if (kind === "everyone" && typed.trim().toLowerCase() !== CONFIRMATION) setWrong(true);
    else onConfirm();
  };
  return (
    <Dialog title={`Allow ${entry}?`} onClose={onClose}>
      <form onSubmit={confirm} className="space-y-4" noValidate>
        <Notice tone={kind === "everyone" ? "bad" : "wait"}>
          <p>
            <b>This range has {addresses} addresses.</b>{" "}
            {kind === "everyone"
              ? `Anybody on the internet who has the API token can then use ${account} and spend its money. The allowlist no longer protects it.`
              : `Everybody in it who has the API token can use ${account}. List only the addresses of the servers that call.`}
          </p>
        </Notice>
        {kind === "everyone" && (
          <Field
            label={`Type “${CONFIRMATION}” to confirm`}
            autoComplete="off"
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value);
              setWrong(false);
            }}
            error={isWrong ? `Type the words ${CONFIRMATION}, or cancel and enter your servers' addresses.` : undefined}
          />
        )}
        <FormEnd onClose={onClose} busy={busy} danger>
          Allow this range
        </FormEnd>
      </form>
    </Dialog>
  );
}
