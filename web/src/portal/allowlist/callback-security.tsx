import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck, Send } from "lucide-react";
import { type ReactNode, useState } from "react";
import { allowlistText } from "../../messages/en/allowlist.ts";
import { fill } from "../../messages/fill.ts";
import { rich } from "../../messages/rich.tsx";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Badge } from "../../ui/formats/badge.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { type WireRequest, WireRequestBlock } from "../../ui/formats/wire-request.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { ConfirmDialog } from "../../ui/overlays/dialog.tsx";
import { Card, Notice } from "../../ui/page.tsx";
import { post } from "../api.ts";
import { type CallbackSettings, callbackSettingsQuery } from "../callback-settings.ts";
import { responseText } from "../receiver-response.ts";
import { useMay } from "../session.ts";
import { CallbackSecret } from "./callback-secret.tsx";

type Settings = { readonly settings: CallbackSettings };

/** The steps from version 2 to version 3. The switch requires a test that the receiver accepted. */
export function CallbackSecurity({ settings }: Settings): ReactNode {
  const switched = settings.version === 3;
  return (
    <Card
      title={allowlistText.callbackSecurity}
      hint={allowlistText.version3CallbacksAreJson}
      actions={<Badge tone={switched ? "good" : "plain"}>{fill(allowlistText.version, { version: settings.version })}</Badge>}
    >
      <div className="space-y-5">
        {switched && <Notice tone="good">{allowlistText.allCallbacksAreVersion3}</Notice>}
        <ol className="space-y-5">
          <Step number={1} title={allowlistText.createACallbackSecret} done={settings.callback_secret_set}>
            <CallbackSecret settings={settings} />
          </Step>
          <Step number={2} title={allowlistText.sendASignedVersion3} done={hasPassed(settings)}>
            <TestStep settings={settings} />
          </Step>
          <Step number={3} title={allowlistText.switchToVersion3} done={switched}>
            <SwitchStep settings={settings} />
          </Step>
        </ol>
      </div>
    </Card>
  );
}

function hasPassed({ v3_test: test }: CallbackSettings): boolean {
  return test?.holds === true && test.delivered;
}

type StepProps = { readonly number: number; readonly title: string; readonly done: boolean; readonly children: ReactNode };

function Step({ number, title, done, children }: StepProps): ReactNode {
  return (
    <li className="flex gap-3">
      <span aria-hidden className="mt-0.5 shrink-0">
        {done ? (
          <CircleCheck className="size-6 text-good" />
        ) : (
          <span className="flex size-6 items-center justify-center rounded-full border border-line-strong text-soft text-xs">{number}</span>
        )}
      </span>
      <div className="min-w-0 grow space-y-2">
        <h3 className="pt-0.5 font-medium">
          {title} {done && <span className="sr-only">{allowlistText.done}</span>}
        </h3>
        {children}
      </div>
    </li>
  );
}

function TestStep({ settings }: Settings): ReactNode {
  const isAllowed = useMay("builders");
  const queries = useQueryClient();
  const [sent, setSent] = useState<WireRequest | null>(null);
  const { busy, error, attempt } = useAttempt();
  const test = () =>
    void attempt(async () => {
      setSent((await post("/callback-settings/test-v3")).request);
      await queries.invalidateQueries(callbackSettingsQuery);
    });
  if (settings.callback_url === null) {
    return (
      <p className="text-soft">
        {rich(allowlistText.noCallbackUrlIsSet, {
          link: (text) => (
            <Link to="/api-access" className="link">
              {text}
            </Link>
          ),
        })}
      </p>
    );
  }
  return (
    <>
      <p className="break-words text-soft">
        {rich(allowlistText.aTestStatusCallbackIs, { url: <code className="break-all font-mono text-ink">{settings.callback_url}</code> })}
      </p>
      {isAllowed && (
        <Button icon={Send} busy={busy} disabled={!settings.callback_secret_set} onClick={test}>
          {allowlistText.sendVersion3Test}
        </Button>
      )}
      {error !== null && <ErrorCard error={error} />}
      <LastTest settings={settings} />
      {sent !== null && <WireRequestBlock title={allowlistText.testRequest} request={sent} />}
    </>
  );
}

function LastTest({ settings: { v3_test: test } }: Settings): ReactNode {
  if (test === null) return null;
  return (
    <div role="status">
      <Notice tone={!test.holds ? "wait" : test.delivered ? "good" : "bad"}>
        <p className="break-words font-medium">{responseText(test)}</p>
        <p className="text-soft">
          {test.holds ? <Time value={test.at} /> : rich(allowlistText.theUrlOrTheSecret, { time: <Time value={test.at} /> })}
        </p>
      </Notice>
    </div>
  );
}

function SwitchStep({ settings }: Settings): ReactNode {
  const isAllowed = useMay("builders");
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const { busy, error, attempt } = useAttempt();
  if (settings.version === 3) return null;
  const switchVersion = () =>
    void attempt(async () => {
      setAsking(false);
      queries.setQueryData(callbackSettingsQuery.queryKey, await post("/callback-settings/switch-v3"));
    });
  return (
    <>
      <p className="text-soft">{allowlistText.allStatusAndComplaintCallbacks}</p>
      {isAllowed && (
        <Button look="primary" busy={busy} disabled={!settings.can_switch} onClick={() => setAsking(true)}>
          {allowlistText.switchToVersion3}
        </Button>
      )}
      {error !== null && <ErrorCard error={error} />}
      {asking && (
        <ConfirmDialog
          title={allowlistText.switchToVersion3Title}
          action={allowlistText.switch}
          onConfirm={switchVersion}
          onClose={() => setAsking(false)}
        >
          {allowlistText.allCallbacksWillBeVersion}
        </ConfirmDialog>
      )}
    </>
  );
}
