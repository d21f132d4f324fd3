import type { ReactNode } from "react";
import { uiText } from "../../messages/en/ui.ts";
import { fill } from "../../messages/fill.ts";
import { Copy } from "./copy.tsx";

/** A block of code or raw text with a copy button. */
export function CodeBlock({ code, title }: { readonly code: string; readonly title?: string }): ReactNode {
  return (
    <figure className="overflow-hidden rounded-lg border border-line bg-sunken text-left">
      <figcaption className="flex items-center justify-between gap-2 border-line border-b py-1 pr-1.5 pl-3 text-soft text-xs">
        <span>{title ?? uiText.example}</span>
        <Copy text={code} label={fill(uiText.copyTitle, { title: title ?? uiText.theExample })} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard. */}
      <pre tabIndex={0} className="overflow-x-auto p-3 font-mono text-[0.8125rem] leading-relaxed">
        <code>{code}</code>
      </pre>
    </figure>
  );
}
