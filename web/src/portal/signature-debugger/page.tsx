import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Bug } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { signatureDebuggerText } from "../../messages/en/signature-debugger.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { CodeBlock } from "../../ui/formats/code-block.tsx";
import { readIndiaTime } from "../../ui/formats/format.ts";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Select, TextArea } from "../../ui/forms/field.tsx";
import { Card, Notice, PageHeader } from "../../ui/page.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { get, post, useList } from "../api.ts";
import { type Call, type Signature, sixLines } from "../logs/call.ts";
import { type Compared, Comparison } from "./comparison.tsx";

const SENT = `METHOD
/api/corp/v1/path
name=value&other=value
SHA-256 of the body, 64 hexadecimal digits
X-Api-Timestamp
X-Api-Nonce`;

export function SignatureDebuggerPage(): ReactNode {
  const { call } = useSearch({ from: "/shell/signature-debugger" });
  const refused = useList("/logs", { error: "invalid_signature" }, 10_000);
  const none = call === undefined && refused.rows?.length === 0;
  return (
    <>
      <PageHeader title={signatureDebuggerText.signatureDebugger}>{signatureDebuggerText.forARefusedSignatureShows}</PageHeader>
      {refused.error !== null && <ErrorCard error={refused.error} onRetry={refused.refetch} />}
      {none ? (
        <Card>
          <EmptyState icon={Bug} code={SENT} codeTitle={signatureDebuggerText.sixLinesOfTheString}>
            {signatureDebuggerText.callsWithARefusedSignature}
          </EmptyState>
        </Card>
      ) : (
        <div className="space-y-4">
          <Card title={signatureDebuggerText.refusedCall}>
            <Choice calls={refused.rows} chosen={call} />
          </Card>
          {call !== undefined && <Debugger key={call} callId={call} />}
        </div>
      )}
    </>
  );
}

type ChoiceProps = { readonly calls: readonly Call[] | undefined; readonly chosen: string | undefined };

function Choice({ calls, chosen }: ChoiceProps): ReactNode {
  const navigate = useNavigate();
  const listed = (calls ?? []).map((call) => ({ value: call.call_id, label: labelOf(call) }));
  // A linked call may be older than the list.
  const other = chosen !== undefined && !listed.some(({ value }) => value === chosen) ? [{ value: chosen, label: chosen }] : [];
  return (
    <Select
      label={signatureDebuggerText.call}
      className="max-w-3xl"
      value={chosen ?? ""}
      onChange={(event) => void navigate({ to: "/signature-debugger", search: { call: event.target.value } })}
      options={[...(chosen === undefined ? [{ value: "", label: signatureDebuggerText.chooseARefusedCall }] : []), ...other, ...listed]}
    />
  );
}

function labelOf(call: Call): string {
  const at = readIndiaTime(call.at);
  return `${at ? `${at.day}, ${at.clock} IST` : call.at} · ${call.method} ${call.path} · ${call.urid ?? call.request_id}`;
}

function Debugger({ callId }: { readonly callId: string }): ReactNode {
  const detail = useQuery({
    queryKey: ["/logs", callId],
    queryFn: ({ signal }) => get("/logs/:call_id", { call_id: callId }, signal),
  });
  return (
    <QueryView query={detail} skeleton={<SkeletonCard lines={9} />}>
      {({ signature }) =>
        signature === null ? (
          <Notice>{signatureDebuggerText.theSixLinesOfThis}</Notice>
        ) : (
          <Comparing callId={callId} signature={signature} />
        )
      }
    </QueryView>
  );
}

function Comparing({ callId, signature }: { readonly callId: string; readonly signature: Signature }): ReactNode {
  const [pasted, setPasted] = useState("");
  const [compared, setCompared] = useState<Compared | null>(null);
  const { busy, error, attempt } = useAttempt();
  const compare = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => setCompared(await post("/signature-debugger", { call_id: callId, pasted })));
  };
  return (
    <>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Card title={signatureDebuggerText.computedByTheService} hint={signature.reason}>
          <CodeBlock title={signatureDebuggerText.sixLines} code={sixLines(signature)} />
        </Card>
        <Card title={signatureDebuggerText.signedByYou} hint={signatureDebuggerText.logYourStringToSign}>
          <form onSubmit={compare} className="space-y-3">
            <TextArea
              label={signatureDebuggerText.yourSixLines}
              className="[&_textarea]:font-mono"
              rows={7}
              spellCheck={false}
              autoComplete="off"
              wrap="off"
              value={pasted}
              onChange={(event) => setPasted(event.target.value)}
            />
            <Button type="submit" look="primary" busy={busy} disabled={pasted === ""}>
              {signatureDebuggerText.compare}
            </Button>
          </form>
        </Card>
      </div>
      {error !== null && <ErrorCard error={error} />}
      {compared !== null && (
        <Card title={signatureDebuggerText.lineByLine}>
          <Comparison compared={compared} />
        </Card>
      )}
    </>
  );
}
