import type { ReactNode } from "react";
import type { Tone } from "../ui/formats/badge.tsx";
import { countText } from "../ui/formats/format.ts";

const PREFIX = "/api/corp/v1";

export function statusTone(status: number): Tone {
  if (status >= 500) return "bad";
  return status >= 400 ? "wait" : "good";
}

/** The error of a call, with the number of similar ones. */
export function ErrorName({ call }: { readonly call: { readonly error: string | null; readonly times: number } }): ReactNode {
  if (call.error === null) return <span className="text-soft">–</span>;
  return (
    <span className="whitespace-nowrap">
      <code className="font-mono text-[0.8125rem]">{call.error}</code>
      {call.times > 1 && <span className="text-soft"> × {countText(call.times)}</span>}
    </span>
  );
}

/** The method and the path without the API prefix, as lists show them. */
export function shortCall({ method, path }: { readonly method: string; readonly path: string }): string {
  return `${method} ${path.startsWith(`${PREFIX}/`) ? path.slice(PREFIX.length) : path}`;
}

/** Completes a path without the API prefix, as the list shows it. */
export function wholePath(text: string): string {
  const path = text.trim().startsWith("/") ? text.trim() : `/${text.trim()}`;
  return path.startsWith("/api/") ? path : PREFIX + path;
}
