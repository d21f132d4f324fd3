import { RotateCcw } from "lucide-react";
import { type ReactNode, useState } from "react";
import { RecoverDialog } from "../../callbacks/recover.tsx";
import type { Job } from "../../jobs/job.ts";
import { Button } from "../../ui/button.tsx";
import { Field, Select } from "../../ui/forms/field.tsx";
import { get, post } from "../api.ts";
import { type AccountChoice, UNMATCHED } from "../clients/account-choice.ts";
import { AccountField } from "../clients/account-field.tsx";

const SCOPES = [
  { value: "one", label: "One client" },
  { value: "all", label: "All clients" },
];
const CONFIRMATION = "all clients";

/** Resends failed callbacks of one client or of all clients. */
export function RecoverButton({ accountId }: { readonly accountId: string | undefined }): ReactNode {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon={RotateCcw} onClick={() => setOpen(true)}>
        Recover failed callbacks
      </Button>
      {open && <RecoverClientsDialog accountId={accountId} onClose={() => setOpen(false)} />}
    </>
  );
}

function RecoverClientsDialog({ accountId, onClose }: { readonly accountId: string | undefined; readonly onClose: () => void }): ReactNode {
  const [whose, setWhose] = useState("one");
  const [account, setAccount] = useState<AccountChoice>(accountId ?? "");
  const [words, setWords] = useState("");
  const scope = whose === "all" ? ({ all_accounts: true } as const) : { account_id: account === UNMATCHED ? "" : account };
  return (
    <RecoverDialog
      title="Recover failed callbacks"
      about="Resends every undelivered callback created since then immediately, in order per client."
      ready={whose === "one" ? account !== "" && account !== UNMATCHED : words.trim().toLowerCase() === CONFIRMATION}
      start={(since) => post("/callbacks/recovery", { since, ...scope })}
      onClose={onClose}
    >
      <Select
        label="Clients"
        hint="Choose all clients after an outage of this installation."
        options={SCOPES}
        value={whose}
        onChange={(event) => setWhose(event.target.value)}
      />
      {whose === "one" && <AccountField label="Client" value={account} onChange={setAccount} />}
      {whose === "all" && (
        <Field
          label={`Type “${CONFIRMATION}” to confirm`}
          hint="Calls every receiver that has undelivered callbacks since then."
          autoComplete="off"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      )}
    </RecoverDialog>
  );
}

export async function latestRecoveries(signal: AbortSignal): Promise<readonly Job[]> {
  const { items } = await get("/jobs", { kind: "callbacks_recover", limit: "20" }, signal);
  return items;
}
