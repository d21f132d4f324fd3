import { FileUp, Trash2 } from "lucide-react";
import { type ChangeEvent, type ReactNode, useId, useState } from "react";
import { Button, DownloadButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Select } from "../../ui/forms/field.tsx";
import { toast } from "../../ui/overlays/toast.tsx";
import { Card } from "../../ui/page.tsx";
import { ApiError, apiUrl } from "../../ui/requests/api.ts";
import { post, upload } from "../api.ts";
import { ReasonDialog } from "../reason-dialog.tsx";
import { OPERATIONS, type StaffRole, useMay } from "../session.ts";
import { DOCUMENT_NAMES, type DocumentKind, type Onboarding, optionsOf, useShowChange } from "./onboarding.ts";
import { Continue, type StepProps } from "./step.tsx";

const MAX_BYTES = 5 * 1024 * 1024;
const READERS: readonly StaffRole[] = ["admin", "finance", "operations", "auditor"];

/** Documents of the client. While the application is in review, only the agreement can still be added. */
export function DocumentsStep({ onboarding, mayEdit, onNext }: StepProps): ReactNode {
  const mayWork = useMay(OPERATIONS);
  const mayAddAgreement = mayWork && onboarding.state === "submitted" && onboarding.agreement === "pending";
  return (
    <>
      <DocumentList onboarding={onboarding} mayDelete={(kind) => mayEdit || (mayAddAgreement && kind === "agreement")} />
      {(mayEdit || mayAddAgreement) && <Upload onboarding={onboarding} onlyAgreement={!mayEdit} />}
      <Continue onNext={onNext} />
    </>
  );
}

type ListProps = { readonly onboarding: Onboarding; readonly mayDelete: (kind: DocumentKind) => boolean };

export function DocumentList({ onboarding, mayDelete }: ListProps): ReactNode {
  const present = onboarding.documents.filter((one) => one.erased_at === null);
  const mayRead = useMay(READERS);
  return (
    <Card title="Documents" hint="Stored encrypted. The audit log records everybody who downloads one.">
      {present.length === 0 ? (
        <EmptyState icon={FileUp}>Documents of the client will appear here.</EmptyState>
      ) : (
        <ul className="divide-y divide-line">
          {present.map((one) => (
            <li key={one.document_id} className="flex flex-wrap items-center justify-between gap-3 py-3">
              <span className="min-w-0">
                <span className="block font-medium">{DOCUMENT_NAMES[one.kind]}</span>
                <span className="block break-all text-soft text-xs">
                  {one.name}, {Math.ceil(one.bytes / 1024)} KiB, {one.by_name ?? one.by}, <Time value={one.uploaded_at} />
                </span>
              </span>
              <span className="flex flex-wrap gap-2">
                {mayRead && (
                  <DownloadButton href={apiUrl(`/accounts/${onboarding.account_id}/documents/${one.document_id}`)}>Download</DownloadButton>
                )}
                {mayDelete(one.kind) && <Delete onboarding={onboarding} documentId={one.document_id} name={DOCUMENT_NAMES[one.kind]} />}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

type DeleteProps = { readonly onboarding: Onboarding; readonly documentId: string; readonly name: string };

function Delete({ onboarding, documentId, name }: DeleteProps): ReactNode {
  const [asking, setAsking] = useState(false);
  const show = useShowChange();
  const erase = async (reason: string | undefined) => {
    const { account_id: accountId } = onboarding;
    await show(
      await post("/accounts/:account_id/documents/:document_id/delete", { account_id: accountId, document_id: documentId, reason }),
    );
    toast(`${name} was deleted.`);
  };
  return (
    <>
      <Button look="danger" icon={Trash2} onClick={() => setAsking(true)}>
        Delete
      </Button>
      {asking && (
        <ReasonDialog title={`Delete ${name}?`} action="Delete" danger onClose={() => setAsking(false)} run={erase}>
          The file is erased and cannot be restored. Its name and who added it stay in the audit log.
        </ReasonDialog>
      )}
    </>
  );
}

function Upload({ onboarding, onlyAgreement }: { readonly onboarding: Onboarding; readonly onlyAgreement: boolean }): ReactNode {
  const id = useId();
  const show = useShowChange();
  const { busy, error, attempt } = useAttempt();
  const [kind, setKind] = useState<DocumentKind>(onlyAgreement ? "agreement" : "pan_card");
  const options = optionsOf(DOCUMENT_NAMES).filter(({ value }) => !onlyAgreement || value === "agreement");
  const send = async (event: ChangeEvent<HTMLInputElement>) => {
    const { target } = event;
    const file = target.files?.[0];
    if (!file) return;
    await attempt(async () => {
      if (file.size > MAX_BYTES)
        throw new ApiError(413, "body_too_large", "The file is larger than 5 MiB. Scan it with a lower resolution.");
      const content = new Blob([file], { type: "application/octet-stream" });
      await show(await upload("/accounts/:account_id/documents", content, { account_id: onboarding.account_id, kind, name: file.name }));
      toast(`${DOCUMENT_NAMES[kind]} was added.`);
    });
    // The same file can be chosen again after an error.
    target.value = "";
  };
  return (
    <Card title="Add a document" hint="A PDF, PNG or JPEG file of at most 5 MiB.">
      <div className="grid gap-4 sm:grid-cols-2">
        <Select label="Kind" options={options} value={kind} onChange={(event) => setKind(event.target.value as DocumentKind)} />
        <div className="space-y-1.5">
          <label htmlFor={id} className="block font-medium">
            File
          </label>
          <input
            id={id}
            type="file"
            accept=".pdf,.png,.jpg,.jpeg,application/pdf,image/png,image/jpeg"
            disabled={busy}
            aria-busy={busy}
            onChange={(event) => void send(event)}
            className="input py-1.5 file:mr-3 file:rounded-md file:border-0 file:bg-accent-tint file:px-3 file:py-1 file:font-medium file:text-accent"
          />
        </div>
      </div>
      {error !== null && (
        <div className="mt-4">
          <ErrorCard error={error} />
        </div>
      )}
    </Card>
  );
}
