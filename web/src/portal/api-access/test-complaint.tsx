import { Send } from "lucide-react";
import { type ReactNode, useState } from "react";
import { apiAccessText } from "../../messages/en/api-access.ts";
import type { Schemas } from "../../portal-api.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Status } from "../../ui/formats/badge.tsx";
import { WireRequestBlock } from "../../ui/formats/wire-request.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Card, Facts, Notice } from "../../ui/page.tsx";
import { post } from "../api.ts";
import type { CallbackSettings } from "../callback-settings.ts";
import { responseText } from "../receiver-response.ts";
import { useMay } from "../session.ts";

type TestResponse = Schemas["CallbackTest"];

export function TestComplaint({ settings }: { readonly settings: CallbackSettings }): ReactNode {
  const isAllowed = useMay("builders");
  const [response, setResponse] = useState<TestResponse | null>(null);
  const { busy, error, attempt } = useAttempt();
  const send = () =>
    void attempt(async () => {
      setResponse(null);
      setResponse(await post("/callback-settings/test-complaint"));
    });
  const ready = settings.complaint_callback_url !== null;
  return (
    <Card
      title={apiAccessText.testComplaintCallback}
      hint={apiAccessText.sendsOneCallbackWithTest}
      {...(isAllowed
        ? {
            actions: (
              <Button icon={Send} busy={busy} disabled={!ready} onClick={send}>
                {apiAccessText.sendTestComplaintCallback}
              </Button>
            ),
          }
        : {})}
    >
      <div className="space-y-4">
        {!ready && <p className="text-soft">{apiAccessText.setAComplaintCallbackUrl}</p>}
        {ready && response === null && error === null && <p className="text-soft">{apiAccessText.sendATestToSee}</p>}
        {error !== null && <ErrorCard error={error} />}
        {response !== null && <ResponseView response={response} />}
      </div>
    </Card>
  );
}

function ResponseView({ response }: { readonly response: TestResponse }): ReactNode {
  return (
    <>
      <div role="status">
        <Notice tone={response.delivered ? "good" : "bad"}>
          <p className="break-words font-medium">{responseText(response)}</p>
        </Notice>
      </div>
      <Facts
        facts={Object.entries({
          [apiAccessText.result]: <Status value={response.delivered ? "delivered" : "failed"} />,
          [apiAccessText.httpStatus]: response.http_status ?? <span className="text-soft">{apiAccessText.noResponse}</span>,
          [apiAccessText.error]: response.error ?? <span className="text-soft">{apiAccessText.none}</span>,
        })}
      />
      {response.request !== null && <WireRequestBlock title={apiAccessText.requestSent} request={response.request} />}
    </>
  );
}
