import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { indiaTimeOf } from "../../ui/formats/format.ts";
import { Select } from "../../ui/forms/field.tsx";
import { TimeField } from "../../ui/forms/time-field.tsx";
import { MOMENT } from "../../ui/forms/typed-time.ts";
import { Dialog, FormEnd } from "../../ui/overlays/dialog.tsx";
import { type AccountChoice, UNMATCHED } from "../clients/account-choice.ts";
import { AccountField } from "../clients/account-field.tsx";
import type { BulkChoice } from "./bulk.ts";
import { BulkDialog } from "./bulk-dialog.tsx";

const STATES = [
  { value: "", label: "Delivered or not" },
  { value: "delivered", label: "Delivered" },
  { value: "waiting", label: "Waiting or failing" },
];
const KINDS = [
  { value: "", label: "Status and complaint" },
  { value: "status", label: "Status" },
  { value: "complaint", label: "Complaint" },
];

/** Sends the callbacks of one client and a window of time again, after showing how many there are. */
export function ReplayButton({ accountId }: { readonly accountId: string | undefined }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const [choice, setChoice] = useState<BulkChoice | null>(null);
  const close = () => {
    setOpen(false);
    setChoice(null);
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>Replay callbacks</Button>
      {isOpen && choice === null && <ReplayDialog accountId={accountId} onClose={close} onChosen={setChoice} />}
      {choice !== null && <BulkDialog action="resend" choice={choice} onClose={close} />}
    </>
  );
}

type Props = { readonly accountId: string | undefined; readonly onClose: () => void; readonly onChosen: (choice: BulkChoice) => void };

function ReplayDialog({ accountId, onClose, onChosen }: Props): ReactNode {
  const [account, setAccount] = useState<AccountChoice>(accountId ?? "");
  const [since, setSince] = useState("");
  const [until, setUntil] = useState("");
  const [state, setState] = useState("");
  const [kind, setKind] = useState("");
  const isTime = (text: string) => MOMENT.read(text) !== null;
  const ready = account !== "" && account !== UNMATCHED && isTime(since) && (until === "" || isTime(until));
  const choose = () => {
    const times = { since: indiaTimeOf(since), until: until === "" ? "" : indiaTimeOf(until) };
    const given = { account_id: String(account), ...times, state, kind };
    onChosen({ filter: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== "")) });
  };
  return (
    <Dialog title="Replay callbacks" onClose={onClose}>
      <form
        className="space-y-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) choose();
        }}
      >
        <p className="text-soft">Sends callbacks of a window of time again, also delivered ones. The next step shows how many there are.</p>
        <AccountField label="Client" value={account} onChange={setAccount} />
        <TimeField kind={MOMENT} label="Created since (India time)" value={since} onChange={setSince} />
        <TimeField kind={MOMENT} label="Created before (optional)" value={until} onChange={setUntil} />
        <Select label="Delivery" options={STATES} value={state} onChange={(event) => setState(event.target.value)} />
        <Select label="Kind" options={KINDS} value={kind} onChange={(event) => setKind(event.target.value)} />
        <FormEnd onClose={onClose} busy={false} disabled={!ready}>
          Count callbacks
        </FormEnd>
      </form>
    </Dialog>
  );
}
