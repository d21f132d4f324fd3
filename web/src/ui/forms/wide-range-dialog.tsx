import { type FormEvent, type ReactNode, useState } from "react";
import { uiText } from "../../messages/en/ui.ts";
import { fill } from "../../messages/fill.ts";
import { Dialog, FormEnd } from "../overlays/dialog.tsx";
import { Notice } from "../page.tsx";
import { widthOf } from "./address-range.ts";
import { Field } from "./field.tsx";

const CONFIRMATION = uiText.everyAddress;

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
    <Dialog title={fill(uiText.allow, { entry })} onClose={onClose}>
      <form onSubmit={confirm} className="space-y-4" noValidate>
        <Notice tone={kind === "everyone" ? "bad" : "wait"}>
          <p>
            <b>{fill(uiText.thisRangeHasAddresses, { addresses })}</b>{" "}
            {kind === "everyone" ? fill(uiText.anybodyOnTheInternetWho, { account }) : fill(uiText.everybodyInItWhoHas, { account })}
          </p>
        </Notice>
        {kind === "everyone" && (
          <Field
            label={fill(uiText.typeToConfirm, { confirmation: CONFIRMATION })}
            autoComplete="off"
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value);
              setWrong(false);
            }}
            error={isWrong ? fill(uiText.typeTheWordsOrCancel, { confirmation: CONFIRMATION }) : undefined}
          />
        )}
        <FormEnd onClose={onClose} busy={busy} danger>
          {uiText.allowThisRange}
        </FormEnd>
      </form>
    </Dialog>
  );
}
