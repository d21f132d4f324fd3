import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { post } from "../../ui/api.ts";
import { useAttempt } from "../../ui/attempt.ts";
import { Status } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Code } from "../../ui/copy.tsx";
import { ConfirmDialog, Dialog } from "../../ui/dialog.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Field } from "../../ui/field.tsx";
import { Card } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { toastError } from "../../ui/toast.tsx";
import { CodesShown } from "./codes-shown.tsx";
import { useSecurityChange } from "./data.ts";
import { QrCode } from "./qr-code.tsx";

export function TotpCard({ enabled }: { readonly enabled: boolean }): ReactNode {
  const [opened, setOpened] = useState<"set-up" | "disable" | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const close = () => setOpened(null);
  const disable = useSecurityChange(() => post("/security/totp/disable"), "The authenticator app is no longer asked for.");
  return (
    <Card
      title="Authenticator app"
      hint="A code of six digits from an app on your phone, after your password."
      actions={
        enabled ? (
          <Button look="danger" onClick={() => setOpened("disable")}>
            Turn off
          </Button>
        ) : (
          <Button onClick={() => setOpened("set-up")}>Set up</Button>
        )
      }
    >
      <Status value={enabled ? "active" : "disabled"} label={enabled ? "On" : "Off"} />
      {opened === "set-up" && (
        <SetUp
          onClose={close}
          onDone={(made) => {
            close();
            setCodes(made);
          }}
        />
      )}
      {opened === "disable" && (
        <ConfirmDialog
          title="Turn off the authenticator app?"
          action="Turn off"
          danger
          busy={disable.isPending}
          onClose={close}
          onConfirm={() => disable.mutate(undefined, { onSettled: close, onError: toastError })}
        >
          Without a passkey your password alone opens the account then.
        </ConfirmDialog>
      )}
      {codes && <CodesShown codes={codes} onStored={() => setCodes(null)} />}
    </Card>
  );
}

type Started = { readonly secret: string; readonly uri: string };
type SetUpProps = { readonly onClose: () => void; readonly onDone: (codes: readonly string[] | null) => void };

function SetUp({ onClose, onDone }: SetUpProps): ReactNode {
  const [code, setCode] = useState("");
  const { busy, error, attempt } = useAttempt();
  const started = useQuery({
    queryKey: ["/security/totp/start"],
    queryFn: () => post<Started>("/security/totp/start"),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const confirm = useSecurityChange(
    () => post<{ recovery_codes?: readonly string[] }>("/security/totp/confirm", { code: code.trim() }),
    (answer) => onDone(answer.recovery_codes ?? null),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void attempt(() => confirm.mutateAsync());
  };
  if (started.error) {
    return (
      <Dialog title="Set up an authenticator app" onClose={onClose}>
        <ErrorCard error={started.error} />
      </Dialog>
    );
  }
  return (
    <Dialog title="Set up an authenticator app" onClose={onClose}>
      <form onSubmit={submit} className="space-y-4">
        <Picture started={started.data} />
        <Field
          label="Code the app shows now"
          inputMode="numeric"
          autoComplete="one-time-code"
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
        {error !== null && <ErrorCard error={error} />}
        <div className="flex justify-end">
          <Button type="submit" look="primary" busy={busy} disabled={code.trim() === "" || started.data === undefined}>
            Turn on
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Picture({ started }: { readonly started: Started | undefined }): ReactNode {
  return (
    <div className="space-y-3">
      <p className="text-soft">Scan the picture with the app on your phone, or type the key into it.</p>
      <div className="flex justify-center">{started ? <QrCode text={started.uri} /> : <Skeleton className="size-48" />}</div>
      <div className="text-center">
        <span className="text-soft text-xs">Key</span>
        <br />
        {started ? <Code text={started.secret} /> : <Skeleton className="max-w-64" />}
      </div>
    </div>
  );
}
