import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { FileUp } from "lucide-react";
import { type ChangeEvent, type DragEvent, type ReactNode, useId, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { classes } from "../../ui/classes.ts";
import { ErrorCard } from "../../ui/error-card.tsx";
import { indiaDay } from "../../ui/formats/format.ts";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { type Option, Select } from "../../ui/forms/field.tsx";
import { TimeField } from "../../ui/forms/time-field.tsx";
import { DAY } from "../../ui/forms/typed-time.ts";
import { Drawer } from "../../ui/overlays/drawer.tsx";
import { ApiError } from "../../ui/requests/api.ts";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { providerOptionsQuery } from "../names.ts";
import { bytesText, useReconciliationUpload } from "./data.ts";

const MAX_BYTES = 64 * 1024 * 1024;
export function UploadDrawer(): ReactNode {
  const search = useSearch({ from: "/console/reconciliation" });
  const navigate = useNavigate();
  const providers = useQuery(providerOptionsQuery);
  return (
    <Drawer title="Upload a provider's file" onClose={() => void navigate({ to: "/reconciliation", search })}>
      <p className="text-soft">
        Upload a UTF-8 CSV file for one day in India, with the column names in the first line. You map the columns in the next step.
      </p>
      <QueryView query={providers} skeleton={<SkeletonCard lines={4} />}>
        {(options) => <UploadForm providers={options} />}
      </QueryView>
    </Drawer>
  );
}

function UploadForm({ providers }: { readonly providers: readonly Option[] }): ReactNode {
  const navigate = useNavigate();
  const send = useReconciliationUpload();
  const { busy, error, attempt } = useAttempt();
  const [chosen, setChosen] = useState<{ readonly provider?: string; readonly day: string }>({ day: indiaDay(Date.now(), 1) });
  const [file, setFile] = useState<File | null>(null);
  const [missing, setMissing] = useState(false);
  const provider = chosen.provider ?? providers[0]?.value ?? "";
  const errors = error instanceof ApiError ? error.fields : {};
  const upload = async () => {
    setMissing(file === null);
    if (file === null) return;
    await attempt(async () => {
      if (file.size > MAX_BYTES)
        throw new ApiError(413, "body_too_large", "The file is larger than 64 MiB. Split it and upload the parts.");
      const query = { provider, day: chosen.day, name: file.name };
      const made = await send("/reconciliations", new Blob([file], { type: "text/csv" }), query);
      await navigate({ to: "/reconciliation/$reconciliationId", params: { reconciliationId: made.reconciliation_id } });
    });
  };
  return (
    <form
      className="space-y-5"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void upload();
      }}
    >
      <div className="grid grid-cols-2 gap-4">
        <Select
          label="Provider"
          options={providers}
          value={provider}
          onChange={(event) => setChosen({ ...chosen, provider: event.target.value })}
          error={errors["provider"]}
        />
        <TimeField
          kind={DAY}
          label="Day in India"
          value={chosen.day}
          onChange={(next) => setChosen({ ...chosen, day: next })}
          error={errors["day"]}
        />
      </div>
      <DropField file={file} onFile={setFile} error={missing && file === null ? "Choose a file." : undefined} />
      {error !== null && <ErrorCard error={error} />}
      <div className="flex justify-end">
        <Button type="submit" look="primary" icon={FileUp} busy={busy}>
          Upload
        </Button>
      </div>
    </form>
  );
}

type DropProps = { readonly file: File | null; readonly onFile: (file: File) => void; readonly error: string | undefined };

/** A file field that also accepts dropped files. */
function DropField({ file, onFile, error }: DropProps): ReactNode {
  const id = useId();
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const dropped = event.dataTransfer.files[0];
    if (dropped) onFile(dropped);
  };
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const picked = event.target.files?.[0];
    if (picked) onFile(picked);
  };
  return (
    <div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping a file is optional; the input inside is accessible. */}
      <div
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        className={classes(
          "rounded-xl border-2 border-dashed p-6 text-center has-[input:focus-visible]:border-accent",
          over ? "border-accent bg-accent-tint" : "border-line-strong/60",
        )}
      >
        <label htmlFor={id} className="block cursor-pointer">
          <FileUp aria-hidden className="mx-auto mb-2 size-6 text-soft" />
          <span className="font-medium">{file === null ? "Choose a file" : file.name}</span>
          <span className="mt-1 block text-soft text-xs">
            {file === null ? "or drop it here, at most 64 MiB" : `${bytesText(file.size)}. Choose or drop another to replace it.`}
          </span>
        </label>
        <input
          id={id}
          type="file"
          accept=".csv,.txt,.tsv,text/csv"
          className="sr-only"
          onChange={choose}
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : `${id}-note`}
        />
      </div>
      {error !== undefined && (
        <p id={`${id}-note`} className="mt-1.5 font-medium text-bad text-xs">
          {error}
        </p>
      )}
    </div>
  );
}
