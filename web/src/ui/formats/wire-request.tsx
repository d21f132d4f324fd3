import type { ReactNode } from "react";
import { CodeBlock } from "./code-block.tsx";

export type WireRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

/** An HTTP request as it is sent. */
export function WireRequestBlock({ request, title }: { readonly request: WireRequest; readonly title: string }): ReactNode {
  const { pathname, search } = new URL(request.url);
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  const text = [`${request.method} ${pathname}${search} HTTP/1.1`, ...headers].join("\n");
  return <CodeBlock title={title} code={request.body === null ? text : `${text}\n\n${request.body}`} />;
}
