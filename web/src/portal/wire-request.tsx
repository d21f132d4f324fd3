import type { ReactNode } from "react";
import { CodeBlock } from "../ui/code-block.tsx";

export type WireRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

/** A request as it goes over the wire. */
export function WireRequestBlock({ request, title }: { readonly request: WireRequest; readonly title: string }): ReactNode {
  const { pathname, search } = new URL(request.url);
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  const text = [`${request.method} ${pathname}${search} HTTP/1.1`, ...headers].join("\n");
  return <CodeBlock title={title} code={request.body === null ? text : `${text}\n\n${request.body}`} />;
}

export type Sent = { readonly delivered: boolean; readonly http_status: number | null; readonly error: string | null };

/** How a receiver answered, in one sentence. */
export function answerText({ delivered, http_status: status, error }: Sent): string {
  if (delivered) return `Your receiver answered ${status}.`;
  return status === null ? `There was no answer: ${error}` : `${error} Only 2xx counts as delivered.`;
}
