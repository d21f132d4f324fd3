import { Check, Copy as CopyIcon } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { uiText } from "../../messages/en/ui.ts";
import { fill } from "../../messages/fill.ts";
import { classes } from "../classes.ts";

const SHOWN_MILLISECONDS = 2000;

/** Copies a text and announces it to screen readers. */
export function Copy({
  text,
  label = uiText.copy,
  className,
}: {
  readonly text: string;
  readonly label?: string;
  readonly className?: string;
}): ReactNode {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), SHOWN_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => void navigator.clipboard.writeText(text).then(() => setCopied(true));
  const Icon = copied ? Check : CopyIcon;
  return (
    <>
      <button
        type="button"
        onClick={copy}
        aria-label={label}
        title={label}
        className={classes(
          "relative z-10 inline-flex size-7 shrink-0 items-center justify-center rounded text-soft hover:bg-sunken hover:text-ink",
          className,
        )}
      >
        <Icon aria-hidden className={classes("size-4", copied && "text-good")} />
      </button>
      <span role="status" className="sr-only">
        {copied ? uiText.copied : ""}
      </span>
    </>
  );
}

/** An identifier in monospace with a copy button. A long one is cut off; with `wrap` it takes several lines. */
export function Code({ text, wrap = false }: { readonly text: string; readonly wrap?: boolean }): ReactNode {
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <code className={classes("min-w-0 font-mono text-[0.8125rem]", wrap ? "break-all" : "truncate")}>{text}</code>
      <Copy text={text} label={fill(uiText.copyText, { text })} />
    </span>
  );
}
