import type { ReactNode } from "react";
import { CodeBlock } from "../ui/formats/code-block.tsx";

type BodiesProps = {
  readonly call: { readonly method: string; readonly request_body: string | null; readonly reply_body: string | null };
  readonly titles: { readonly query: string; readonly body: string; readonly reply: string; readonly none: string };
};

/** The masked bodies of a request and its reply. */
export function Bodies({ call: { method, request_body: request, reply_body: reply }, titles }: BodiesProps): ReactNode {
  if (request === null || reply === null) return <p className="text-soft">{titles.none}</p>;
  return (
    <div className="space-y-3">
      {request !== "" && <CodeBlock title={method === "GET" ? titles.query : titles.body} code={indented(request)} />}
      <CodeBlock title={titles.reply} code={indented(reply)} />
    </div>
  );
}

/** Readable JSON. What is not JSON, such as a query or a text that was cut, stays as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
