import { Send } from "lucide-react";
import { type ReactNode, useState } from "react";
import { post } from "../../ui/api.ts";
import { useAttempt } from "../../ui/attempt.ts";
import { Status } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Card, Facts, Notice } from "../../ui/page.tsx";
import { type WireRequest, WireRequestBlock } from "../../ui/wire-request.tsx";
import type { CallbackSettings } from "../callback-settings.ts";
import { responseText, type Sent } from "../receiver-response.ts";
import { useMay } from "../session.ts";

type Answer = Sent & { readonly request: WireRequest | null };

export function TestComplaint({ settings }: { readonly settings: CallbackSettings }): ReactNode {
  const may = useMay("builders");
  const [answer, setAnswer] = useState<Answer | null>(null);
  const { busy, error, attempt } = useAttempt();
  const send = () =>
    void attempt(async () => {
      setAnswer(null);
      setAnswer(await post<Answer>("/callback-settings/test-complaint"));
    });
  const ready = settings.complaint_callback_url !== null;
  return (
    <Card
      title="Test complaint callback"
      hint="Sent once, with test=1 inside the signed message and TEST- references. Nothing is refunded for it."
      {...(may
        ? {
            actions: (
              <Button icon={Send} busy={busy} disabled={!ready} onClick={send}>
                Send test complaint callback
              </Button>
            ),
          }
        : {})}
    >
      <div className="space-y-4">
        {!ready && <p className="text-soft">Set a complaint callback URL first; the answer of your receiver will stand here.</p>}
        {ready && answer === null && error === null && <p className="text-soft">The answer of your receiver will stand here.</p>}
        {error !== null && <ErrorCard error={error} />}
        {answer !== null && <AnswerView answer={answer} />}
      </div>
    </Card>
  );
}

function AnswerView({ answer }: { readonly answer: Answer }): ReactNode {
  return (
    <>
      <div role="status">
        <Notice tone={answer.delivered ? "good" : "bad"}>
          <p className="break-words font-medium">{responseText(answer)}</p>
        </Notice>
      </div>
      <Facts
        facts={Object.entries({
          Result: <Status value={answer.delivered ? "delivered" : "failed"} />,
          "HTTP status": answer.http_status ?? <span className="text-soft">no answer</span>,
          "Why it failed": answer.error ?? <span className="text-soft">it did not</span>,
        })}
      />
      {answer.request !== null && <WireRequestBlock title="The request that was sent" request={answer.request} />}
    </>
  );
}
